"""The stages of a final: who plays, what they throw, and who goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec

from bobing.core.errors import RulesError
from bobing.core.rules import RuleSet, rules_from_table
from bobing.tournament.acts import Finalists, FinalThrow, Scratch, SetStage, Substitute
from bobing.tournament.errors import EventRefused
from bobing.tournament.finals import Due, Standing, score_of, standing
from bobing.tournament.guests import guest_of
from bobing.tournament.lots import Lots, even_sizes
from bobing.tournament.prizes import issued
from bobing.tournament.state import Group, Guest, Notes, Stage, State, Table, put


def stage_of(state: State, number: int) -> Stage:
    """The stage of that number; raises EventRefused (`event/no_stage`)."""
    stage = state.stages.get(number)
    if stage is None:
        raise EventRefused(f"there is no stage {number}; set it first", "event/no_stage")
    return stage


def set_stage(state: State, act: SetStage) -> tuple[State, Notes]:
    """How a stage is played; until its finalists are drawn it may be set again."""
    if act.stage in state.stages and state.stages[act.stage].groups:
        raise EventRefused(f"stage {act.stage} has begun", "event/stage_begun")
    if act.format in ("first-lap", "game") and [place.count for place in act.places] != [1]:
        raise EventRefused("this format gives one place; set further places in another stage", "event/one_place")
    if act.held and (act.format != "highest" or act.throws != 1):
        raise EventRefused("titles are held with one throw each: take the highest of one", "event/one_throw")
    if act.source == "stage" and act.stage - 1 not in state.stages:
        raise EventRefused(
            f"stage {act.stage} takes winners of stage {act.stage - 1}; set that first", "event/no_stage"
        )
    return replace(state, stages=put(state.stages, (act.stage, Stage(act, _rules(state, act))))), ()


def candidates(state: State, number: int) -> tuple[int, ...]:
    """Who plays a stage if nothing else is said: those who have won a seat in it and have not withdrawn since."""
    return tuple(guest for guest in entitled(state, number) if state.guests[guest].status != "withdrawn")


def entitled(state: State, number: int) -> tuple[int, ...]:
    """Who has won a seat in a stage: champions of closed tables, or winners of the stage before."""
    stage = stage_of(state, number)
    if stage.set.source == "champions":
        return tuple(dict.fromkeys(_champions(state)))
    if stage.set.source == "stage":
        return tuple(guest for places in results(state, number - 1) for place in places for guest in place)
    return ()


def as_drawn_now(state: State, act: Finalists) -> Finalists:
    """The act as finals are read now, with those who have won a seat; raises EventRefused (`event/no_stage`)."""
    return msgspec.structs.replace(act, reading=1, entitled=entitled(state, act.stage))


def results(state: State, number: int) -> list[tuple[tuple[int, ...], ...]]:
    """The places of each group of a stage that is decided, best first; () for one that is not."""
    stage = stage_of(state, number)
    return [_places(state, stage, group) for group in stage.groups]


def best_throw(state: State, number: int, guest: int) -> str:
    """The best that a guest of a stage threw, the first of equals; of a whole game what won its title; else ""."""
    stage = stage_of(state, number)
    group = _group_of(stage, guest)[1]
    if group.table is not None:
        return title_of(state.tables[group.table])
    worth = score_of(stage.set, stage.rules)
    thrown = [faces for who, faces in group.throws if who == guest and faces]
    return max(thrown, key=lambda faces: worth(tuple(map(int, faces))), default="")


def title_of(table: Table) -> str:
    """The throw that holds the title of a closed table; "" where it is not known."""
    return "" if table.result is None else table.result.title


def finalists_needed(stage: SetStage) -> int:
    """How many guests a stage needs at least: in each group as many as its places, and two."""
    return stage.groups * max(2, sum(place.count for place in stage.places))


def standing_of(stage: Stage, group: Group) -> Standing:
    """Where a group stands that does not play a whole game."""
    return standing(stage.set, stage.rules, group.guests, group.throws, stage.scratched, old=stage.old)


def draw_finalists(state: State, act: Finalists) -> tuple[State, Notes]:
    """Lots draw groups of even size, and the order in them."""
    stage = stage_of(state, act.stage)
    won = not stage.old and any(one.stage == act.stage and one.stands for one in state.vouchers.values())
    if won or any(group.throws or _begun(state, group) for group in stage.groups):
        raise EventRefused(f"stage {act.stage} has begun", "event/stage_begun")
    if len(set(act.guests)) < len(act.guests):
        raise EventRefused("a guest stands in this list twice", "event/twice")
    for guest in act.guests:
        guest_of(state, guest)
    places = sum(place.count for place in stage.set.places)
    sizes, needed = even_sizes(len(act.guests), stage.set.groups), finalists_needed(stage.set)
    if len(act.guests) < needed:
        raise EventRefused(
            f"this stage needs {needed} finalists, {needed // stage.set.groups} in each of its groups, and there are "
            f"{len(act.guests)}: take fewer places or groups, or give extra seats",
            "event/too_few_finalists",
        )
    numbers = range(act.vouchers, act.vouchers + places * stage.set.groups)
    if any(number in state.vouchers for number in numbers):
        raise EventRefused(f"there are vouchers from {act.vouchers} on already", "event/taken")
    order = iter(Lots(act.seed).shuffled(act.guests))
    groups = tuple(Group(tuple(next(order) for _ in range(size))) for size in sizes)
    drawn = replace(
        stage,
        vouchers=act.vouchers,
        groups=groups,
        scratched=frozenset(),
        entitled=act.entitled,
        old=act.reading == 0,
    )
    state = _with(state, act.stage, drawn)
    if stage.set.held:
        return _held(state, act.stage)
    if stage.set.format == "game":
        return _with_tables(state, act, drawn), ()
    return (state, ()) if drawn.old else _decided_at_once(state, act.stage)


def substitute(state: State, act: Substitute) -> tuple[State, Notes]:
    """Another guest throws in the place of a finalist who has not thrown."""
    stage = stage_of(state, act.stage)
    index, group = _group_of(stage, act.out)
    guest_of(state, act.guest)
    if any(act.guest in other.guests for other in stage.groups):
        raise EventRefused(f"guest {act.guest} plays in this stage already", "event/taken")
    if any(guest == act.out for guest, _ in group.throws) or _begun(state, group):
        raise EventRefused(f"guest {act.out} has thrown; let them leave instead", "event/stage_begun")
    guests = tuple(act.guest if guest == act.out else guest for guest in group.guests)
    state = _with(state, act.stage, _with_group(stage, index, replace(group, guests=guests)))
    if group.table is not None:
        table = state.tables[group.table]
        state = replace(state, tables=put(state.tables, (table.number, replace(table, seats=guests))))
    return state, ()


def verify_substitute(state: State, act: Substitute) -> None:
    """Refuse a substitute where the group is decided, or who has left this stage; raises EventRefused."""
    stage = stage_of(state, act.stage)
    group = _group_of(stage, act.out)[1]
    if group.table is None and standing_of(stage, group).due is None:
        raise EventRefused("this group is decided", "event/stage_over")
    if act.guest in stage.scratched:
        raise EventRefused(f"guest {act.guest} has left this stage; take that back first", "event/left_stage")


def verify_same_places(before: Mapping[int, Stage], after: Mapping[int, Stage]) -> None:
    """Refuse other numbers of places for a stage that is drawn: vouchers are kept for them; raises EventRefused."""
    for number, stage in before.items():
        now = after.get(number)
        if now is not None and now.vouchers == stage.vouchers and now.groups and _places_of(now) != _places_of(stage):
            raise EventRefused(f"stage {number} has begun", "event/stage_begun")


def _places_of(stage: Stage) -> int:
    return stage.set.groups * sum(place.count for place in stage.set.places)


def verify_may_play(state: State, guests: Iterable[int]) -> None:
    """Refuse for a final who is not there: has no place, has left, or did not come where the door checks guests in.

    Who has played at a table was there, whatever the door says. Raises EventRefused.
    """
    checked_in = {guest.session for guest in state.guests.values() if guest.here}
    for guest in (guest_of(state, number) for number in guests):
        if guest.status == "withdrawn":
            raise EventRefused(f"guest {guest.number} has withdrawn already", "event/withdrawn")
        if guest.status == "waiting":
            raise EventRefused(f"guest {guest.number} has no place in the session", "event/not_listed")
        if guest.session in checked_in and not guest.here and not _has_played(state, guest):
            raise EventRefused(
                f"guest {guest.number} has not come in at the door; check them in first", "event/not_checked_in"
            )


def extra_seats(state: State, act: Finalists) -> tuple[int, ...]:
    """Those of the finalists who do not come by their title or the stage before."""
    own = set(candidates(state, act.stage))
    return tuple(guest for guest in act.guests if guest not in own)


def _has_played(state: State, guest: Guest) -> bool:
    return guest.table is not None and state.tables[guest.table].status != "waiting"


def throw(state: State, act: FinalThrow) -> tuple[State, Notes]:
    """One throw; a group that is decided gives its vouchers."""
    if won_alone(state, act):
        return state, ()  # logs have it of when that throw was still due
    stage, index, group, _ = throwing(state, act.stage, act.guest)
    if act.drawn != (next_of(group, act.guest) if stage.set.digital else 0):
        raise EventRefused(
            "in this stage the server throws; tap to throw"
            if stage.set.digital
            else "in this stage real dice count; type them in",
            "event/other_dice",
        )
    return _played(state, act.stage, index, replace(group, throws=(*group.throws, (act.guest, act.faces))))


def won_alone(state: State, act: FinalThrow) -> bool:
    """Whether the guest was left alone in a tie, and has won it without this throw."""
    stage = state.stages.get(act.stage)
    return stage is not None and any(
        act.guest in standing_of(stage, group).alone
        for group in stage.groups
        if group.table is None and act.guest in group.guests
    )


def throwing(state: State, number: int, guest: int) -> tuple[Stage, int, Group, Due]:
    """The stage and group in which a guest throws, and whose throw is due there; raises EventRefused."""
    stage = stage_of(state, number)
    index, group = _group_of(stage, guest)
    if group.table is not None:
        raise EventRefused("a whole game is played and left at its table", "event/at_table")
    due = standing_of(stage, group).due
    if due is None:
        raise EventRefused("this group is decided", "event/stage_over")
    return stage, index, group, due


def next_of(group: Group, guest: int) -> int:
    """Which throw of the stage the next one of a guest is, counted from 1."""
    return 1 + sum(who == guest for who, _ in group.throws)


def scratch(state: State, act: Scratch) -> tuple[State, Notes]:
    """A finalist leaves; their throws to come count nothing."""
    stage, index, group, _ = throwing(state, act.stage, act.guest)
    gone = replace(stage, scratched=stage.scratched | {act.guest})
    return _played(_with(state, act.stage, gone), act.stage, index, group)


def _decided_at_once(state: State, number: int) -> tuple[State, Notes]:
    """Groups in which all have the same place: nobody has to throw."""
    notes: Notes = ()
    for index, group in enumerate(state.stages[number].groups):
        if standing_of(state.stages[number], group).due is None:
            state, more = _played(state, number, index, group)
            notes += more
    return state, notes


def _held(state: State, number: int) -> tuple[State, Notes]:
    """Groups whose guests have thrown already, at their tables: those without a tie are decided at once."""
    titles = {
        table.seats[table.result.champion]: table.result.title
        for table in state.tables.values()
        if table.result is not None and table.result.champion is not None
    }
    notes: Notes = ()
    for index, group in enumerate(state.stages[number].groups):
        for guest in group.guests:
            if not titles.get(guest):
                raise EventRefused(
                    f"it is not known with which throw guest {guest} holds a title; close their table with it",
                    "event/no_title",
                )
        throws = tuple((guest, titles[guest]) for guest in group.guests)
        state, more = _played(state, number, index, replace(group, throws=throws))
        notes += more
    return state, notes


def _played(state: State, number: int, index: int, group: Group) -> tuple[State, Notes]:
    """The group after its latest throw: those who left are passed over, and prizes given where it is decided."""
    stage = state.stages[number]
    now = standing_of(stage, group)
    while now.due and now.due.guest in stage.scratched:
        group = replace(group, throws=(*group.throws, (now.due.guest, None)))
        now = standing_of(stage, group)
    state = _with(state, number, _with_group(stage, index, group))
    if now.due:
        return state, ()
    first = stage.vouchers + index * sum(place.count for place in stage.set.places)
    prizes = [
        (guest, str(place), prize.item)
        for place, (guests, prize) in enumerate(zip(now.places, stage.set.places, strict=True), 1)
        for guest in guests
    ]
    prices = {(str(place), prize.item): prize.price for place, prize in enumerate(stage.set.places, 1)}
    won = [voucher for voucher in issued(prizes, first, prices, table=None, stage=number) if voucher.item]
    vouchers = put(state.vouchers, *((voucher.number, voucher) for voucher in won))
    return replace(state, vouchers=vouchers), (("decided", str(number), str(index)),)


def _rules(state: State, act: SetStage) -> RuleSet:
    if act.rules is not None:
        try:
            return rules_from_table(act.rules)
        except RulesError as bad:
            raise EventRefused(f"these rules cannot be used: {bad}", "event/bad_rules") from None
    if not state.sessions:
        raise EventRefused("there is no session whose rules this stage could take; set one first", "event/no_session")
    return state.sessions[min(state.sessions)].rules


def _champions(state: State) -> Iterator[int]:
    for _, table in sorted(state.tables.items()):
        if table.stage is None and table.result is not None and table.result.champion is not None:
            yield table.seats[table.result.champion]


def _places(state: State, stage: Stage, group: Group) -> tuple[tuple[int, ...], ...]:
    if group.table is None:
        return standing_of(stage, group).places
    result = state.tables[group.table].result
    if result is None or result.champion is None:
        return ()
    return ((state.tables[group.table].seats[result.champion],),)


def _begun(state: State, group: Group) -> bool:
    return group.table is not None and state.tables[group.table].status != "waiting"


def _group_of(stage: Stage, guest: int) -> tuple[int, Group]:
    for index, group in enumerate(stage.groups):
        if guest in group.guests:
            return index, group
    raise EventRefused(f"guest {guest} does not play in this stage", "event/no_finalist")


def _with(state: State, number: int, stage: Stage) -> State:
    return replace(state, stages=put(state.stages, (number, stage)))


def _with_group(stage: Stage, index: int, group: Group) -> Stage:
    return replace(stage, groups=(*stage.groups[:index], group, *stage.groups[index + 1 :]))


def _with_tables(state: State, act: Finalists, stage: Stage) -> State:
    """A table for each group of a whole game."""
    if len(act.tables) != len(stage.groups):
        raise EventRefused(f"give the numbers of {len(stage.groups)} tables for the whole games", "event/no_table")
    before = {number for number, table in state.tables.items() if table.stage == act.stage}
    kept = {number: table for number, table in state.tables.items() if number not in before}
    for number in act.tables:
        if number in kept or act.tables.count(number) > 1:
            raise EventRefused(f"there is a table {number} already; take another number", "event/taken")
    session = min(state.sessions)
    groups = tuple(replace(group, table=number) for group, number in zip(stage.groups, act.tables, strict=True))
    tables = {
        group.table: Table(group.table, session, group.guests, stage=act.stage) for group in groups if group.table
    }
    return replace(_with(state, act.stage, replace(stage, groups=groups)), tables={**kept, **tables})
