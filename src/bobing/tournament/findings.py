"""What an organiser should know before an event starts: what does not fit together, as codes with their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from bobing.core.rules import RuleSet
from bobing.tournament.acts import FinalPlace, SetStage
from bobing.tournament.finals import median_laps
from bobing.tournament.lots import even_sizes
from bobing.tournament.stages import candidates, entitled, finalists_needed
from bobing.tournament.state import Stage, State
from bobing.tournament.totals import by_item

DRAGS_MINUTES = 10
"""A stage of a final that takes longer in half of all cases drags: a whole hall looks on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not fit. serious: it cannot go as it is set."""

    code: str
    values: Mapping[str, Any]
    serious: bool = False


def findings(state: State) -> list[Finding]:
    """All that there is to say, the serious first."""
    found = [*_sessions(state), *_stock(state), *_stages(state)]
    return sorted(found, key=lambda finding: not finding.serious)


def finalists_expected(state: State, number: int) -> int | None:
    """How many guests a stage will have: one of each table, or the winners of the stage before, without those who have
    withdrawn; None: not known yet.
    """
    stage = state.stages[number].set
    if state.stages[number].groups:
        return sum(len(group.guests) for group in state.stages[number].groups)
    left = len(entitled(state, number)) - len(candidates(state, number))
    if stage.source == "stage" and number - 1 in state.stages:
        before = state.stages[number - 1].set
        return before.groups * sum(place.count for place in before.places) - left
    if stage.source != "champions":
        return None
    tables = 0
    for session in state.sessions.values():
        there = [table for table in state.tables_of(session.set.session) if table.merged is None or table.result]
        undecided = sum(table.result is not None and table.result.champion is None for table in there)
        tables += len(there) - undecided if there else session.set.tables
    return tables - left


def faster(stage: SetStage) -> SetStage:
    """The same places by a format that is over sooner: each throws three dice, the highest sum wins."""
    return replace(stage, format="sum", dice=3, throws=1, target="zhuangyuan", held=False)


def _sessions(state: State) -> Iterator[Finding]:
    for number, session in state.sessions.items():
        guests = sum(1 for _ in state.listed(number))
        seats, least = session.set.tables * session.set.seats, session.rules.setup.seats_min
        if session.limit is not None and session.limit > seats:
            yield Finding("limit-over-seats", {"session": number, "limit": session.limit, "seats": seats})
        if session.drawn or not guests:
            continue
        if guests > seats:
            yield Finding("guests-over-seats", {"session": number, "guests": guests, "seats": seats}, serious=True)
        elif guests < session.set.tables * least:
            values = {"session": number, "guests": guests, "tables": session.set.tables, "least": least}
            yield Finding("few-guests", values, serious=True)


def _stock(state: State) -> Iterator[Finding]:
    for total in by_item(state).values():
        if total.short:
            values = {"item": total.item, "bought": total.bought, "planned": total.planned}
            yield Finding("item-short", values, serious=True)


def _stages(state: State) -> Iterator[Finding]:
    for number, stage in state.stages.items():
        guests = finalists_expected(state, number)
        if guests is None:
            continue
        needed = finalists_needed(stage.set)
        if guests < needed:
            places = sum(place.count for place in stage.set.places)
            values = {"stage": number, "finalists": guests, "groups": stage.set.groups, "places": places}
            values |= {"needed": needed, "missing": needed - guests}
            yield Finding("places-over-finalists", values, serious=True)
        elif not stage.groups:
            yield from _dragging(stage, number, even_sizes(guests, stage.set.groups)[0])
    yield from _finalists_changed(state)
    yield from _nothing_won(state)


def _finalists_changed(state: State) -> Iterator[Finding]:
    """Results that were put right after a stage was drawn: others would play it now."""
    for number, stage in state.stages.items():
        playing = {guest for group in stage.groups for guest in group.guests}
        if not playing or stage.old or stage.set.source == "named":
            continue
        now, known = set(entitled(state, number)), set(stage.entitled)
        gone, come = (playing & known) - now, now - playing - known
        if gone or come:
            values = {"stage": number, "gone": sorted(gone), "come": sorted(come)}
            yield Finding("finalists-changed", values, serious=True)


def _dragging(stage: Stage, number: int, guests: int) -> Iterator[Finding]:
    minutes = _minutes(stage.set, stage.rules, guests)
    if minutes > DRAGS_MINUTES:
        other = faster(stage.set)
        laps = median_laps(stage.set, stage.rules, guests)
        values = {"stage": number, "laps": laps, "minutes": minutes, "format": other.format}
        yield Finding("stage-drags", {**values, "faster": _minutes(other, stage.rules, guests)})


def _nothing_won(state: State) -> Iterator[Finding]:
    """The first of the last stage win nothing: its prize is missing, or where they are several one more stage."""
    if not state.stages:
        return
    number = max(state.stages)
    last = state.stages[number].set
    first: FinalPlace = last.places[0]
    if first.item:
        return
    if last.groups * first.count > 1:
        yield Finding("no-last-stage", {"stage": number, "winners": last.groups * first.count})
    else:
        yield Finding("no-final-prize", {"stage": number})


def _minutes(stage: SetStage, rules: RuleSet, guests: int) -> int:
    """The median time of a group, at fifteen seconds for a throw before a hall."""
    return round(median_laps(stage, rules, guests) * guests * 15 / 60)
