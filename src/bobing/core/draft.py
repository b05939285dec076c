"""The working copy of a state: cakes change places here, and every change is written down as a move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.core.state import POOL, TABLE, Cake, Claim, Move, PendingRollOff, Place, State


class Draft:
    """One act in the making. `freeze` gives the new state; moves, skipped and notes tell what happened."""

    def __init__(self, state: State, rules: RuleSet, n: int) -> None:
        self.rules, self.n = rules, n
        self.moves: list[Move] = []
        self.skipped: list[int] = []
        self.notes: list[tuple[str, ...]] = []
        self.choice: Mapping[str, str] = {}
        self.order, self.turn, self.opener = state.order, state.turn, state.opener
        self.table, self.pool, self.held = dict(state.table), state.pool, dict(state.held)
        self.shelf = state.shelf
        self.claims: Mapping[int, Claim] = state.claims
        self.title, self.ranked = state.title, state.ranked
        self.lost_turns, self.away = state.lost_turns, state.away
        self.lap, self.begun = state.lap, state.begun
        self.turns, self.targets = state.turns, state.targets
        self.rolloff: PendingRollOff | None = state.rolloff
        self.finished = state.finished

    def freeze(self) -> State:
        """The state after the act."""
        return State(
            self.order, self.turn, self.opener, self.table, self.pool, self.held, self.shelf, self.claims, self.title,
            self.ranked, self.lost_turns, self.away, self.lap, self.begun, self.turns, self.targets, self.rolloff,
            self.finished,
        )  # fmt: skip

    def note(self, code: str, *values: object) -> None:
        """Write down something worth telling."""
        self.notes.append((code, *map(str, values)))

    def present_after(self, seat: int) -> list[int]:
        """The seats that are there, in the order of play, beginning behind `seat` and ending with it."""
        place = self.order.index(seat)
        turned = self.order[place + 1 :] + self.order[: place + 1]
        return [other for other in turned if other not in self.away]

    def left(self) -> dict[str, int]:
        """The cakes below zhuangyuan that lie on the table, tiers high to low, none left out but the empty."""
        return {tier: self.table[tier] for tier in self.rules.lower if self.table[tier]}

    def others_left(self) -> bool:
        """Whether any cake below zhuangyuan is still to be won by a throw."""
        ranked = self.rules.ranked_tier
        return any(self.table[tier] for tier in self.rules.lower if tier != ranked)

    def give(self, tier: str, seat: int, cakes: int = 1, *, granted: bool = False) -> None:
        """Cakes from the table to a seat."""
        for item, count in self._from_shelf(tier, cakes):
            self.table[tier] -= count
            self._keep(tier, [Cake(seat, granted, item)] * count)
            self._move(tier, count, TABLE, seat, item)

    def take(self, tier: str, wanted: Iterable[int], target: Place, *, granted: bool = False) -> None:
        """The cakes at these positions of `held[tier]` go to another seat, or back to the table."""
        positions = set(wanted)
        taken = [cake for i, cake in enumerate(self.held[tier]) if i in positions]
        self.held[tier] = tuple(cake for i, cake in enumerate(self.held[tier]) if i not in positions)
        if isinstance(target, int):
            self._keep(tier, [Cake(target, granted, cake.item) for cake in taken])
        else:
            self.table[tier] += len(taken)
            for cake in taken:
                self._to_shelf(tier, cake.item)
        for cake in taken:
            self._move(tier, 1, cake.seat, target, cake.item)

    def positions(self, tier: str, seat: int) -> list[int]:
        """Where the cakes of a seat stand in `held[tier]`, oldest first."""
        return [i for i, cake in enumerate(self.held[tier]) if cake.seat == seat]

    def takable(self, tier: str, thief: int) -> list[int]:
        """Positions of the cakes that `thief` may take from others: not a leaver's, not a protected chajinhua's."""
        protected = self.rules.chajinhua.protected
        return [
            i
            for i, cake in enumerate(self.held[tier])
            if cake.seat != thief and cake.seat not in self.away and not (protected and cake.granted)
        ]

    def to_pool(self, tier: str, cakes: int) -> None:
        """Cakes from the table to be eaten by all."""
        for item, count in self._from_shelf(tier, cakes):
            self.table[tier] -= count
            self._move(tier, count, TABLE, POOL, item)
        self.pool = {**self.pool, tier: self.pool.get(tier, 0) + cakes}

    def deal(self, tier: str, seats: Sequence[int], start: int) -> int:
        """Deal the tier's table cakes one by one to `seats`, beginning with position `start`; gives the next one."""
        shares: dict[int, int] = {}
        for i in range(self.table[tier]):
            seat = seats[(start + i) % len(seats)]
            shares[seat] = shares.get(seat, 0) + 1
        end = (start + self.table[tier]) % len(seats)
        for seat, share in shares.items():
            self.give(tier, seat, share)
        return end

    def _keep(self, tier: str, cakes: list[Cake]) -> None:
        self.held[tier] = (*self.held[tier], *cakes)

    def _move(self, tier: str, cakes: int, source: Place, target: Place, item: str | None) -> None:
        last = self.moves[-1] if self.moves else None
        if last and (last.tier, last.source, last.target, last.item) == (tier, source, target, item):
            self.moves[-1] = Move(tier, last.cakes + cakes, source, target, item)
        else:
            self.moves.append(Move(tier, cakes, source, target, item))

    def _from_shelf(self, tier: str, cakes: int) -> list[tuple[str | None, int]]:
        """Which items leave the table: the chosen one first, then in the order of the list."""
        if tier not in self.shelf:
            return [(None, cakes)] if cakes else []
        stock, picked = dict(self.shelf[tier]), list[tuple[str | None, int]]()
        chosen = self.choice.get(tier)
        for item in sorted(stock, key=lambda name: name != chosen):
            count = min(stock[item], cakes)
            if count:
                stock[item] -= count
                cakes -= count
                picked.append((item, count))
        self.shelf = {**self.shelf, tier: stock}
        return picked

    def _to_shelf(self, tier: str, item: str | None) -> None:
        if item is not None:
            stock = self.shelf[tier]
            self.shelf = {**self.shelf, tier: {**stock, item: stock[item] + 1}}


def opening_state(rules: RuleSet, seats: int, start: int) -> State:
    """All cakes on the table, nobody has thrown, seat `start` begins."""
    return State(
        order=tuple(range(seats)),
        turn=start,
        opener=start,
        table=dict(rules.cakes),
        pool={},
        held=dict.fromkeys(rules.cakes, ()),
        shelf={tier.key: {item.name: item.count for item in tier.items} for tier in rules.tiers if tier.items},
        claims={},
        title=None,
        ranked=(),
        lost_turns=frozenset(),
        away=frozenset(),
        lap=0,
        begun=False,
        turns=dict.fromkeys(range(seats), 0),
        targets=dict.fromkeys(range(seats), rules.ending.throws_each) if rules.ending.when == "throws" else None,
        rolloff=None,
        finished=None,
    )


def hand_over(draft: Draft) -> None:
    """The zhuangyuan cake goes to the holder of the title, from the table or from an earlier holder."""
    if draft.title is None:
        return
    if draft.table[ZHUANGYUAN]:
        draft.give(ZHUANGYUAN, draft.title, draft.table[ZHUANGYUAN])
    others = [i for i, cake in enumerate(draft.held[ZHUANGYUAN]) if cake.seat != draft.title]
    if others and draft.rules.title.handover == "at-once":
        draft.take(ZHUANGYUAN, others, draft.title)
