"""The rule set: one frozen value that holds every choice of a rule sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, cast

from bobing.core.errors import RulesError
from bobing.core.reading import (
    Table,
    as_count,
    as_list,
    as_table,
    as_text,
    check_keys,
    hints_of,
    nearest,
    read_section,
    spelt,
)
from bobing.core.settings import (
    FORMS,
    HANDS_BELOW,
    SECTIONS,
    ZHUANGYUAN,
    Biandijin,
    Bonus,
    Chajinhua,
    Chase,
    Customs,
    Ending,
    Exhausted,
    Final,
    HandRules,
    Item,
    Liubohei,
    Liubohong,
    Pingfen,
    Ranks,
    Sanhong,
    Setup,
    Spill,
    Tier,
    Title,
)

TIERS_MAX = 20
RESERVED = (*FORMS, "none", "effect", "table", "pool")
"""Words that acts and consequences use beside tiers, so that no tier may be called so."""
CAKES_MAX = 1_000_000
LANGUAGES = ("zh-Hans", "zh-Hant", "en")
TOP_KEYS = (
    *("key", "aliases", "extends", "names", "source", "origins"),
    *("ranking", "cakes", "wins", "points", "titles", "prizes", "tier_names", "total"),
    *SECTIONS,
)


@dataclass(frozen=True)
class RuleSet:
    """Every choice of one rule sheet. Made by `rules_from_table`; two rule sets with equal `digest` play alike.

    `tiers` run from high to low and begin with zhuangyuan. `origins` says for each point of difference (G1 … U5) where
    its value comes from: `stated 003:192`, `resolved B-2 003(3)`, `decided D-14`, `default`, `house`.
    """

    key: str
    aliases: tuple[str, ...]
    names: Mapping[str, str]
    source: str
    extends: str
    origins: Mapping[str, str]
    tiers: tuple[Tier, ...]
    setup: Setup
    hands: HandRules
    bonus: Bonus
    sanhong: Sanhong
    ranks: Ranks
    title: Title
    chajinhua: Chajinhua
    liubohong: Liubohong
    liubohei: Liubohei
    biandijin: Biandijin
    pingfen: Pingfen
    exhausted: Exhausted
    chase: Chase
    ending: Ending
    spill: Spill
    final: Final
    customs: Customs

    @cached_property
    def cakes(self) -> Mapping[str, int]:
        """Cakes by tier, high to low."""
        return {tier.key: tier.cakes for tier in self.tiers}

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The tiers below zhuangyuan, high to low."""
        return tuple(tier.key for tier in self.tiers if tier.key != ZHUANGYUAN)

    @cached_property
    def ranked_tier(self) -> str | None:
        """The tier that is handed out by sum when the game ends (S15), if any."""
        return "sanhong" if self.sanhong.award == "ranked" else None

    @cached_property
    def recognised(self) -> frozenset[str]:
        """The forms that the sheet knows, whether or not they rank."""
        return frozenset(form for group in self.ranks.order for form in group) | frozenset(self.ranks.unranked)

    @cached_property
    def ranked_forms(self) -> frozenset[str]:
        """The forms that make a zhuangyuan."""
        return frozenset(form for group in self.ranks.order for form in group)

    def tier(self, key: str) -> Tier:
        """The tier of that key; KeyError where the sheet has none."""
        return self._by_key[key]

    def points(self, held: Mapping[str, int]) -> int:
        """Points of so many cakes by tier, where the sheet gives points (K5, D-10)."""
        return sum(self.tier(tier).points * cakes for tier, cakes in held.items())

    @cached_property
    def _by_key(self) -> Mapping[str, Tier]:
        return {tier.key: tier for tier in self.tiers}

    def to_table(self) -> Table:
        """The whole rule set as plain data (no floats) that `rules_from_table` reads back."""
        about = {"key": self.key, "aliases": list(self.aliases), "names": dict(self.names), "source": self.source}
        return {**about, "extends": self.extends, "origins": dict(self.origins), **self.settings()}

    def settings(self) -> Table:
        """What bears on play and prizes, without names, sources and origins."""
        table: Table = {name: _plain(asdict(getattr(self, name))) for name in SECTIONS}
        lower = [tier for tier in self.tiers if tier.key != ZHUANGYUAN]
        table["ranking"] = {"tiers": [tier.key for tier in self.tiers]}
        table["cakes"] = {tier.key: tier.cakes for tier in self.tiers}
        table["wins"] = {tier.key: list(tier.wins) for tier in lower}
        table["points"] = {tier.key: tier.points for tier in self.tiers if tier.points}
        table["titles"] = {tier.key: list(tier.titles) for tier in self.tiers if tier.titles}
        table["prizes"] = {tier.key: [asdict(item) for item in tier.items] for tier in self.tiers if tier.items}
        table["tier_names"] = {tier.key: dict(tier.names) for tier in self.tiers if tier.names}
        return table

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """`settings`, written out once, to read from."""
        return self.settings()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the settings in canonical JSON, hex."""
        from hashlib import sha256

        from bobing.core.canonical import canonical_json

        return sha256(canonical_json(self.settings())).hexdigest()


def rules_from_table(table: Mapping[str, Any]) -> RuleSet:
    """A rule set from a complete table; raises RulesError with the path of the first key that is wrong."""
    from bobing.core.consistency import check_consistency

    check_keys(table, TOP_KEYS, "")
    tiers = _tiers(table)
    tier_keys = [tier.key for tier in tiers if tier.key != ZHUANGYUAN]
    sections = {name: read_section(kind, table.get(name), name, tier_keys) for name, kind in SECTIONS.items()}
    rules = RuleSet(
        key=as_text(table.get("key"), "key", 60, filled=True),
        aliases=tuple(as_text(alias, "aliases", 60) for alias in as_list(table.get("aliases", []), "aliases")),
        names=_texts(table.get("names", {}), "names"),
        source=as_text(table.get("source", "house"), "source"),
        extends=as_text(table.get("extends", ""), "extends"),
        origins=_origins(table.get("origins", {})),
        tiers=tiers,
        **sections,
    )
    check_consistency(rules)
    return rules


def _origins(value: object) -> Mapping[str, str]:
    from bobing.core.dimensions import POINTS

    table = as_table(value, "origins")
    check_keys(table, POINTS, "origins")
    return {point: as_text(text, f"origins.{point}") for point, text in table.items()}


def _tiers(table: Mapping[str, Any]) -> tuple[Tier, ...]:
    counts = as_table(table.get("cakes"), "cakes")
    if len(counts) > TIERS_MAX:
        raise RulesError(f"at most {TIERS_MAX} tiers", "rules/out_of_range", "cakes")
    for key in counts:
        _check_tier_key(key)
    cakes = {key: as_count(count, f"cakes.{key}", 0, CAKES_MAX) for key, count in counts.items()}
    order = _tier_order(table, cakes)
    for section in ("wins", "points", "titles", "prizes", "tier_names"):
        check_keys(as_table(table.get(section, {}), section), list(cakes), section)
    if ZHUANGYUAN in table.get("wins", {}):
        raise RulesError("what makes a zhuangyuan stands in ranks.order", "rules/unknown_key", f"wins.{ZHUANGYUAN}")
    all_tiers = {key: _tier(table, key, count) for key, count in cakes.items()}
    tiers = tuple(all_tiers[key] for key in order if cakes[key])
    _check_total(table, tiers)
    return tiers


def _check_tier_key(key: str) -> None:
    path = f"cakes.{spelt(key)}"
    if not key.isascii() or not key.replace("-", "").replace("_", "").isalnum() or len(key) > 30:
        raise RulesError("a tier key is made of letters, digits and hyphens", "rules/bad_tier_key", path)
    if key in RESERVED:
        raise RulesError("the name stands for something else; call the tier otherwise", "rules/bad_tier_key", path)


def _tier_order(table: Mapping[str, Any], cakes: Mapping[str, int]) -> Sequence[str]:
    ranking = as_table(table.get("ranking"), "ranking")
    check_keys(ranking, ("tiers",), "ranking")
    order = [as_text(key, "ranking.tiers", 30) for key in as_list(ranking.get("tiers"), "ranking.tiers")]
    if len(set(order)) != len(order):
        raise RulesError("a tier stands there twice", "rules/repeated", "ranking.tiers")
    for key in order:
        if key not in cakes:
            raise RulesError(
                f"{key!r} has no number of cakes: add it under [cakes]", "rules/unknown_value", "ranking.tiers"
            )
    for key, count in cakes.items():
        if count and key not in order:
            raise RulesError(
                f"is no tier of ranking.tiers{nearest(key, order)}; a tier of your own is ranked there too",
                "rules/tier_not_ranked",
                f"cakes.{key}",
            )
    present = [key for key in order if cakes[key]]
    if not present or present[0] != ZHUANGYUAN:
        raise RulesError("the first tier is zhuangyuan, with at least one cake", "rules/no_zhuangyuan", "ranking.tiers")
    return order


def _tier(table: Mapping[str, Any], key: str, cakes: int) -> Tier:
    def part(section: str, otherwise: object) -> object:
        return table.get(section, {}).get(key, otherwise)

    wins_path, titles_path = f"wins.{key}", f"titles.{key}"
    return Tier(
        key=key,
        cakes=cakes,
        wins=_wins(part("wins", []), wins_path),
        points=as_count(part("points", 0), f"points.{key}", 0, CAKES_MAX),
        titles=tuple(as_text(title, titles_path, 30) for title in as_list(part("titles", []), titles_path)),
        items=_items(part("prizes", []), cakes, f"prizes.{key}"),
        names=_texts(part("tier_names", {}), f"tier_names.{key}"),
    )


def _wins(value: object, path: str) -> tuple[str, ...]:
    wins = tuple(_win(entry, path) for entry in as_list(value, path))
    if len(set(wins)) != len(wins):
        raise RulesError("an entry stands there twice", "rules/repeated", path)
    return wins


def _win(entry: object, path: str) -> str:
    text = as_text(entry, path, 20)
    if text in HANDS_BELOW or (len(text) == 6 and all(sign in "123456x" for sign in text) and text != "xxxxxx"):
        return text
    known = f"{', '.join(HANDS_BELOW)}, or six dice such as '1122xx'"
    if text in FORMS:
        known += " (the zhuangyuan throws are ranked under ranks.order)"
    raise RulesError(f"found {text!r}, allowed: {known}", "rules/unknown_value", path)


def _items(value: object, cakes: int, path: str) -> tuple[Item, ...]:
    items: list[Item] = []
    for i, entry in enumerate(as_list(value, path)):
        table = as_table(entry, f"{path}[{i}]")
        check_keys(table, ("name", "count", "price"), f"{path}[{i}]")
        name = as_text(table.get("name"), f"{path}[{i}].name", 80, filled=True)
        count = as_count(
            table.get("count", cakes if len(as_list(value, path)) == 1 else None), f"{path}[{i}].count", 1, CAKES_MAX
        )
        items.append(Item(name, count, as_count(table.get("price", 0), f"{path}[{i}].price", 0, 10**12)))
    if items and sum(item.count for item in items) != cakes:
        found = sum(item.count for item in items)
        raise RulesError(f"the items are {found}, but the tier has {cakes} cakes", "rules/items_do_not_add_up", path)
    if len({item.name for item in items}) != len(items):
        raise RulesError("two items have the same name", "rules/repeated", path)
    return tuple(items)


def _check_total(table: Mapping[str, Any], tiers: Sequence[Tier]) -> None:
    if "total" in table:
        stated, found = as_count(table["total"], "total", 1, CAKES_MAX), sum(tier.cakes for tier in tiers)
        if stated != found:
            listed = " + ".join(str(tier.cakes) for tier in tiers)
            raise RulesError(f"the tiers add up to {found} ({listed}), not {stated}", "rules/total_mismatch", "total")


def _texts(value: object, path: str) -> Mapping[str, str]:
    table = as_table(value, path)
    check_keys(table, LANGUAGES, path)
    return {language: as_text(text, f"{path}.{language}") for language, text in table.items()}


def _plain(value: Any) -> Any:
    """Tuples as lists, all the way down: the form that JSON and TOML give back."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in cast("Table", value).items()}
    return [_plain(entry) for entry in cast("tuple[Any, ...]", value)] if isinstance(value, tuple) else value


def setting_paths() -> Sequence[str]:
    """Every dotted key of the fixed sections, such as `liubohong.takes`."""
    return [f"{section}.{key}" for section, kind in SECTIONS.items() for key in hints_of(kind)]
