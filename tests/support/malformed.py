"""Records that nobody writes by mistake: every kind of fault that a file can have, with all its hashes worked out anew.

A kind takes the lines of a sound record as JSON values, and gives the bytes of a file; what of the record it spoils is
chance. `malformed` goes round the kinds, so each has its turn however few are asked for.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from bobing.core.chain import ZERO, link
from support.fair_corrections import corrected_records
from support.fair_games import fair_record, grab_record

GAMES = Path(__file__).parents[2] / "vectors" / "games"
Values = list[dict[str, Any]]
Kind = Callable[[Values, Random], bytes | None]
LABELS = ("key", "aliases", "names", "source", "extends", "origins")

OTHERS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 500, 501, 65_535, 65_536, 2**31, 2**40, 10**12, 10**15, 10**15 + 1, 2**53 - 1,
    2**53, 2**64, 10**18, 10**500, 0.5, 1.0, 1e300, float("nan"), float("inf"), "", "0", "x", "\n", "\ud800",
    "\U00010000", "00" * 16, "00" * 32, "g" * 64, "A" * 64, "0" * 63, "01" + "00" * 40, "020000", "02001e", "111111",
    "11111１", [], [0], [0, 0], [[]], ["x"], [None], {}, {"a": 1}, {"after": 499}, {"constructor": [0]},
    {"__proto__": [0]},
)  # fmt: skip
"""What stands where something else should."""
KEYS = (
    "a", "", "h", "n", "t", "fair", "name", "proof", "seat", "__proto__", "constructor", "toString", "ﬀ", "\U00010000",
    "\ud800",
)  # fmt: skip


def bases() -> list[Values]:
    """Sound records in which everything occurs that can stand in one."""
    fair = [fair_record(seed, 14)[0] for seed in (0, 2, 4, 5, 9, 11, 16, 23)]
    changed = [data for data, _ in corrected_records().values()][:3]
    played = ("minnan-seating", "minnan-undo-correct", "philippines-rolloff")
    typed = [(GAMES / f"{name}.jsonl").read_bytes() for name in played]
    return [[json.loads(line) for line in data.splitlines()] for data in (*fair, *changed, grab_record(), *typed)]


def malformed(number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """So many files, each with the kind of its fault."""
    random, sound, i = Random(seed), bases(), 0
    while number:
        name, kind = KINDS[i % len(KINDS)]
        i += 1
        data = kind(copy.deepcopy(random.choice(sound)), random)
        if data is not None:
            number -= 1
            yield name, data


# ---- writing ---------------------------------------------------------------------------------------------------------


def written(value: object) -> bytes:
    """A value as a line has it, whatever it holds."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "".join(f"\\u{ord(sign):04x}" if "\ud800" <= sign <= "\udfff" else sign for sign in text).encode()


def chained(values: Iterable[dict[str, Any]]) -> bytes:
    """The file, with all hashes as they have to be then."""
    last, lines = ZERO, list[bytes]()
    for value in values:
        told = value
        if "name" not in told:
            told = {key: entry for key, entry in told.items() if key != "h"}
            last = link(last, written(told))
            told["h"] = last.hex()
        lines.append(written(told) + b"\n")
    return b"".join(lines)


def with_rules(values: Values) -> Values:
    """The record with the hash that its rules have now."""
    rules = values[0].get("rules")
    settings = {key: entry for key, entry in rules.items() if key not in LABELS} if isinstance(rules, dict) else rules
    return [{**values[0], "rules_hash": sha256(written(settings)).hexdigest()}, *values[1:]]


# ---- places ----------------------------------------------------------------------------------------------------------


def inside(value: Any) -> Iterator[tuple[Any, Any]]:
    """All places in a value: what holds them, and the key or number."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from inside(value[key])


def part(values: Values, random: Random) -> dict[str, Any]:
    """A line, or what of it is looked at: each kind is as likely as any other."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for value in values[1:]:
        told = value.get("fair")
        kinds.setdefault(told["t"] if told else "name" if "name" in value else "line", []).append(told or value)
        if "act" in value:
            kinds.setdefault(" ".join(sorted(value["act"])), []).append(value["act"])
        if value.get("proof"):
            kinds.setdefault("proof", []).append(value["proof"])
    return random.choice(random.choice(list(kinds.values())))


