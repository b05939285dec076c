"""Who sits where: leaving, coming back, joining late, changing places, names, and the end of the table."""

from __future__ import annotations

from bobing.cli.table.cells import cut
from bobing.cli.table.commands import is_yes
from bobing.cli.table.names import default_name, name_fault, number_name, read_name
from bobing.cli.table.save import SaveError
from bobing.cli.table.table import Table
from bobing.core.acts import Back, Close, Join, Leave, Pass, Swap, TimeUp


def pass_turn(table: Table, _rest: str) -> None:
    """Nobody sits there now: the turn goes by."""
    seat = table.game.next_seat
    if seat is None:
        table.tell("refused_game_over")
    else:
        table.play(Pass(seat))


def leave(table: Table, rest: str) -> None:
    """A player leaves."""
    seat = _who(table, rest, "ask_leave")
    if seat is not None:
        table.play(Leave(seat))


def come_back(table: Table, rest: str) -> None:
    """A player who left is back; with one away, that one."""
    away = table.game.state.away
    if not rest and len(away) == 1:
        table.play(Back(next(iter(away))))
        return
    seat = _who(table, rest, "ask_return")
    if seat is not None:
        table.play(Back(seat))


def _who(table: Table, rest: str, question: str) -> int | None:
    typed = rest or table.ask(table.say(question))
    if not typed:
        table.tell("cancelled")
        return None
    return table.find_seat(typed)


def join(table: Table, rest: str) -> None:
    """A late player sits down last in the order of play."""
    default = default_name(len(table.game.state.order), table.lang)
    typed = rest or table.ask(table.say("ask_join", default=default))
    if typed.casefold() == "q":
        table.tell("cancelled")
        return
    name = read_name(typed or default, _names(table))
    if name is None:
        table.tell(name_fault(typed or default, _names(table)), name=cut(typed or default, 30))
    else:
        table.play(Join(), name)


def swap(table: Table, rest: str) -> None:
    """Two players change places."""
    typed = rest or table.ask(table.say("ask_swap"))
    if not typed:
        table.tell("cancelled")
        return
    who = typed.replace(",", " ").split()
    if len(who) != 2:
        table.tell("refused_bad_swap")
        return
    left = table.find_seat(who[0])
    right = table.find_seat(who[1]) if left is not None else None
    if left is not None and right is not None:
        table.play(Swap((left, right)))


def rename(table: Table, rest: str) -> None:
    """A player gets another name."""
    typed = rest or table.ask(table.say("ask_name"))
    if not typed:
        table.tell("cancelled")
        return
    who, _, wanted = typed.partition(" ")
    seat = table.find_seat(who)
    if seat is None:
        return
    old = number_name(table.names, seat, table.lang)
    others = [other for other in _names(table) if other != old]
    name = read_name(wanted, others)
    if name is None:
        table.tell(name_fault(wanted, others), name=cut(wanted, 30))
        return
    try:
        table.save.name(seat, name)
    except SaveError as bad:
        table.tell("not_saved", why=bad)
        return
    table.names[seat] = name
    table.tell("renamed", old=old, new=name)


def _names(table: Table) -> list[str]:
    return [number_name(table.names, seat, table.lang) for seat in table.game.state.order]


def end_table(table: Table, _rest: str) -> None:
    """Time is up, or the table closes early."""
    if table.game.finished:
        table.tell("refused_game_over")
        return
    if table.game.rules.ending.minutes:
        answer = table.ask(table.say("ask_time"))
        if answer in {"1", "2"}:
            table.play(TimeUp() if answer == "1" else Close())
            return
    elif is_yes(table.ask(table.say("ask_close"))):
        table.play(Close())
        return
    table.tell("cancelled")
