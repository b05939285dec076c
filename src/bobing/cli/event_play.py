"""`bobing event` while tables play: opening, closing, results from paper, prizes, and any other act."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from bobing.cli.common import CallError, Command, emit, lang_of, option, say
from bobing.cli.digits import Whole
from bobing.cli.event_line import Live, Server, at_server, called, numbers_in
from bobing.cli.inputs import open_file
from bobing.i18n import text

SEAT = ("seat", "座", "座号", "座號")
TITLE = "zhuangyuan"
_FILE_MAX = 2**20


@click.command("open", cls=Command, help="event_open")
@at_server()
@option("--tables", metavar="NUMBERS", default="", help="event_which_tables")
def open_tables(ctx: click.Context, server: Server, code: str, tables: str, as_json: bool) -> None:
    """Tables begin: all that wait, or those named."""
    with server.live(code) as live:
        wanted = numbers_in(tables) or [
            n for n, table in _tables(live) if table["status"] == "waiting" and table["seats"]
        ]
        if wanted:
            live.do("open_tables", tables=wanted)
    _tell_tables(ctx, "opened", wanted, as_json=as_json)


@click.command("close", cls=Command, help="event_close")
@at_server()
@option("--tables", metavar="NUMBERS", default="", help="event_close_tables")
@option("--paper", is_flag=True, help="event_paper")
@option("--sure", is_flag=True, help="event_close_sure")
def close_tables(
    ctx: click.Context, server: Server, code: str, tables: str, paper: bool, sure: bool, as_json: bool
) -> None:
    """Tables close: all that have finished, or those named."""
    with server.live(code) as live:
        wanted = numbers_in(tables) or list(_finished(live))
        if wanted:
            live.do("close_tables", tables=wanted, paper=paper, sure=sure)
    _tell_tables(ctx, "closed_now", wanted, as_json=as_json)


@click.command("results", cls=Command, help="event_results")
@at_server()
@click.argument("table", type=Whole(1, 1000))
@click.argument("list_file", metavar="LIST")
@option("--title", metavar="DICE", default="", help="event_title")
@option("--sure", is_flag=True, help="event_close_sure")
def results(
    ctx: click.Context, server: Server, code: str, table: int, list_file: str, title: str, sure: bool, as_json: bool
) -> None:
    """A table that was on paper closes with who won what."""
    from bobing.spreadsheet.reading import read_rows

    with open_file(list_file) as file:
        rows = read_rows(file.read(_FILE_MAX))
    with server.live(code) as live:
        won = list(won_of(rows, live, table_of(live, table)))
        champion = next((one["seat"] for one in won if one["tier"] == TITLE), None)
        first = live.welcome["view"]["next_voucher"]
        act = {"do": "close", "table": table, "won": won, "champion": champion, "vouchers": first, "how": "results"}
        live.do("event_act", act={**act, "title": title, "sure": sure})
    if as_json:
        emit({"table": table, "won": won, "champion": champion})
    else:
        say(text(lang_of(ctx), "eventcli.results", table=table, n=sum(one["cakes"] for one in won)))


@click.command("prizes", cls=Command, help="event_prizes")
@at_server()
@option("--all", "everything", is_flag=True, help="event_prizes_all")
def prizes(ctx: click.Context, server: Server, code: str, everything: bool, as_json: bool) -> None:
    """Tell which prizes were won, by whom, and where they are."""
    lang = lang_of(ctx)
    with server.live(code) as live:
        told: list[dict[str, Any]] = [
            {
                "voucher": n,
                **voucher,
                "prize": _prize(live, voucher, lang),
                "name": called(live, voucher["guest"], lang),
            }
            for n, voucher in sorted((int(n), voucher) for n, voucher in live.welcome["vouchers"].items())
            if everything or voucher["state"] in ("open", "absent", "recalled")
        ]
    if as_json:
        emit({"code": code, "vouchers": told})
        return
    for one in told:
        where = [text(lang, "event.at_table", n=one["table"])] if one.get("table") else []
        state = text(lang, f"event.voucher_{one['state']}")
        say(f"{one['voucher']:>5}  " + "  ".join([one["prize"], one["name"], *where, state]))
    if not told:
        say(text(lang, "eventcli.no_prizes"))


@click.command("hand", cls=Command, help="event_hand")
@at_server()
@click.argument("vouchers")
@option("--desk", metavar="NAME", default="", help="event_desk")
@option("--to", metavar="NUMBER", type=Whole(1), help="event_hand_to")
def hand(
    ctx: click.Context, server: Server, code: str, vouchers: str, desk: str, to: int | None, as_json: bool
) -> None:
    """Prizes are handed over, each once."""
    wanted = numbers_in(vouchers)
    with server.live(code) as live:
        live.do("event_act", act={"do": "hand", "vouchers": wanted, "desk": desk, "to": to})
    if as_json:
        emit({"vouchers": wanted})
    else:
        say(text(lang_of(ctx), "eventcli.handed_out", n=len(wanted)))


@click.command("act", cls=Command, help="event_act")
@at_server()
@click.argument("act_text", metavar="ACT")
def act(ctx: click.Context, server: Server, code: str, act_text: str, as_json: bool) -> None:
    """Carry out any act of an event."""
    try:
        wanted = json.loads(act_text)
    except (ValueError, RecursionError):
        raise CallError("write the act as JSON, as docs/event-acts.md has them", "json/bad") from None
    with server.live(code) as live:
        n = live.do("event_act", act=wanted)["n"]
    if as_json:
        emit({"n": n})
    else:
        say(text(lang_of(ctx), "eventcli.acted", n=n))


COMMANDS: Sequence[click.Command] = (open_tables, close_tables, results, prizes, hand, act)


def _tables(live: Live) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return iter(sorted((int(number), table) for number, table in live.welcome["tables"].items()))


def _finished(live: Live) -> Iterator[int]:
    rows = live.board()
    return (n for n, table in _tables(live) if table["status"] == "open" and rows[str(n)].get("finished"))


def _tell_tables(ctx: click.Context, what: str, numbers: Sequence[int], *, as_json: bool) -> None:
    if as_json:
        emit({"tables": list(numbers)})
        return
    lang = lang_of(ctx)
    told = text(lang, "game.comma").join(map(str, numbers))
    say(text(lang, f"eventcli.{what}", n=len(numbers), tables=told) if numbers else text(lang, "eventcli.no_tables"))


def table_of(live: Live, number: int) -> Mapping[str, Any]:
    """A table as the desk knows it; raises CallError."""
    tables = dict(_tables(live))
    if number not in tables:
        raise CallError(f"there is no table {number}; look at the board", "event/no_table")
    return tables[number]


def won_of(rows: Sequence[Sequence[str]], live: Live, table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a score sheet says: a line for each seat, a column for each tier or prize; raises CallError."""
    filled = [(line, row) for line, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    if not filled:
        raise CallError("this score sheet is empty; write seat and the prizes in its first line", "event/empty_list")
    (_, head), *lines = filled
    if head[0].strip().casefold() not in SEAT:
        raise CallError("line 1: call the first column seat, and each other as a prize of the sheet", "event/bad_list")
    columns = [_column(cell, _tiers(live, table)) for cell in head[1:]]
    for line, row in lines:
        seat = _seat(row[0].strip(), line, live, table)
        for cell, (tier, item) in zip(row[1:], columns, strict=False):
            if cell.strip() and not cell.strip().isdecimal():
                raise CallError(f"line {line}: {cell.strip()[:24]!r} is no number of prizes", "event/bad_list")
            if int(cell.strip() or 0):
                yield {"seat": seat, "tier": tier, "cakes": int(cell), **({"item": item} if item else {})}


def _tiers(live: Live, table: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return live.welcome["view"]["sessions"][str(table["session"])]["tiers"]


def _column(cell: str, tiers: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The tier that a column is about, and the prize, "" where the tier has none of its own; raises CallError."""
    wanted, found = cell.strip().casefold(), dict[str, tuple[str, str]]()
    for tier in tiers:
        single = tier["items"][0]["name"] if len(tier["items"]) == 1 else ""
        for word in (tier["key"], *tier["names"].values()):
            found[word.casefold()] = (tier["key"], single)
        for item in tier["items"]:
            found[item["name"].casefold()] = (tier["key"], item["name"])
    if wanted not in found:
        known = ", ".join(tier["key"] for tier in tiers)
        raise CallError(f"line 1: no prize is called {cell.strip()[:24]!r}; there are {known}", "event/no_tier")
    return found[wanted]


def _seat(word: str, line: int, live: Live, table: Mapping[str, Any]) -> int:
    """A seat by its number from 1 on, or by who sits there; raises CallError."""
    names = [live.welcome["guests"][str(guest)]["name"] for guest in table["seats"]]
    if word.isdecimal() and 1 <= int(word) <= len(names):
        return int(word) - 1
    if word and names.count(word) == 1:
        return names.index(word)
    raise CallError(f"line {line}: {word[:24]!r} is no seat of this table; it has {len(names)}", "event/no_seat")


def _prize(live: Live, voucher: Mapping[str, Any], lang: str) -> str:
    if voucher.get("item") or not voucher.get("table"):
        return voucher.get("item") or voucher["tier"]
    tiers = _tiers(live, live.welcome["tables"][str(voucher["table"])])
    return next((tier["names"][lang] for tier in tiers if tier["key"] == voucher["tier"]), voucher["tier"])
