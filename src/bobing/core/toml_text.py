"""Reads the TOML that people write, and says where it is wrong and what to write instead."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from bobing.core.errors import RulesError
from bobing.core.reading import Table, shown

TEXT_MAX = 262_144
_DEPTH_MAX = 200
_LONE_DOT = re.compile(r"(?<!\.)\.(?!\.)")
_PLACE = re.compile(r"line (\d+)")


def read_toml(text: str, parse_float: Callable[[str], Any] = float) -> Table:
    r"""The table of a rule file; raises RulesError (`rules/no_toml`, `rules/too_large`). `parse_float`: as in tomllib.

    >>> read_toml("[bonus]\nsijin_yixiu = yes")
    Traceback (most recent call last):
    bobing.core.errors.RulesError: this is no TOML, line 2: 'sijin_yixiu = yes': write true or false
    """
    if len(text) > TEXT_MAX:
        raise RulesError(f"a rule file has at most {TEXT_MAX} signs", "rules/too_large")
    if any(len(_LONE_DOT.findall(line)) > _DEPTH_MAX for line in text.split("\n")):
        raise RulesError(f"a key has at most {_DEPTH_MAX} parts", "rules/no_toml")  # longer ones take tomllib very long
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise RulesError("this is no TOML: it is nested too deeply", "rules/no_toml") from None
    except ValueError as bad:
        raise RulesError(f"this is no TOML{_told(str(bad), text)}", "rules/no_toml") from None


def _told(fault: str, text: str) -> str:
    """The line that is wrong, and what to write there."""
    if "integer string conversion" in fault:
        return ": a number has too many digits"
    place = _PLACE.search(fault)
    if place is None:
        return f": {fault[:1].lower()}{fault[1:]}"
    number = int(place[1])
    line = text.split("\n")[number - 1].strip() if number <= text.count("\n") + 1 else ""
    return f", line {number}: {shown(line)}: {_advice(line) or fault.partition(' (at')[0].lower()}"


def _advice(line: str) -> str:
    key, _, value = line.partition("=")
    if any(sign in line for sign in "“”‘’「」＝"):
        return 'write straight quotes and signs, such as "last"'
    if value.strip().lower() in ("yes", "no", "on", "off", "true", "false"):
        return "write true or false"
    if not key.isascii():
        return "keys are plain letters, such as yixiu"
    if value.strip().replace("-", "").replace("_", "").isalpha():
        return "put the word in quotes"
    return ""