def place(values: Values, random: Random) -> tuple[Any, Any]:
    return random.choice(list(inside(part(values, random))))


# ---- kinds -----------------------------------------------------------------------------------------------------------


def other_value(values: Values, random: Random) -> bytes:
    holder, key = place(values, random)
    holder[key] = random.choice(OTHERS)
    return chained(values)


def near_value(values: Values, random: Random) -> bytes | None:
    """A number that is a little more or less, a text with a sign more, less, or another."""
    holder, key = place(values, random)
    old = holder[key]
    if isinstance(old, bool) or not isinstance(old, int | str) or old == "":
        return None
    if isinstance(old, int):
        holder[key] = random.choice((old + 1, old - 1, -old, old + 500, old * 2**32, old + 0.5))
    else:
        more = (old + old[-1], old + "\n", " " + old)
        holder[key] = random.choice((*more, old[:-1], old.upper(), old[::-1], old[1:] + "0"))
    return chained(values)


def missing_key(values: Values, random: Random) -> bytes | None:
    holder, key = place(values, random)
    del holder[key]
    return chained(values)


def extra_key(values: Values, random: Random) -> bytes:
    holder = random.choice([part(values, random), random.choice(values[1:])])
    holder[random.choice(KEYS)] = random.choice(OTHERS)
    return chained(values)


def renamed_key(values: Values, random: Random) -> bytes:
    holder = part(values, random)
    key = random.choice(list(holder))
    holder[random.choice((*KEYS, key.upper(), key + "s"))] = holder.pop(key)
    return chained(values)


def other_list(values: Values, random: Random) -> bytes | None:
    """Entries doubled, missing, in another order, or none."""
    places = [holder[key] for holder, key in inside(part(values, random))]
    lists = [found for found in places if isinstance(found, list) and found]
    if not lists:
        return None
    found = random.choice(lists)
    i = random.randrange(len(found))
    less = found[:i] + found[i + 1 :]
    found[:] = random.choice((found[::-1], [*found, found[i]], less, [], found * 2, [*found, None]))
    return chained(values)


def other_object(values: Values, random: Random) -> bytes:
    """A whole act, event, proof or name in the place of another, or something else there."""
    value = random.choice(values[1:])
    key = random.choice([key for key in ("fair", "act", "proof", "name", "struck") if key in value])
    value[key] = random.choice((*OTHERS, copy.deepcopy(part(values, random))))
    return chained(values)


def header(values: Values, random: Random) -> bytes | None:
    key = random.choice((*values[0], random.choice(KEYS)))
    if random.random() < 0.2 and key in values[0]:
        del values[0][key]
    else:
        values[0][key] = random.choice((*OTHERS, "record/1", "record/2", "record/3"))
    return chained(values)


def rules(values: Values, random: Random) -> bytes:
    """Other rules, and their own hash."""
    found = values[0]["rules"]
    holder, key = random.choice([(found, key) for key in found] + [(found["ranking"], key) for key in found["ranking"]])
    holder[key] = random.choice(OTHERS)
    return chained(with_rules(values))


def names(values: Values, random: Random) -> bytes:
    texts = (
        "\ufeff", "\u00a0\u3000", "\u200b", "a\u202eb", "a\u0085b", "a\u2028b", "饼" * 32, "饼" * 33, "a" * 96,
        "a" * 97, "\x7f", "\U0001f600", "阿明",
    )  # fmt: skip
    told: dict[str, Any] = {"seat": random.choice((0, 1, 5, 499, 500)), "text": random.choice(texts)}
    line = {"name": told} if random.random() < 0.9 else {"name": told, "h": "00" * 32}
    at = random.randrange(len(values) + 1)
    return chained([*values[:at], line, *values[at:]])


