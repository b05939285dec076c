"""Chances as they are told: of a rule set, and of a table in the middle of a game. Pages draw them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import BoundedSemaphore, Lock
from typing import TypeVar

import msgspec

from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.drawn import DICE
from bobing.i18n import LANGUAGES, text
from bobing.naming import combination_name, tier_name
from bobing.odds.answers import GAMES, known_shares, known_standing, length, overtaken, reaches, shares, standing
from bobing.odds.exact import THROWS, ThrowOdds, throw
from bobing.odds.kinds import length_doubt
from bobing.odds.lengths import CAKES_MAX, Length, exact_length
from bobing.odds.simulate import SimulationError, install_line, need_extra
from bobing.server.aside import Aside
from bobing.server.latest import Latest
from bobing.server.plan_api import TIERS_MAX
from bobing.server.refusal import refused
from bobing.wire import calls

PLAYERS_MAX = 30
CURVE_POINTS = 120
LOWER_MAX = TIERS_MAX - 1
MANY_CAKES_GAMES = 5_000
"""So many games are simulated for rules with more cakes than exact sums reach."""
TABLE_GAMES, TABLE_S = 10_000, 1.0
"""A game is played on so often, which makes standard errors half a percentage point at most, unless it takes longer
than so many seconds."""
KEPT = 256
_ONE_AT_A_TIME = Lock()
"""Sums are worked out beside tables that are being played."""
_ROOM = BoundedSemaphore(6)
"""So many may wait; the threads are for other calls too."""
Told = TypeVar("Told")


class OddsDesk:
    """Tells chances, each once: of the last rule sets that were asked for, and of tables as they stand.

    What is exact is worked out in a thread, what is simulated in a process aside.
    """

    def __init__(self) -> None:
        self.aside = Aside()
        self.close = self.aside.close
        self._sheets, self._tables = Latest[calls.OddsTold](KEPT), Latest[calls.TableOdds](KEPT)

    async def rules(
        self, rules: RuleSet, players: str, names: Mapping[str, str], *, simulated: bool = True
    ) -> calls.OddsTold:
        """The odds of a rule set that is called so at a table of so many; raises OddsError."""
        count = read_players(players)
        about = rules.digest, count
        known = await self._sheets.get(
            about, None, partial(in_thread, partial(in_turn, partial(rules_odds, rules, count)))
        )
        if simulated and (known.doubt or known.shares.doubts):
            if lacking := install():
                known = msgspec.structs.replace(known, install=lacking)
            else:
                work = partial(self.aside.run, partial(rules_odds, simulated=True), rules, count)
                known = await self._sheets.get((*about, "simulated"), None, work)
        return msgspec.structs.replace(known, sheet=rules.key, names=dict(names))

    async def table(self, code: str, game: Game, *, simulated: bool = True) -> calls.TableOdds:
        """What each seat of a table may still expect; raises OddsError."""
        known = await self._tables.get(code, game, partial(in_thread, partial(table_odds, game)))
        if not simulated or not known.doubts:
            return known
        if lacking := install():
            return msgspec.structs.replace(known, install=lacking)
        work = partial(self.aside.run, partial(table_odds, simulated=True), without_past(game))
        return await self._tables.get((code, "simulated"), game, work)


def install() -> str:
    """The command that installs what simulates, where that is missing."""
    try:
        need_extra("sim", "numba")
    except SimulationError:
        return install_line("sim")
    return ""


async def in_thread(work: Callable[[], Told]) -> Told:
    """What takes a moment, while tables play on."""
    return await asyncio.to_thread(work)


def in_turn(work: Callable[[], Told]) -> Told:
    """What takes a moment of a processor, one after the other; refused where many wait already."""
    if not _ROOM.acquire(blocking=False):
        raise refused("slow_down")
    try:
        with _ONE_AT_A_TIME:
            return work()
    finally:
        _ROOM.release()


def without_past(game: Game) -> Game:
    """A game as it stands, to be sent; every act before would be sent along else."""
    return replace(game, line=replace(game.line, before=None), log=())


def read_players(players: str) -> int:
    """A number of players as it was asked for; raises OddsError."""
    if not (players.isascii() and players.isdigit() and len(players) <= 4 and 2 <= int(players) <= PLAYERS_MAX):
        raise OddsError(f"these odds are for 2 to {PLAYERS_MAX} players; give a number among them", "odds/out_of_range")
    return int(players)


def rules_odds(rules: RuleSet, players: int, *, simulated: bool = False) -> calls.OddsTold:
    """The odds of a rule set; what has no exact value is simulated, with one thread, or left out.

    >>> from bobing.core.catalogue import find_sheet
    >>> told = rules_odds(find_sheet("S12"), 10)
    >>> told.sheet, told.combinations[2].key, told.combinations[2].ways, told.length.median
    ('referee-order', 'chajinhua', 15, 213)
    """
    odds = throw(rules)
    near = reaches(rules, LOWER_MAX)
    doubt = (length_doubt(rules) or "") if near else "many-cakes"
    games = GAMES if sum(rules.cakes.values()) <= CAKES_MAX else MANY_CAKES_GAMES
    if simulated:
        law = length(rules, players, games=games, workers=1, tiers=LOWER_MAX)
        found = shares(rules, players, games=games, workers=1, tiers=LOWER_MAX)
    else:
        law = None if doubt else exact_length(rules, players)
        found = known_shares(rules, players, tiers=LOWER_MAX)
    return calls.OddsTold(
        sheet=rules.key,
        names=dict(rules.names),
        players=players,
        throws=THROWS,
        combinations=[_combination(rules, odds, name) for name, ways in odds.combinations.items() if ways],
        tiers=[
            calls.TierOdds(
                key=tier.key,
                names=_each(rules, tier.key),
                cakes=tier.cakes,
                ways=odds.awards[tier.key],
                beside=odds.bonus.get(tier.key, 0),
            )
            for tier in rules.tiers
        ],
        length=law and _length(law),
        shares=calls.SharesTold(
            cakes=_lists(found.cakes),
            champion=list(found.champion),
            doubts=dict(found.doubts),
            games=found.games,
            errors=_lists(found.errors),
        ),
        doubt=doubt,
        reasons=_reasons(*found.doubts.values(), doubt),
    )


def _length(law: Length) -> calls.LengthTold:
    last = law.quantile(0.999)
    step = max(1, last // CURVE_POINTS)
    return calls.LengthTold(
        mean=law.mean,
        sd=law.sd,
        median=law.median,
        p90=law.p90,
        p95=law.p95,
        p99=law.p99,
        no_champion=law.no_champion,
        curve=[(n, 1 - law.beyond[n] if n < len(law.beyond) else 1.0) for n in range(0, last + step, step)],
        games=law.games if "length" in law.doubts else 0,
        error=law.error,
    )


def table_odds(game: Game, *, simulated: bool = False) -> calls.TableOdds:
    """What each seat of a game may still expect; raises OddsError where the game is over."""
    if simulated:
        found = standing(game, games=TABLE_GAMES, limit=TABLE_S, tiers=LOWER_MAX)
    else:
        found = known_standing(game, tiers=LOWER_MAX)
    return calls.TableOdds(
        cakes=_lists({tier: cakes for tier, cakes in found.cakes.items() if tier != ZHUANGYUAN}),
        champion=list(found.champion),
        overtaken=overtaken(game, found),
        thrown=sum(game.state.turns.values()),
        doubts=dict(found.doubts),
        reasons=_reasons(*found.doubts.values()),
        games=found.games,
        errors=_lists(found.errors),
    )


def _lists(figures: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    return {name: list(values) for name, values in figures.items()}


def _reasons(*doubts: str) -> dict[str, Mapping[str, str]]:
    """What codes of doubt mean."""
    return {doubt: {lang: text(lang, f"odds.why_{doubt}") for lang in LANGUAGES} for doubt in doubts if doubt}


def _combination(rules: RuleSet, odds: ThrowOdds, name: str) -> calls.CombinationOdds:
    dice = DICE.get(name) or next((win for tier in rules.tiers if tier.key == name for win in tier.wins), "")
    names = {lang: combination_name(rules, name, lang) for lang in LANGUAGES}
    return calls.CombinationOdds(key=name, names=names, dice=dice, ways=odds.combinations[name])


def _each(rules: RuleSet, tier: str) -> Mapping[str, str]:
    return {lang: tier_name(rules, tier, lang) for lang in LANGUAGES}
