"""Finals: who throws next, and who wins, as plain generators.

A format yields whose throw is due and is sent the faces, or None where that guest has left. It returns the guests from
the first place to the last. Ties that bear on a place are thrown again among the tied (decisions 61 and E-20).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from math import comb

from bobing.core.combinations import Row
from bobing.core.dice import Roll
from bobing.core.rules import RuleSet
from bobing.core.scorebook import THROWS, scorebook, ways
from bobing.tournament.acts import SetStage
from bobing.tournament.errors import EventRefused

Faces = tuple[int, ...]
Score = Callable[[Faces], int]
NOTHING = 0
LEAST = (1,)
"""The face of a throw that anything equals or beats."""
LAPS_MAX = 1_000
_THREE, _A_ROLL = 3, 6


@dataclass(frozen=True, slots=True)
class Due:
    """A guest has to throw so many dice; and how it stands then.

    again: because of a tie, for the first, second, … time; 0: it is no tie. among: all who throw in this bout.
    ahead: who leads in it, several where they are equal. coming: who throws after this one, unless it is decided
    before. placed: who has a place already, from the first on.
    """

    guest: int
    dice: int
    again: int = 0
    among: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    coming: tuple[int, ...] = ()
    placed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bout:
    """All throw so many dice so many times; the best score counts. again: for so many ties; placed: who is before.

    old: who has left may be the first of equals.
    """

    dice: int
    throws: int
    score: Score
    again: int = 0
    placed: tuple[int, ...] = ()
    old: bool = False


Run = Generator[Due, Faces | None, list[int]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a group stands: whose throw is due, or the places, each with its guests.

    again: of each throw so far, for which tie it was; 0: for none. alone: who won a tie without a throw.
    """

    due: Due | None
    places: tuple[tuple[int, ...], ...]
    again: tuple[int, ...] = ()
    alone: tuple[int, ...] = ()


def standing(
    stage: SetStage,
    rules: RuleSet,
    guests: Sequence[int],
    throws: Iterable[tuple[int, str | None]],
    gone: AbstractSet[int] = frozenset(),
    *,
    old: bool = False,
) -> Standing:
    """Replay the throws of one group; raises EventRefused (`event/not_your_turn`, `event/wrong_dice`).

    gone: who has left. Whoever is left alone in a tie before the others threw in it has won it without a throw. old: as
    logs of before have it, the last who are left fill all places, and of equals who has left may be the first.
    """
    run, again, passed, alone = _run(stage, rules, guests, old=old), list[int](), set[int](), list[int]()
    try:
        due = next(run)
        for guest, faces in throws:
            if guest != due.guest and _alone(due, passed, gone):
                alone.append(due.guest)
                due = run.send(LEAST * due.dice)
            again.append(due.again)
            passed |= set() if faces else {guest}
            due = run.send(_taken(due, guest, faces, held=stage.held and not due.again))
        while _alone(due, passed, gone):
            alone.append(due.guest)
            due = run.send(LEAST * due.dice)
    except StopIteration as stop:
        return Standing(None, in_places(stage, stop.value), tuple(again), tuple(alone))
    return Standing(due, (), tuple(again), tuple(alone))


