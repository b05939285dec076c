"""`bobing event`: an event of many tables from the command line, at a running server or in a file."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from bobing.cli import event_play
from bobing.cli.common import CallError, Command, Group, emit, lang_of, lang_option, option, say
from bobing.cli.digits import Whole
from bobing.cli.event_line import Live, Server, at_server, called, numbers_in
from bobing.cli.inputs import open_file
from bobing.cli.print import tell_written, write_pdf
from bobing.i18n import text

LISTS = ("guests", "seats", "prizes", "finance", "signoff")
PAPERS = (
    *("rules", "cards", "score", "seating", "prizes"),
    *("vouchers", "tickets", "results", "certificates", "signoff"),
)
FILE_MAX = 16 * 2**20


@click.group(cls=Group, help="event")
@lang_option()
def command() -> None:
    """Run an event of many tables."""


for _one in event_play.COMMANDS:
    command.add_command(_one)


@command.command(cls=Command, help="event_new")
@click.argument("title")
@option("--rules", "rules_name", metavar="KEY|FILE", default="minnan", help="rules")
@option("--tables", type=Whole(1, 1000), default=1, metavar="NUMBER", help="event_tables")
@option("--seats", type=Whole(2, 100), default=10, metavar="NUMBER", help="event_seats")
@at_server(coded=False)
def new(
    ctx: click.Context, server: Server, title: str, rules_name: str, tables: int, seats: int, as_json: bool
) -> None:
    """Make an event with one session."""
    choice = _choice(server, rules_name)
    made = json.loads(server.post("/api/events", {"title": title}))
    with Server(server.base, made["token"]).live(made["code"]) as live:
        live.do("session_settings", session=1, name="1", choice=choice, tables=tables, seats=seats)
    if as_json:
        emit(made)
    else:
        say(text(lang_of(ctx), "eventcli.made", code=made["code"], token=made["token"]))


@command.command("import", cls=Command, help="event_import")
@at_server()
@click.argument("list_file", metavar="LIST")
@option("--check", is_flag=True, help="event_check")
def read_list(ctx: click.Context, server: Server, code: str, list_file: str, check: bool, as_json: bool) -> None:
    """Read a guest list: all of it, or nothing and every line that is wrong."""
    with open_file(list_file) as file:
        data = file.read(FILE_MAX)
    path = f"/api/events/{code}/list"
    read = json.loads(server.post(path, data))
    if not read["faults"] and not check:
        read = json.loads(server.post(path, data, commit=secrets.token_hex(12)))
    if as_json:
        taken = not read["faults"] and not check
        told = {key: read[key] for key in ("faults", "left_out", "same_name")}
        emit({"read": len(read["guests"]), "taken": taken, **told})
    else:
        for fault in read["faults"]:
            words = fault["words"][lang_of(ctx)]
            say(text(lang_of(ctx), "eventcli.fault", line=fault["line"], words=words, value=fault.get("value", "")))
        for one in read["same_name"]:
            say(text(lang_of(ctx), "event.list_namesake", line=one["line"], name=one["name"], n=one["guest"]))
        left = [column["name"] or str(column["column"]) for column in read["left_out"]]
        if left:
            say(text(lang_of(ctx), "eventcli.left_out", columns=text(lang_of(ctx), "game.comma").join(left)))
        key = "wrong" if read["faults"] else "checked" if check else "taken"
        say(text(lang_of(ctx), f"eventcli.{key}", n=len(read["guests"])))
    if read["faults"]:
        ctx.exit(1)


@command.command(cls=Command, help="event_seat")
@at_server()
@option("--session", type=Whole(1, 50), default=1, metavar="NUMBER", help="event_session")
@option("--who", type=click.Choice(("here", "listed")), default="here", help="event_who")
@option("--households", type=click.Choice(("together", "apart", "any")), default="any", help="event_households")
@option("--seed", metavar="TEXT", help="event_seed")
def seat(
    ctx: click.Context,
    server: Server,
    code: str,
    session: int,
    who: str,
    households: str,
    seed: str | None,
    as_json: bool,
) -> None:
    """Draw lots for the seats of a session."""
    seed = seed or secrets.token_hex(16)
    with server.live(code) as live:
        tables = _tables_of(live, session)
        live.do(
            "event_act",
            act={
                "do": "draw",
                "session": session,
                "seed": seed,
                "tables": tables,
                "who": who,
                "households": households,
            },
        )
    with server.live(code) as live:
        drawn = {int(number): table["seats"] for number, table in live.welcome["tables"].items()}
        sizes = {number: drawn[number] for number in tables if number in drawn}
        if as_json:
            emit({"seed": seed, "tables": {str(number): guests for number, guests in sizes.items()}})
            return
        say(text(lang_of(ctx), "eventcli.drawn", seed=seed))
        for number, guests in sizes.items():
            names = [called(live, guest, lang_of(ctx)) for guest in guests]
            say(f"{number:>4}  {text(lang_of(ctx), 'game.comma').join(names)}")


@command.command(cls=Command, help="event_board")
@at_server()
def board(ctx: click.Context, server: Server, code: str, as_json: bool) -> None:
    """Tell how every table stands."""
    with server.live(code) as live:
        told = list(_board(live, lang_of(ctx)))
        title, to = live.welcome["view"]["title"], live.welcome["view"].get("handed_to")
    if as_json:
        emit({"code": code, "title": title, "handed_to": to, "tables": told})
        return
    lang = lang_of(ctx)
    say(title)
    if to is not None:
        say(text(lang, "eventcli.handed", to=to))
    for row in told:
        said = text(lang, f"eventcli.{row['status']}")
        more = [text(lang, f"eventcli.need_{need}") for need in row["needs"]]
        if row["champion"]:
            more.append(text(lang, "eventcli.champion", name=row["champion"]))
        if row["left"] is not None:
            more.append(text(lang, "eventcli.left", n=row["left"], throws=row["throws"]))
        say(f"{row['table']:>4}  {said}  {text(lang, 'game.comma').join(more)}".rstrip())


@command.command(cls=Command, help="event_export")
@at_server()
@click.argument("what", type=click.Choice(LISTS))
@option("--as", "form", type=click.Choice(("csv", "xlsx")), default="csv", help="event_as")
@option("--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="print_output")
def export(
    ctx: click.Context, server: Server, code: str, what: str, form: str, output: Path | None, as_json: bool
) -> None:
    """Write a list of the event as CSV or XLSX."""
    data = server.get(f"/api/events/{code}/export/{what}", lang=lang_of(ctx), **{"as": form})
    _write(ctx, output or Path(f"{code}-{what}.{form}"), data, as_json=as_json)


@command.command("print", cls=Command, help="event_print")
@at_server()
@click.argument("what", type=click.Choice(PAPERS))
@option("--tables", metavar="NUMBERS", default="", help="event_print_tables")
@option("--handed", is_flag=True, help="event_print_handed")
@option("--address", metavar="URL", default="", help="event_print_address")
@option("--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="print_output")
def print_paper(
    ctx: click.Context,
    server: Server,
    code: str,
    what: str,
    output: Path | None,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Write a paper of the event as PDF."""
    body = {"lang": lang_of(ctx), **wanted, "tables": numbers_in(wanted["tables"])}
    data = server.post(f"/api/events/{code}/{what}.pdf", body)
    _write(ctx, output or Path(f"{code}-{what}.pdf"), data, as_json=as_json)


