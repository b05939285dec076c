"""An event, whatever its desks do in whatever order: no prize is lost, doubled or handed over twice."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bobing.core.catalogue import find_sheet
from bobing.tournament.acts import (
    Absent,
    AddGuests,
    AwardAgain,
    CloseTable,
    Correct,
    Draw,
    Finalists,
    FinalPlace,
    FinalThrow,
    HandOver,
    Here,
    Merge,
    NewGuest,
    NoShow,
    Open,
    Plan,
    Reopen,
    Return,
    Scratch,
    SetSession,
    SetStage,
    Sit,
    Split,
    Stand,
    Substitute,
    Trade,
    Undo,
    Waive,
    Withdraw,
    Won,
    act_from_json,
    act_to_json,
)
from bobing.tournament.errors import EventRefused
from bobing.tournament.event import Event, replay
from bobing.tournament.prizes import numbered
from bobing.tournament.stages import standing_of
from bobing.tournament.totals import by_guest, by_item, by_table, by_tier

RULES = find_sheet("S12")
NUMBERS = st.integers(1, 14)
FINAL = (FinalPlace(1, "car"), FinalPlace(1, "phone"))
CHANCES = st.tuples(*[st.integers(0, 3)] * 6)


class Desks(RuleBasedStateMachine):
    """Plays acts on an event and keeps its own book of what left the desk."""

    def __init__(self):
        super().__init__()
        self.event = Event()
        self.out = Counter()
        self.refusals = set[str]()

    @initialize(families=st.lists(st.integers(1, 4), min_size=12, max_size=12))
    def open(self, families):
        self.act(Plan("Moon", absent="again"))
        self.act(SetSession(1, "evening", RULES.to_table(), 3, seats=8, limit=10))
        self.act(AddGuests(1, tuple(NewGuest(1, household=home) for home in families)))
        self.act(Here(tuple(range(1, 11))))
        self.act(Draw(1, "seed", (1, 2), households="apart"))
        self.act(Open(1, "S1"))

    def act(self, act):
        """Play it; a refusal changes nothing."""
        try:
            self.event = self.event.play(act)
        except EventRefused as refused:
            self.refusals.add(refused.code)
            return False
        return True

    @rule(guest=NUMBERS, table=st.integers(1, 5), other=NUMBERS, kind=st.integers(0, 8))
    def move(self, guest, table, other, kind):
        self.act(
            [
                Sit(guest, table),
                Stand(guest),
                Trade((guest, other)),
                Split(table, 4 + table, (guest,)),
                Merge(table, guest),
                Withdraw(guest),
                NoShow((guest,)),
                AddGuests(self.event.next_guest, (NewGuest(1),)),
                Open(table, f"S{table}"),
            ][kind]
        )

    @rule(table=st.integers(1, 3), cakes=CHANCES, sure=st.booleans())
    def close(self, table, cakes, sure):
        won = tuple(
            Won(seat, tier, count)
            for seat, (tier, count) in enumerate(zip(RULES.lower, cakes, strict=False))
            if count and seat < 4
        )
        act = CloseTable(table, won, None, self.event.next_voucher, sure=sure)
        if self.act(numbered(self.event.state, act)):
            self.out = self.kept_out()

    def kept_out(self):
        """What is out as the event has it: a revision calls back, and never what nobody has."""
        out = Counter(n for n, v in self.event.state.vouchers.items() if v.state in ("handed", "recalled"))
        assert out.keys() <= {number for number, count in self.out.items() if count}
        return out

    @rule(guests=st.sets(NUMBERS, min_size=2, max_size=5), first=st.booleans(), places=st.integers(1, 2))
    def draw_a_final(self, guests, first, places):
        stage = SetStage(1, "", "first" if first else "sum", FINAL[:places], "named", throws=2)
        self.act(stage)
        self.act(Finalists(1, tuple(guests), "s", self.event.next_voucher, reading=1))

    @rule(kind=st.integers(0, 8), guest=NUMBERS, face=st.sampled_from("146"))
    def in_the_final(self, kind, guest, face):
        stage = self.event.state.stages.get(1)
        due = [standing_of(stage, group).due for group in stage.groups] if stage else []
        if not due or due[0] is None:
            return
        if kind < 2:
            self.act((Scratch if kind else Substitute)(1, *((due[0].guest,) if kind else (due[0].guest, guest))))
        else:
            self.act(FinalThrow(1, due[0].guest, {"4": "444423", "1": "112256"}.get(face, "6" * 6)[: due[0].dice]))

    @rule(which=st.integers(0, 9), faces=st.sampled_from(["444423", "112256", "666", "123"]))
    def correct_a_final(self, which, faces):
        throws = [(n, one.act) for n, one in enumerate(self.event.log, 1) if isinstance(one.act, FinalThrow)]
        if throws:
            n, act = throws[which % len(throws)]
            self.act(Correct(n, FinalThrow(1, act.guest, faces)))

    @rule(table=st.integers(1, 3), sure=st.booleans())
    def reopen(self, table, sure):
        self.act(Reopen(table, sure=sure))

    @rule(vouchers=st.lists(st.integers(1, 30), min_size=1, max_size=4), kind=st.integers(0, 4), guest=NUMBERS)
    def at_the_desk(self, vouchers, kind, guest):
        numbers = tuple(vouchers)
        if kind == 0 and self.act(HandOver(numbers)):
            self.out.update(numbers)
            assert max(self.out.values()) == 1
        elif kind == 1 and self.act(Return(numbers)):
            self.out.subtract(numbers)
            assert min(self.out.values()) >= 0
        elif kind == 2:
            self.act(Absent(numbers))
        elif kind == 3:
            self.act(Waive(numbers))
        else:
            self.act(AwardAgain(numbers[0], guest, self.event.next_voucher))

    @rule(back=st.integers(0, 5))
    def undo(self, back):
        n = len(self.event.log) - back
        kept, before = self.out.copy(), self.event
        act = self.event.log[n - 1].act if n >= 1 else None
        if self.act(Undo(max(n, 1))):
            if isinstance(act, HandOver):
                kept.subtract(act.vouchers)
            elif isinstance(act, Return | Undo | CloseTable | Reopen):
                kept = Counter(n for n, v in self.event.state.vouchers.items() if v.state in ("handed", "recalled"))
            self.out = kept
            if back == 0 and not isinstance(act, Undo | Correct):
                assert self.event.state == replay(entry.act for entry in before.log[:-1]).state, "undo is exact"

    @invariant()
    def each_prize_that_was_won_is_somebodys_once(self):
        state = self.event.state
        for table in state.tables.values():
            won = Counter[tuple[int, str]]()
            for one in () if table.result is None else table.result.won:
                won[table.seats[one.seat], one.tier] += one.cakes
            assert Counter((v.guest, v.tier) for v in self.roots(table.number) if self.last(v).stands) == won
        for stage in state.stages.values():
            given = sum(len(place) for group in stage.groups for place in standing_of(stage, group).places)
            assert sum(self.last(v).stands for v in self.roots(None)) == given

    def roots(self, table):
        """The vouchers of a table, or of the final, as they were won first."""
        return [v for v in self.event.state.vouchers.values() if v.before is None and v.table == table]

    def last(self, voucher):
        """The voucher under which its prize is now."""
        while voucher.after is not None:
            voucher = self.event.state.vouchers[voucher.after]
        return voucher

    @invariant()
    def what_is_out_left_the_desk_once(self):
        out = {
            number for number, voucher in self.event.state.vouchers.items() if voucher.state in ("handed", "recalled")
        }
        assert out == {number for number, count in self.out.items() if count}

    @invariant()
    def totals_agree(self):
        state = self.event.state
        items = by_item(state)
        assert all(total.planned == total.playing + total.unwon + total.count.awarded for total in items.values())
        assert all(total.unwon >= 0 and total.playing >= 0 for total in items.values())
        awarded = sum(total.count.awarded for total in items.values())
        finals = sum(voucher.stands for voucher in state.vouchers.values() if voucher.table is None)
        for totals, sum_of_all in ((by_table, awarded - finals), (by_guest, awarded), (by_tier, awarded - finals)):
            assert sum(count.awarded for count in totals(state).values()) == sum_of_all

    @invariant()
    def seats_are_of_guests_and_guests_of_seats(self):
        state = self.event.state
        for table in state.tables.values():
            assert len(set(table.seats)) == len(table.seats)
            if table.status == "waiting":
                assert all(state.guests[guest].table == table.number for guest in table.seats)
        for guest in state.guests.values():
            assert guest.table is None or guest.number in state.tables[guest.table].seats

    @invariant()
    def no_more_guests_than_places(self):
        for number, session in self.event.state.sessions.items():
            assert sum(1 for _ in self.event.state.listed(number)) <= (session.set.limit or 10**9)

    def teardown(self):
        assert all(code.startswith("event/") for code in self.refusals)
        written = [act_to_json(entry.act) for entry in self.event.log]
        assert replay(map(act_from_json, written)) == self.event


Desks.TestCase.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
TestDesks = Desks.TestCase
