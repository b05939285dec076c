"""A stage of the final as all see it: each throw with what it is worth, who leads, who throws again, who is next."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bobing.core.combinations import Row
from bobing.core.dice import Roll
from bobing.core.scorebook import scorebook
from bobing.i18n import LANGUAGES, text
from bobing.naming import hand_name
from bobing.server import views
from bobing.tournament.finals import in_places, median_laps, score_of
from bobing.tournament.findings import finalists_expected
from bobing.tournament.stages import candidates, results, standing_of
from bobing.tournament.state import Group, Stage, State
from bobing.wire import event_messages as wire

_THREE = 3


def stage_name(state: State, number: int, lang: str) -> str:
    """What a stage is called: as the organiser typed it, else by what it is; the last one is the final."""
    if state.stages[number].set.name:
        return state.stages[number].set.name
    return text(lang, "event.the_final") if number == max(state.stages) else text(lang, "event.round_n", n=number)


def stage_view(state: State, number: int) -> wire.StageView:
    """One stage."""
    stage = state.stages[number]
    waiting, expected = list(candidates(state, number)), finalists_expected(state, number)
    most = max((len(group.guests) for group in stage.groups), default=(expected or 0) // stage.set.groups)
    groups = [_group(state, number, at) for at in range(len(stage.groups))]
    thrown = {one.hand: Roll.parse(one.faces or "") for group in groups for one in group.throws if one.hand}
    return wire.StageView(
        name=stage.set.name,
        called={lang: stage_name(state, number, lang) for lang in LANGUAGES},
        format=stage.set.format,
        source=stage.set.source,
        places=[msgspec.to_builtins(place) for place in stage.set.places],
        groups=groups,
        laps=median_laps(stage.set, stage.rules, max(most, 2)),
        next=waiting,
        target=stage.set.target,
        throws=stage.set.throws,
        dice=stage.set.dice,
        of_groups=stage.set.groups,
        held=stage.set.held,
        digital=stage.set.digital,
        expected=expected,
        rules=None if stage.set.rules is None else views.rules_names(stage.rules),
        hands={key: {lang: hand_name(stage.rules, roll, lang) for lang in LANGUAGES} for key, roll in thrown.items()},
    )


def _group(state: State, number: int, at: int) -> wire.GroupView:
    stage = state.stages[number]
    group = stage.groups[at]
    if group.table is not None:
        places = [list(place) for place in results(state, number)[at]]
        return wire.GroupView(list(group.guests), [], places=places, table=group.table)
    now = standing_of(stage, group)
    due, throws = now.due, _throws(stage, group, now.again)
    if due is None:
        return wire.GroupView(list(group.guests), throws, places=[list(place) for place in now.places])
    return wire.GroupView(
        guests=list(group.guests),
        throws=throws,
        due=due.guest,
        dice=due.dice,
        again=due.again,
        tied=list(due.among) if due.again else [],
        next=next((guest for guest in due.coming if guest not in stage.scratched), None),
        ahead=list(due.ahead),
        places=[list(place) for place in in_places(stage.set, due.placed) if place],
    )


def _throws(stage: Stage, group: Group, again: Sequence[int]) -> list[wire.StageThrow]:
    score, book = score_of(stage.set, stage.rules), scorebook(stage.rules)
    best: dict[tuple[int, int], tuple[int, int]] = {}
    throws: list[wire.StageThrow] = []
    for n, ((guest, faces), tie) in enumerate(zip(group.throws, again, strict=True)):
        dice = tuple(map(int, faces or ""))
        worth = score(dice) if dice else 0
        if worth > best.get((guest, tie), (0, 0))[0]:
            best[guest, tie] = worth, n
        if stage.set.format == "sum" or len(dice) == _THREE:  # three dice that settled a title
            throws.append(wire.StageThrow(guest, faces, tie, sum=sum(dice) if dice else None))
        else:
            throws.append(wire.StageThrow(guest, faces, tie, hand=_key(book.row(Roll(dice))) if dice else ""))
    counting = {n for _, n in best.values()}
    return [msgspec.structs.replace(throw, counts=n in counting) for n, throw in enumerate(throws)]


def _key(row: Row) -> str:
    """What is called alike has the same key."""
    return f"{row.combination} {row.kicker}" if row.kicker else row.combination