@command.command(cls=Command, help="event_handover")
@at_server()
@click.argument("file", type=click.Path(path_type=Path))
@option("--to", metavar="NAME", default="", help="event_to")
def handover(ctx: click.Context, server: Server, code: str, file: Path, to: str, as_json: bool) -> None:
    """Hand the event over to another computer, as one file."""
    with _new_file(file) as write:
        write(server.post(f"/api/events/{code}/handover", {"to": to}))
    tell_written(file, lang_of(ctx), as_json=as_json)


@command.command(cls=Command, help="event_takeover")
@click.argument("file")
@option("--machine", metavar="NAME", default="", help="event_machine")
@at_server(coded=False)
def takeover(ctx: click.Context, server: Server, file: str, machine: str, as_json: bool) -> None:
    """Go on here with an event that was handed over."""
    with open_file(file) as packed:
        data = packed.read(FILE_MAX + 1)
    made = json.loads(server.post("/api/events/takeover", data, machine=machine))
    if as_json:
        emit(made)
    else:
        say(text(lang_of(ctx), "eventcli.made", code=made["code"], token=made["token"]))


@command.command(cls=Command, help="event_takeback")
@at_server()
@option("--sure", is_flag=True, help="event_sure")
def takeback(ctx: click.Context, server: Server, code: str, sure: bool, as_json: bool) -> None:
    """Go on here after all with an event that was handed over."""
    server.post(f"/api/events/{code}/takeback", {"sure": sure})
    if as_json:
        emit({"code": code})
    else:
        say(text(lang_of(ctx), "eventcli.taken_back"))


