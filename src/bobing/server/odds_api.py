"""Chances as they are told: of a named sheet, and of a table in the middle of a game. Pages draw them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bobing.core.catalogue import find_key, find_sheet
from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.core.rules import RuleSet
from bobing.core.settings import ZHUANGYUAN
from bobing.drawn import DICE
from bobing.i18n import LANGUAGES, text
from bobing.naming import combination_name, tier_name
from bobing.odds import exact_length, exact_shares, overtaken, standing, throw
from bobing.odds.exact import THROWS, ThrowOdds
from bobing.odds.kinds import length_doubt
from bobing.odds.lengths import Length, fits
from bobing.server.plan_api import TIERS_MAX, in_turn
from bobing.wire import calls

PLAYERS_MAX = 30
CURVE_POINTS = 120


def sheet_odds(name: str, players: str) -> calls.OddsTold:
    """The odds of a named sheet at a table of so many; raises RulesError or OddsError.

    >>> told = sheet_odds("S12", "10")
    >>> told.sheet, told.combinations[2].key, told.combinations[2].ways, told.length.median
    ('referee-order', 'chajinhua', 15, 213)
    """
    return _sheet_odds(find_key(name), _read_players(players))


def house_odds(rules: RuleSet, players: str, names: Mapping[str, str]) -> calls.OddsTold:
    """The same of house rules that are called so; what has no exact law is left out. Raises OddsError."""
    count = _read_players(players)
    return in_turn(lambda: _odds(rules, count, names))


def _read_players(players: str) -> int:
    if not (players.isascii() and players.isdigit() and len(players) <= 4 and 2 <= int(players) <= PLAYERS_MAX):
        raise OddsError(f"these odds are for 2 to {PLAYERS_MAX} players; give a number among them", "odds/out_of_range")
    return int(players)


@lru_cache(maxsize=128)
def _sheet_odds(key: str, players: int) -> calls.OddsTold:
    rules = find_sheet(key)
    return _odds(rules, players, rules.names)


def _odds(rules: RuleSet, players: int, names: Mapping[str, str]) -> calls.OddsTold:
    odds = throw(rules)
    quick = fits(rules.cakes) and len(rules.tiers) <= TIERS_MAX  # sets of tiers double with each
    doubt = (length_doubt(rules) or "") if quick else "many-tiers" if len(rules.tiers) > TIERS_MAX else "many-cakes"
    shares = exact_shares(rules, players) if quick else None
    doubts = dict(shares.doubts) if shares else {}
    return calls.OddsTold(
        sheet=rules.key,
        names=dict(names),
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
        length=None if doubt else _length(exact_length(rules, players)),
        shares=calls.SharesTold(
            cakes={tier: list(values) for tier, values in shares.cakes.items()},
            champion=list(shares.champion),
            doubts=doubts,
        )
        if shares
        else None,
        doubt=doubt,
        reasons=_reasons(*doubts.values(), doubt),
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
    )


def table_odds(game: Game) -> calls.TableOdds:
    """What each seat of a game may still expect; raises OddsError where there are no exact chances now."""
    found = standing(game)
    return calls.TableOdds(
        cakes={tier: list(values) for tier, values in found.cakes.items() if tier != ZHUANGYUAN},
        champion=list(found.champion),
        overtaken=overtaken(game) if found.champion else None,
        thrown=sum(game.state.turns.values()),
        doubts=dict(found.doubts),
        reasons=_reasons(*found.doubts.values()),
    )


def _reasons(*doubts: str) -> dict[str, Mapping[str, str]]:
    """What codes of doubt mean."""
    return {
        doubt: {lang: text(lang, f"odds.why_{doubt}", n=TIERS_MAX) for lang in LANGUAGES} for doubt in doubts if doubt
    }


def _combination(rules: RuleSet, odds: ThrowOdds, name: str) -> calls.CombinationOdds:
    dice = DICE.get(name) or next((win for tier in rules.tiers if tier.key == name for win in tier.wins), "")
    names = {lang: combination_name(rules, name, lang) for lang in LANGUAGES}
    return calls.CombinationOdds(key=name, names=names, dice=dice, ways=odds.combinations[name])


def _each(rules: RuleSet, tier: str) -> Mapping[str, str]:
    return {lang: tier_name(rules, tier, lang) for lang in LANGUAGES}
