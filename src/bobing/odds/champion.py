"""Who ends up as zhuangyuan: the exact chance of each seat.

A throw at place m makes its seat the champion if nobody has thrown as high before, and nobody throws higher until the
game is over; or if it is the first zhuangyuan after all else is gone. The chance that the game still goes on is a sum
of terms (`bobing.odds.terms`), and for each of them the sum over all m of one seat is a value of its generating
function at the roots of unity, so that no throw has to be followed one by one.
"""

from __future__ import annotations

from cmath import exp, pi
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bobing.core.scorebook import THROWS
from bobing.odds.cut import overthrown, rarer, until
from bobing.odds.kinds import Dice, Kind, length_doubt
from bobing.odds.position import Position
from bobing.odds.sums import summed
from bobing.odds.terms import Going, Term

CUT_MAX = 2_000
"""Games that are cut off later have no exact title by seat here: the sums would lose their digits."""


def champion_doubt(dice: Dice, throws: int | None) -> str | None:
    """Why the champion's chances by seat are not exact here, as a code; None where they are.

    own-last: of a player's throws the last counts. tie: equal throws are thrown off. bonus: a zhuangyuan throw wins a
    cake as well. protected: a chajinhua cannot be beaten, though higher throws exist. grabbed: the title itself may be
    grabbed. last-lap: a last lap is played. time: the game is cut off after more throws than are followed one by one.
    Else as for the length.
    """
    rules = dice.rules
    ending, title = rules.ending, rules.title
    found = {
        "own-last": title.own_later == "last" and title.contest != "first",
        "tie": title.equal == "red-pips",
        "bonus": any(kind.hits and kind.strength is not None for kind in dice.kinds),
        "protected": title.contest == "highest-but-chajinhua" and not _chajinhua_is_top(dice),
        "grabbed": rules.liubohei.effect == "grab" and rules.liubohei.grab_zhuangyuan == "always",
        "last-lap": ending.finish != "at-once",
        "time": throws is not None and throws > CUT_MAX and ending.when != "throws",
    }
    return next((code for code, holds in found.items() if holds), None) or length_doubt(rules)


def _chajinhua_is_top(dice: Dice) -> bool:
    titled = [kind for kind in dice.kinds if kind.strength is not None]
    top = max(titled, key=lambda kind: kind.strength or 0)
    equals = [kind for kind in titled if kind.strength == top.strength]
    return dice.rules.title.equal == "first" and all(kind.combination == "chajinhua" for kind in equals)


class _Level(NamedTuple):
    """What throws mean beside one of a strength.

    own: that strength. before: ways of those that must not come earlier. after: that must not come later. closers: of
    the others, those that may end the game, before and after.
    """

    own: Sequence[Kind]
    before: int
    after: int
    closers_before: Sequence[Kind]
    closers_after: Sequence[Kind]


class _Part(NamedTuple):
    """One level in one term: its sign and sums, own ways, the ways that end the time before and after it.

    fail: the ways after it that take the title away, times its own ways that let the game go on.
    """

    sign: int
    coefs: Sequence[float]
    own: int
    out_before: int
    out_after: int
    fail: float