def _choice(server: Server, rules_name: str) -> Mapping[str, Any]:
    """A choice of rules as the server takes it: a sheet, or a house rule file."""
    if not Path(rules_name).is_file():
        return {"sheet": rules_name, "house": {}}
    with open_file(rules_name) as file:
        return json.loads(server.post("/api/rules/file", file.read(65_536)))


def _tables_of(live: Live, session: int) -> list[int]:
    """The numbers of a session's tables, and of as many more as it is to have."""
    tables = {int(number): table for number, table in live.welcome["tables"].items()}
    wanted = live.welcome["view"]["sessions"].get(str(session), {}).get("tables", 0)
    own = sorted(n for n, table in tables.items() if table["session"] == session and table.get("stage") is None)
    first = max(tables, default=0) + 1
    found = own + list(range(first, first + max(wanted - len(own), 0)))
    if not found:
        raise CallError(f"there is no session {session}; set it first", "event/no_session")
    return found


def _board(live: Live, lang: str) -> Generator[Mapping[str, Any]]:
    rows = live.board()
    for number, table in sorted(live.welcome["tables"].items(), key=lambda entry: int(entry[0])):
        row = rows.get(number) if table["status"] == "open" else None  # at a closed table nothing is left to win
        names = [called(live, guest, lang) for guest in table["seats"]]
        champion = table.get("champion")
        leads = "" if row is None or row.get("champion") is None else names[int(row["champion"])]
        yield {
            "table": int(number),
            "session": table["session"],
            "status": table["status"],
            "guests": names,
            "champion": leads if champion is None else called(live, champion, lang),
            "combination": "" if row is None or not row.get("combination") else row["combination"][lang],
            "left": None if row is None else sum(row["left"].values()),
            "throws": 0 if row is None else row.get("throws", 0),
            "needs": [] if row is None else row.get("needs", []),
        }


def _write(ctx: click.Context, name: Path, data: bytes, *, as_json: bool) -> None:
    write_pdf(name, data)
    tell_written(name, lang_of(ctx), as_json=as_json)


@contextmanager
def _new_file(name: Path) -> Generator[Callable[[bytes], object]]:
    """A file of ours alone, opened before anything happens: a hand-over that cannot be written must not begin."""
    try:
        with open(name, "xb", opener=_private) as file:
            try:
                yield file.write
            except BaseException:
                name.unlink(missing_ok=True)
                raise
    except FileExistsError:
        raise CallError(f"{name} exists already; name another file", "cli/file_exists") from None
    except OSError as fault:
        raise CallError(f"cannot write {name}: {fault.strerror}", "cli/no_file") from None


def _private(path: str, flags: int) -> int:
    import os

    return os.open(path, flags, 0o600)