def lines(values: Values, random: Random) -> bytes:
    """A line missing, doubled, elsewhere, or of another record."""
    i, j = random.randrange(len(values)), random.randrange(len(values))
    one, rest = values[i], values[:i] + values[i + 1 :]
    others = random.choice((values, rest))
    return chained(random.choice((rest, [*others[:j], one, *others[j:]])))


def another_event(values: Values, random: Random) -> bytes:
    """An event that could be there, at some place, most often where it does not belong."""
    seat = random.choice((0, 1, 2, 3, 499))
    event = random.choice((
        {"t": "real"},
        {"t": "void", "missing": random.choice(([], [0], [0, 0], [1, 0], [seat]))},
        {"t": "lost", "seat": seat, "why": "absent"},
        {"t": "seat_void", "seat": seat},
        {"t": "reveals", "links": [], "at": 10**15},
        {"t": "toString"},
    ))  # fmt: skip
    at = random.choice((len(values), random.randrange(1, len(values) + 1)))
    return chained([*values[:at], {"fair": event}, *values[at:]])


def other_version(values: Values, _random: Random) -> bytes:
    """What is in one form said to be in the other."""
    values[0]["bobing"] = {"record/1": "record/2", "record/2": "record/1"}[values[0]["bobing"]]
    return chained(values)


def deep(values: Values, random: Random) -> bytes:
    """Lists in lists: about as many as may be, and far more."""
    holder, key = random.choice([(values[-1], "h"), place(values, random)])
    depth = random.choice((30, 36, 37, 38, 39, 40, 41, 42, 60))
    nested: Any = random.choice((0, [], {}))
    for _ in range(depth):
        nested = random.choice(([nested], {"a": nested}))
    holder[key if key != "h" else "a"] = nested
    return chained(values)


def spelled(values: Values, random: Random) -> bytes | None:
    """The same values written in another way, with the hash that they have; or what is nearly JSON."""
    i = random.randrange(len(values))
    lines = lines_of(values)
    line = lines[i].decode()
    old, new = random.choice((
        (":0", ":-0"), (":1", ":1.0"), (":1", ":1e0"), (":1", ":01"), ('":', '": '), (",", ", "), ('"}', '"} '),
        ('{"', '{ "'), ("a", "\\u0061"), ('"', '\\"'), ("{", '{"a":1,"a":1,'), ("{", '{"zz":1,'), ("null", "NaN"),
        ("true", "True"), ("[]", "[,]"), ("0", "0" * 5000), ("[", "[" * 100_000), ("}", "}}"), ("}", ""), ('"n"', "n"),
        ("阿", "\\u963f"), ("明", "\\ud83d"),
    ))  # fmt: skip
    lines[i] = line.replace(old, new, 1).encode()
    return b"".join(lines) if old in line else None


def raw(values: Values, random: Random) -> bytes:
    """Bytes that are no text, or no lines."""
    data = chained(values)
    i = random.randrange(len(data))
    before, behind = data[:i], data[i + 1 :]
    return random.choice((
        before, data[:-1], b"", b"\n", data + b"\n", data + b"x", data + b"\0\n", b"\xef\xbb\xbf" + data,
        before + b"\xff" + behind, before + b"\xed\xa0\x80" + behind, before + b"\0" + behind,
        before + bytes([data[i] ^ 1]) + behind, data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"),
        data.replace(b"\n", b"\n\n"), data.decode().encode("utf-16"), random.randbytes(200), b"[]\n", b"null\n",
        b"{}\n", b'""\n', b"[" * 200_000 + b"\n", b'{"a":' * 50_000 + b"\n", b"9" * 20_000 + b"\n",
    ))  # fmt: skip


def lines_of(values: Values) -> list[bytes]:
    return chained(values).splitlines(keepends=True)


KINDS: tuple[tuple[str, Kind], ...] = tuple(
    (kind.__name__, kind)
    for kind in (
        other_value, near_value, missing_key, extra_key, renamed_key, other_list, other_object, header, rules, names,
        lines, another_event, other_version, deep, spelled, raw,
    )
)  # fmt: skip