class _Race:
    """The chances of one position, place by place; place 0 throws next."""

    def __init__(self, dice: Dice, position: Position) -> None:
        self.dice, self.position = dice, position
        title = dice.rules.title
        self.first_keeps = title.contest == "first"
        self.last_leads = title.equal == "last" and not self.first_keeps
        self.titled = [kind for kind in dice.kinds if kind.strength is not None]
        plain = replace(dice, kinds=tuple(kind for kind in dice.kinds if kind.strength is None))
        lower = {tier: position.cakes.get(tier, 0) for tier in dice.cakes}
        self.going = Going(plain, lower, exact=False)
        self.terms = self.going.some_left(title=False)
        self.all_titled = _sum(self.titled)
        self.untitled_end = plain.sum(ends=True)

    def strengths(self) -> Sequence[int]:
        """The strengths that can win the title from here, as they count."""
        found = {self.counted(kind) for kind in self.titled}
        if self.position.holder is None:
            return sorted(found)
        own = self.held
        return sorted(value for value in found if value > own or (self.last_leads and value == own))

    @property
    def held(self) -> int:
        """The strength of the holder's throw, as it counts."""
        return 0 if self.first_keeps else self.position.strength

    def counted(self, kind: Kind) -> int:
        """Where only the first zhuangyuan counts, all are equal."""
        return 0 if self.first_keeps else kind.strength or 0

    def level(self, strength: int) -> _Level:
        """The part of each kind beside a throw of `strength`."""
        higher = [kind for kind in self.titled if self.counted(kind) > strength]
        own = [kind for kind in self.titled if self.counted(kind) == strength]
        lower = [kind for kind in self.titled if self.counted(kind) < strength]
        before, after = (higher, higher + own) if self.last_leads else (higher + own, higher)
        milder, mildest = (lower + own, lower) if self.last_leads else (lower, lower + own)
        return _Level(own, _sum(before), _sum(after), _closers(milder), _closers(mildest))

    def closing(self, kinds: Sequence[Kind], term: Term) -> int:
        """The ways of throws after which the term's needs are met, or the game is over."""
        return sum(kind.ways for kind in kinds if kind.ends or self.fills(kind, term))

    def fills(self, kind: Kind, term: Term) -> bool:
        """Whether a throw empties one of the tiers that a term speaks of."""
        return any(self.going.bits.get(tier, 0) & term.needs for tier in kind.fills)

    def parts(self) -> Sequence[_Part]:
        """Every level in every term."""
        found = list[_Part]()
        for level in map(self.level, self.strengths()):
            own = _sum(level.own)
            for term in self.terms:
                stays = sum(kind.ways for kind in level.own if not kind.ends and not self.fills(kind, term))
                before = term.ways + level.before + self.closing(level.closers_before, term)
                after = term.ways + level.after + self.closing(level.closers_after, term)
                found.append(_Part(term.sign, term.coefs, own, before, after, stays * level.after / THROWS))
        return found

    def won_before(self, throws: int) -> Sequence[float]:
        """By place of all throws to come before the game is cut off, the chance that it wins for good.

        Only of throws while something is left to win beside the title.
        """
        won, levels = [0.0] * throws, [self.level(strength) for strength in self.strengths()]
        for terms in self.alike():
            barred = {id(level): level.before + self.closing(level.closers_before, terms[0]) for level in levels}
            levels.sort(key=lambda level: barred[id(level)], reverse=True)
            most = barred[id(levels[0])] if levels else 0
            chances: Sequence[float] = until(terms, throws, most)
            for level in levels:
                before = barred[id(level)]
                chances, most = rarer(chances, (most - before) / THROWS), before
                after = level.after + self.closing(level.closers_after, terms[0])
                stays = sum(kind.ways for kind in level.own if not kind.ends and not self.fills(kind, terms[0]))
                lost = overthrown(chances, (before - after) / THROWS)
                own, fail = _sum(level.own) / THROWS, stays * level.after / THROWS**2
                won = [w + own * here - fail * later for w, here, later in zip(won, chances, lost, strict=True)]
        return won

    def alike(self) -> Sequence[Sequence[Term]]:
        """The terms in groups: to those of a group the same zhuangyuan throws put an end."""
        found: dict[tuple[bool, ...], list[Term]] = {}
        for term in self.terms:
            found.setdefault(tuple(self.fills(kind, term) for kind in self.titled), []).append(term)
        return list(found.values())

    @staticmethod
    def won_early(parts: Sequence[_Part], omega: complex) -> complex:
        """The sum over d of omega^d times the chance that the throw at place d, of all to come, wins for good.

        Only of throws while something is left to win beside the title.
        """
        total = 0j
        for sign, coefs, own, out_before, out_after, fail in parts:
            first = omega / (1 - (1 - out_before / THROWS) * omega)
            reached = summed(coefs, first)
            total += sign * own * reached / omega
            if fail:
                second = THROWS / out_after
                later = (reached - summed(coefs, second)) / (first - second)
                total -= sign * fail * first / omega * second * later
        return total / THROWS

    def won_late(self, omega: complex) -> complex:
        """The same of the first zhuangyuan, thrown when nothing else is left."""
        keep = 1 - (self.all_titled + self.untitled_end) / THROWS
        return self.all_titled / THROWS * (1 / (1 - keep * omega) - self.untitled(omega))

    def untitled(self, omega: complex) -> complex:
        """The sum over n of omega^n times the chance that after n throws something is left and nobody is zhuangyuan."""
        total = 0j
        for term in self.terms:
            at = omega / (1 - (1 - (term.ways + self.all_titled) / THROWS) * omega)
            total += term.sign * summed(term.coefs, at) / omega
        return total

    def holder_stays(self, throws: int | None = None) -> float:
        """The chance that nobody throws high enough to take the title from its holder, in so many throws."""
        level, lost = self.level(self.held), 0.0
        for term in self.terms if level.after else ():
            more = level.after + self.closing(level.closers_after, term)
            if throws is None:
                turns = summed(term.coefs, THROWS / (term.ways + more))
            else:
                turns = sum(until([term._replace(sign=1)], throws, more))
            lost += term.sign * level.after / THROWS * turns
        return 1 - lost

    def open_still(self, throws: int) -> Sequence[float]:
        """By n up to `throws`, the chance that the game goes on after n throws and nobody has the title."""
        if self.dice.rules.ending.without_champion == "stop":
            return self.untitled_after(throws)
        return [(1 - (self.all_titled + self.untitled_end) / THROWS) ** n for n in range(throws + 1)]

    def untitled_after(self, throws: int) -> Sequence[float]:
        """The same that something is left, too."""
        return until(self.terms, throws + 1, self.all_titled)


def _closers(kinds: Sequence[Kind]) -> Sequence[Kind]:
    return [kind for kind in kinds if kind.ends or kind.fills]


