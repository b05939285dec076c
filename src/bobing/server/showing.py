"""What everybody at a table is shown: all of it to who comes, what is new to those who are there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bobing.core.acts import Correct, Undo
from bobing.ports import Bus, Clock
from bobing.server import presence, views
from bobing.server.metrics import Metrics
from bobing.server.patience import patience
from bobing.server.room import Body, Room
from bobing.server.table import Member, Table, encode
from bobing.wire import messages as wire

PRESENCE_MS = 100


class Showing:
    """Tells those who are connected here. bus: over which other workers hear who is there, where there are any."""

    def __init__(self, clock: Clock, metrics: Metrics, bus: Bus | None = None) -> None:
        self.clock, self.metrics, self._bus = clock, metrics, bus

    def welcome(self, table: Table, you: wire.You, seen: int) -> wire.Welcome:
        """Everything about a table."""
        room = table.room
        if table.lines is None:
            table.lines = views.lines(room)
        return wire.Welcome(
            code=room.code,
            n=room.n,
            you=you,
            title=room.notes.get("title", ""),
            rules=views.rules_view(room.rules, room.choice),
            view=self.view(table),
            lines=table.lines,
            now=self.clock.wall_ms(),
            missed=views.missed(table.lines, seen),
            fair=views.fair_events(room.told),
        )

    def show(self, table: Table) -> None:
        """Show everybody how the table stands, though nothing was stored."""
        self.broadcast(table, wire.News(n=table.room.n, view=self.view(table)))

    def show_there(self, table: Table, there: frozenset[int] | None) -> None:
        """Show who is there at a table that is followed here; None where that is not known any more."""
        if table.there == there:
            return
        table.there = there
        if there is None:
            self.show(table)
        else:
            self.broadcast(table, wire.Presence(online=sorted(there)))

    def show_followed(self, table: Table, room: Room, bodies: Sequence[Body]) -> None:
        """Show what another worker has stored at a table that is followed here."""
        table.room = room
        if sum(body["t"] == "act" for body in bodies) > 1:
            table.lines = None  # they are told all anew
        wait = patience(room)
        table.deadline = None if wait is None or room.settings.auto else self.clock.wall_ms() + wait
        self.tell(table, bodies, line_of(room, bodies))

    def tell(self, table: Table, bodies: Sequence[Body], line: wire.Line | None) -> None:
        """Tell everybody what was stored. line: of the act among it, None where there is none or it changed others."""
        room = table.room
        state, kinds = self.view(table), [body["t"] for body in bodies]
        fair = views.fair_events(room.told[len(room.told) - kinds.count("fair") :])
        if "act" not in kinds:
            rules = views.rules_view(room.rules, room.choice) if "rules" in kinds else None
            self.broadcast(table, wire.News(n=room.n, view=state, rules=rules, fair=fair))
            return
        if table.lines is None or line is None:
            table.lines = views.lines(room)
            self.broadcast(table, wire.Anew(n=room.n, view=state, lines=table.lines, fair=fair))
            return
        table.lines = [*table.lines, line]
        self.broadcast(table, wire.News(n=room.n, view=state, line=line, fair=fair))

    def broadcast(self, table: Table, message: wire.ServerMessage) -> None:
        """Send a message to everybody who is at a table."""
        data = encode(message)
        for member in list(table.members):
            member.send(data)
        self.metrics.count("sent", len(table.members))

    def tell_presence(self, table: Table, member: Member) -> None:
        """Tell everybody who is there now that a device came or went, once for all that do so at about the same time.

        Who looks on is no news to anybody.
        """
        if table.presence is None and member.you.role != "watch":
            later = asyncio.get_running_loop().call_later
            table.presence = later(PRESENCE_MS / 1000, self._presence_told, table)

    def _presence_told(self, table: Table) -> None:
        table.presence = None
        self.broadcast(table, wire.Presence(online=sorted(table.online)))
        if self._bus:
            presence.tell(self._bus, table)

    def view(self, table: Table) -> wire.View:
        """How a table stands, as it is shown here."""
        online = table.there if table.followed else table.online
        return views.view(table.room, online, table.deadline, table.sealing)


def line_of(room: Room, bodies: Sequence[Body]) -> wire.Line | None:
    """The line of the act that was just stored with these entries; None where there is none, or it changed others."""
    if room.game is None or not any(body["t"] == "act" for body in bodies):
        return None
    return None if isinstance(room.game.log[-1].act, Undo | Correct) else views.last_line(room)
