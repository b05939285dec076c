"""Games that are played on from where one stands: the array `m` of `kernel` as the core would leave it there.

Who has left is taken to stay away: he has no seat here, and what he holds is out of reach, as the core has it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.core.state import State
from bobing.odds.given import whole
from bobing.odds.simulate import GAMES_MAX
from bobing.odds.simulate import kernel as k
from bobing.odds.simulate.blocks import played, stream_of
from bobing.odds.simulate.result import Figure, Simulation
from bobing.odds.simulate.setting import SEED_MAX, Setting
from bobing.odds.simulate.tables import FORMS, REASONS, memory_of
from bobing.odds.simulate.totals import Totals

SEATS_CHANGED = "odds/seats_changed"
UNTOLD = "seats changed or somebody left so that this game cannot be simulated from here; play on without its odds"
PORTION = 1_000
"""Games between two looks at the clock."""


@dataclass(frozen=True)
class Played:
    """What came of a game that was played on many times; every figure with its standard error, by seat of the game.

    cakes: by tier, what a seat has more in the end than now, or less where cakes are taken away; of zhuangyuan, what
    it has in the end. pool: what is still to be eaten by all.
    """

    simulation: Simulation
    cakes: Mapping[str, Sequence[Figure]]
    champion: Sequence[Figure]
    pool: Mapping[str, Figure]

    @property
    def no_champion(self) -> Figure:
        """The chance that nobody has the title in the end."""
        return self.simulation.no_champion

    @property
    def games(self) -> int:
        """How often it was played on."""
        return self.simulation.games


def play_on(game: Game, games: int, *, seed: int = 0, cap: int = 0, limit: float | None = None) -> Played:
    """Play a game on so many times, from where it stands.

    cap: all is over after so many more throws; 0 for no such end. limit: seconds after which no more games are begun.
    Raises OddsError where the game is over (`odds/game_over`) or cannot be set up (`odds/seats_changed`).
    """
    whole(games, "games", 1, GAMES_MAX)
    whole(seed, "seed", 0, SEED_MAX)
    start, seats = memory_at(game, cap)
    setting = Setting(game.rules, len(seats), seed)
    totals = Totals.nothing(len(game.rules.tiers), len(seats))
    begun = time.monotonic()
    for portion, first in enumerate(range(0, games, PORTION)):
        if first and limit is not None and time.monotonic() - begun > limit:
            break
        totals += played(setting, stream_of(seed, portion), min(PORTION, games - first), start)
    return _told(game, Simulation(setting, totals), seats)


def _told(game: Game, found: Simulation, seats: Sequence[int]) -> Played:
    """The figures by seat, less what is there already. Who has left wins nothing."""
    state, nothing = game.state, (0.0, 0.0)
    at = {seat: i for i, seat in enumerate(seats)}

    def by_seat(figures: Sequence[Figure]) -> list[Figure]:
        return [figures[at[seat]] if seat in at else nothing for seat in range(len(state.order))]

    cakes = dict[str, Sequence[Figure]]()
    for tier, figures in found.cakes.items():
        now = [0] * len(state.order)
        for cake in state.held[tier] if tier != ZHUANGYUAN else ():
            now[cake.seat] += cake.seat in at
        ahead = zip(by_seat(figures), now, strict=True)
        cakes[tier] = [(mean - already, error) for (mean, error), already in ahead]
    pool = {tier: (mean - state.pool.get(tier, 0), error) for tier, (mean, error) in found.pool.items()}
    return Played(found, cakes, by_seat(found.champion), pool)


def memory_at(game: Game, cap: int = 0) -> tuple[k.Ints, tuple[int, ...]]:
    """The array of a game as it stands, and the seat at each place of it. Raises OddsError where it is over, or where
    the array has no words for it."""
    state, rules = game.state, game.rules
    if state.finished:
        raise OddsError("the game is over; there is nothing more to come", "odds/game_over")
    if not _is_plain(state, rules):
        raise OddsError(UNTOLD, SEATS_CHANGED)
    seats, turn, limit = _order(state, rules)
    m = memory_of(rules, len(seats), cap)
    k.deal_out(m)
    _set_table(m, state, rules, seats)
    _set_claims(m, state, seats, game.line.n)
    _set_rolloff(m, state, seats)
    m[k.TURN], m[k.SEAT], m[k.LIMIT] = turn, turn, limit
    for seat in state.lost_turns & set(seats):
        m[m[k.LOST] + seats.index(seat)] = 1
    k.look(m)
    return m, seats


def _is_plain(state: State, rules: RuleSet) -> bool:
    """Whether nobody who left may still have the title or ranked cakes, and enough are there to play."""
    bound = {state.title} | {seat for _, _, seat in state.ranked}
    bound |= set(state.claims) if rules.title.own_later == "last" else set()
    waived = any(claim.plain and claim.combination in ("chajinhua", "liubohong") for claim in state.claims.values())
    return not bound & state.away and len(state.order) - len(state.away) > 1 and not waived


def _order(state: State, rules: RuleSet) -> tuple[tuple[int, ...], int, int]:
    """The seats in the order in which they throw, from the one who begins a lap; the number of the next turn, and of
    that with which all is over (NONE: not known yet)."""
    tied = state.rolloff is not None and state.rolloff.reason == "tie"  # the turn that led to it is had
    place = state.turn + tied
    coming, lap = _present(state, place), _present(state, state.opener)
    had = lap.index(coming[0])
    limit = k.NONE
    if state.targets is not None:
        left = [max(0, state.targets[seat] - state.turns[seat]) for seat in coming]
        _verify_even([-turns for turns in left])
        limit = had + sum(left)
    elif rules.ending.finish == "equal-turns":
        turns = [state.turns[seat] for seat in coming]
        _verify_even(turns)
        had = sum(turns) - len(turns) * min(turns)
    return tuple(coming[len(coming) - had :] + coming[: len(coming) - had]), had, limit


def _present(state: State, place: int) -> list[int]:
    """Who is there, in the order of play from a place on."""
    place %= len(state.order)
    return [seat for seat in state.order[place:] + state.order[:place] if seat not in state.away]


def _verify_even(turns: Sequence[int]) -> None:
    """Refuse turns that do not go round in order: seats that changed places or came late, where turns are counted."""
    if list(turns) != sorted(turns) or turns[-1] - turns[0] > 1:
        raise OddsError(UNTOLD, SEATS_CHANGED)


def _set_table(m: k.Ints, state: State, rules: RuleSet, seats: Sequence[int]) -> None:
    """Cakes on the table, eaten by all, and in hand."""
    m[k.LEFT] = 0
    for tier, key in enumerate(state.table):
        m[k.TABLE + tier], m[k.POOL + tier] = state.table[key], state.pool.get(key, 0)
        m[k.LEFT] += tier > 0 and key != rules.ranked_tier and state.table[key] > 0
        for cake in state.held[key]:
            if cake.seat not in seats:
                continue
            place = seats.index(cake.seat)
            m[m[k.HELD] + tier * len(seats) + place] += 1
            if m[k.IN_ORDER + tier]:
                m[m[k.LINE_END + tier]] = 2 * place + cake.granted
                m[k.LINE_END + tier] += 1


def _set_claims(m: k.Ints, state: State, seats: Sequence[int], acts: int) -> None:
    """Who threw what for the title, and what is ranked at the end; `acts` is the number of the last act."""
    m[k.TITLE] = k.NONE if state.title is None else seats.index(state.title)
    there = [(seats.index(seat), claim) for seat, claim in state.claims.items() if seat in seats]
    for number, (place, claim) in enumerate(there):
        m[m[k.CLAIMANT] + number] = place
        m[m[k.STRENGTH] + place], m[m[k.WINS] + place] = claim.strength, claim.wins
        m[m[k.WHEN] + place], m[m[k.FORM] + place] = claim.n - acts, FORMS.index(claim.combination)
    m[k.CLAIMS] = len(there)
    best = sorted(state.ranked, key=lambda entry: (-entry[0], entry[1]))[: int(m[k.RANKED_ROOM])]
    for number, (pips, _, seat) in enumerate(best):
        m[m[k.RANKED_KICKER] + number], m[m[k.RANKED_SEAT] + number] = pips, seats.index(seat)
    m[k.RANKED] = len(best)


def _set_rolloff(m: k.Ints, state: State, seats: Sequence[int]) -> None:
    """A roll-off that is on: those who have thrown first."""
    pending = state.rolloff
    if pending is None:
        return
    rivals = sorted(pending.seats, key=lambda seat: seat not in pending.thrown)
    for number, seat in enumerate(rivals):
        m[m[k.RIVAL_SEAT] + number] = seats.index(seat)
        faces = pending.thrown.get(seat, ())
        m[m[k.POINTS] + number] = sum(face for face in faces if pending.dice == 3 or face in (1, 4))
    m[k.RIVALS], m[k.RIVAL], m[k.DICE] = len(rivals), len(pending.thrown), pending.dice
    m[k.REASON] = 0 if pending.reason == "tie" else REASONS.index(pending.reason)
    m[k.ENDING] = pending.ends