def champion_by_place(dice: Dice, position: Position, throws: int | None) -> tuple[Sequence[float], float]:
    """The chance of each place to end up as champion, place 0 being the next to throw, and that of nobody.

    throws: after so many more all is over, whatever is left; None where there is no such end.
    """
    if throws is not None:
        follow = _by_throws if dice.rules.ending.when == "throws" else _cut_off
        return follow(dice, position, throws)
    race, ending, players = _Race(dice, position), dice.rules.ending, position.players
    parts = race.parts() if ending.when != "champion" else ()

    def transform(omega: complex) -> complex:
        if ending.when == "champion":
            if ending.without_champion == "stop":
                return race.all_titled / THROWS * race.untitled(omega)
            return race.all_titled / THROWS / (1 - (1 - (race.all_titled + race.untitled_end) / THROWS) * omega)
        total = race.won_early(parts, omega)
        if position.holder is None and ending.without_champion == "play-on":
            total += race.won_late(omega)
        return total

    chances = _by_residue(transform, players)
    if position.holder is not None:
        chances[(position.holder - position.next_seat) % players] += race.holder_stays()
    return chances, _clean(1 - sum(chances))


def _by_residue(transform: Callable[[complex], complex], players: int) -> list[float]:
    """The coefficients of a generating function, summed by their place modulo `players`."""
    half = [transform(exp(2j * pi * k / players)) for k in range(players // 2 + 1)]
    values = [half[k] if k <= players // 2 else half[players - k].conjugate() for k in range(players)]
    roots = [exp(-2j * pi * k / players) for k in range(players)]
    return [
        _clean(sum((value * roots[k * d % players] for k, value in enumerate(values)), 0j).real / players)
        for d in range(players)
    ]


def _cut_off(dice: Dice, position: Position, throws: int) -> tuple[Sequence[float], float]:
    """The same where the game is cut off, if it is not over before."""
    race, ending, players = _Race(dice, position), dice.rules.ending, position.players
    titled, untitled = race.all_titled / THROWS, position.holder is None
    open_still = race.open_still(throws)
    if ending.when == "champion":
        won: Sequence[float] = [titled * chance for chance in open_still[:throws]]
    else:
        won = race.won_before(throws)
        if untitled and ending.without_champion == "play-on":
            late = (titled * (a - b) for a, b in zip(open_still, race.untitled_after(throws), strict=True))
            won = [early + more for early, more in zip(won, late, strict=False)]
    chances = [_clean(sum(won[place::players])) for place in range(players)]
    if not untitled:
        chances[((position.holder or 0) - position.next_seat) % players] += race.holder_stays(throws)
    none = _clean(1 - sum(chances))
    if untitled and ending.undecided == "three-dice":
        over = open_still[throws]
        return [chance + over / players for chance in chances], _clean(none - over)
    return chances, none


def _by_throws(dice: Dice, position: Position, throws: int) -> tuple[Sequence[float], float]:
    """The same where the game is over after a number of throws, whatever is left."""
    race, players = _Race(dice, position), position.players
    chances = [0.0] * players
    for strength in race.strengths():
        level = race.level(strength)
        kills = race.untitled_end + sum(kind.ways for kind in level.closers_before if kind.ends)
        keep = 1 - (level.before + kills) / THROWS
        own, ending = _sum(level.own), sum(kind.ways for kind in level.own if kind.ends)
        for n in range(throws):
            stays = _stays(race, level, throws - n - 1)
            chances[n % players] += keep**n * (ending + (own - ending) * stays) / THROWS
    if position.holder is not None:
        level = race.level(race.held)
        chances[(position.holder - position.next_seat) % players] += _stays(race, level, throws)
        return chances, 0.0
    none = _clean(1 - sum(chances))
    if dice.rules.ending.undecided == "three-dice":
        over = (1 - (race.all_titled + race.untitled_end) / THROWS) ** throws
        return [chance + over / players for chance in chances], _clean(none - over)
    return chances, none


def _stays(race: _Race, level: _Level, throws: int) -> float:
    """The chance that nothing higher comes in so many throws, or not before the game is ended."""
    fail = level.after / THROWS
    kill = (race.untitled_end + sum(kind.ways for kind in level.closers_after if kind.ends)) / THROWS
    keep = (1 - fail - kill) ** throws
    return keep + (kill / (fail + kill) * (1 - keep) if kill else 0.0)


def untitled_loss(dice: Dice, position: Position, throws: int | None, effect: str) -> float:
    """The chance of an effect while nobody is zhuangyuan, so that all grab or eat his cake too: `grab` or `pool`."""
    grabs = sum(kind.ways for kind in dice.kinds if effect in kind.effects and kind.strength is None)
    if not grabs or position.holder is not None:
        return 0.0
    race, ending = _Race(dice, position), dice.rules.ending
    out = (race.all_titled + race.untitled_end) / THROWS
    if throws is not None:
        turns = sum(race.open_still(throws)[:throws]) if ending.when != "throws" else (1 - (1 - out) ** throws) / out
    elif ending.without_champion == "stop":
        turns = race.untitled(1).real
    else:
        turns = 1 / out
    return grabs / THROWS * turns


def _sum(kinds: Sequence[Kind]) -> int:
    return sum(kind.ways for kind in kinds)


def _clean(chance: float) -> float:
    """Rounding may leave next to nothing on the wrong side of 0."""
    return 0.0 if abs(chance) < 1e-12 else chance