def in_places(stage: SetStage, ranking: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Guests from the first on, by the places of a stage; those that none has come to yet are empty."""
    ends = _cuts(stage)
    return tuple(tuple(ranking[start:end]) for start, end in zip([0, *ends], ends, strict=False))


def score_of(stage: SetStage, rules: RuleSet) -> Score:
    """What a throw of a stage is worth: more is better, and 0 counts nothing."""
    return sum if stage.format == "sum" else target_score(rules, stage.target)


def median_laps(stage: SetStage, rules: RuleSet, guests: int) -> int:
    """How often each throws, in half of all cases at most, until a group of so many guests is decided.

    Where nobody throws what counts all are tied, and throw again; ties of sums are left out. A whole game is 0: the
    planner knows that one. LAPS_MAX: it takes longer than anybody waits.
    """
    if stage.format == "game":
        return 0
    if stage.format == "sum":
        return stage.throws
    score = target_score(rules, stage.target)
    chance = sum(ways(hand) for hand in scorebook(rules).rows if score(hand)) / THROWS
    first = stage.throws if stage.format == "highest" else 1
    places = max((cut for cut in _cuts(stage) if cut < guests), default=0)
    if places == 0:
        return 1
    return _laps(chance, guests, places, first) + (stage.format == "first-lap")


def _laps(chance: float, guests: int, places: int, first: int) -> int:
    """Laps until so many have thrown it, in half of all cases; each throws `first` times in the first lap.

    `there[n]` is the chance that n guests are still without; it is over when as few are left as places are lost.
    """
    there = {guests: 1.0}
    for lap in range(LAPS_MAX):
        now, hit = defaultdict[int, float](float), 1 - (1 - chance) ** (first if lap == 0 else 1)
        for count, weight in there.items():
            for hits in range(count + 1):
                now[count - hits] += weight * comb(count, hits) * hit**hits * (1 - hit) ** (count - hits)
        there = {count: weight for count, weight in now.items() if count > guests - places and weight > 1e-12}
        if sum(there.values()) <= 0.5:
            return lap + first
    return LAPS_MAX


def target_score(rules: RuleSet, target: str) -> Score:
    """What a throw is worth where the target counts, or better; 0 where it is less."""
    wanted = [tier.key for tier in rules.tiers[: [tier.key for tier in rules.tiers].index(target) + 1]]
    book = scorebook(rules)
    step = 1 + max(row.strength or 0 for row in book.rows.values())

    def worth(row: Row) -> int:
        if row.tier not in wanted:
            return NOTHING
        return (len(wanted) - wanted.index(row.tier)) * step + (row.strength or 0)

    return lambda faces: worth(book.row(Roll(faces))) if len(faces) == _A_ROLL else NOTHING


def _run(stage: SetStage, rules: RuleSet, guests: Sequence[int], *, old: bool) -> Run:
    cuts = _cuts(stage)
    if stage.format == "game":
        raise EventRefused("a whole game is played and left at its table", "event/at_table")
    score = score_of(stage, rules)
    match stage.format:
        case "sum":
            return _highest(guests, cuts, Bout(stage.dice, stage.throws, score, old=old))
        case "highest":
            return _highest(guests, cuts, Bout(6, stage.throws, score, old=old))
        case "first":
            return _first(guests, cuts[-1:] if old else cuts, score)
        case "first-lap":
            return _first_lap(guests, score)


def _highest(guests: Sequence[int], cuts: Sequence[int], bout: Bout) -> Run:
    """All throw in turn; the best throw counts."""
    best, gone, ahead = dict.fromkeys(guests, -1), set[int](), tuple[int, ...]()
    turns = tuple(guests) * bout.throws
    for n, guest in enumerate(turns, 1):
        faces = yield Due(guest, bout.dice, bout.again, turns[: len(best)], ahead, turns[n:], bout.placed)
        if faces is None:
            gone.add(guest)
        elif (score := bout.score(faces)) > best[guest]:
            best[guest] = score
            ahead = _ahead(best)
    ranking: list[int] = []
    for _, tied in groupby(sorted(guests, key=lambda guest: -best[guest]), key=best.__getitem__):
        group = list(tied)
        inside = [cut - len(ranking) for cut in cuts if 0 < cut - len(ranking) < len(group)]
        there = [guest for guest in group if guest not in gone]
        if inside and len(there) > 1:
            tie = replace(bout, throws=1, again=bout.again + 1, placed=(*bout.placed, *ranking))
            group = yield from _highest(there, inside, tie)
            group += [guest for guest in guests if guest in gone and best[guest] == best[there[0]]]
        elif not bout.old:
            group = there + [guest for guest in group if guest in gone]
        ranking += group
    return ranking


def _first(guests: Sequence[int], cuts: Sequence[int], score: Score) -> Run:
    """Lap after lap; whoever throws the target gets the next place and throws no more."""
    ranking, there, gone = list[int](), list(guests), list[int]()

    def is_open() -> bool:
        return any(0 < cut - len(ranking) < len(there) for cut in cuts)

    while is_open():
        for guest in tuple(there):
            at = there.index(guest)
            coming = (*there[at + 1 :], *there[:at])
            faces = yield Due(guest, 6, among=tuple(there), coming=coming, placed=tuple(ranking))
            if faces is None:
                there.remove(guest)
                gone.insert(0, guest)
            elif score(faces):
                there.remove(guest)
                ranking.append(guest)
            if not is_open():
                break
    return ranking + there + gone


def _first_lap(guests: Sequence[int], score: Score) -> Run:
    """Until somebody throws the target; then each throws once more. The highest wins, of equals the first."""
    turns, best, gone = deque(guests), dict[int, int](), list[int]()
    left: int | None = None
    while left != 0 and len(turns) > (0 if best else 1):
        guest = turns[0]
        coming = tuple(turns)[1:] if left is None else tuple(turns)[1:left]
        faces = yield Due(guest, 6, among=tuple(turns), ahead=_ahead(best)[:1], coming=coming)
        left = None if left is None else left - 1
        if faces is None:
            gone.insert(0, turns.popleft())
            continue
        turns.rotate(-1)
        if score(faces) > best.get(guest, NOTHING):
            left = len(turns) if left is None else left
            best.pop(guest, None)
            best[guest] = score(faces)
    hit = sorted(best, key=best.__getitem__, reverse=True)
    return hit + [guest for guest in (*turns, *gone) if guest not in hit]


def _ahead(best: Mapping[int, int]) -> tuple[int, ...]:
    """Who have the best score, in the order of the scores; nobody where none counts yet."""
    highest = max(best.values(), default=NOTHING)
    return tuple(guest for guest, score in best.items() if score == highest > NOTHING)


def _cuts(stage: SetStage) -> list[int]:
    """After how many guests each place ends."""
    return list(accumulate(place.count for place in stage.places))


def _alone(due: Due, passed: AbstractSet[int], gone: AbstractSet[int]) -> bool:
    """Whether all others of a tie have left before they threw in it: were passed over, or will be."""
    left = passed | (gone & set(due.coming))
    return due.again > 0 and set(due.among) - left == {due.guest}


def _taken(due: Due, guest: int, faces: str | None, *, held: bool) -> Faces | None:
    if guest != due.guest:
        raise EventRefused(f"guest {due.guest} has to throw now, not guest {guest}", "event/not_your_turn")
    if faces is None:
        return None
    if len(faces) != due.dice and not (held and len(faces) == _THREE):
        raise EventRefused(f"this stage is thrown with {due.dice} dice", "event/wrong_dice")
    return tuple(map(int, faces))
