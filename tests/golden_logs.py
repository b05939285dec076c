"""The logs of vectors/logs: tables as this bobing stores them, which every later one has to read.

    .venv/bin/python tests/golden_logs.py

writes those of a new format, into files of their own: what a released bobing wrote stays as it is.
"""

import asyncio
import gzip
import json
import random
import tempfile
from pathlib import Path

import apsw

from bobing.adapters.sqlite import schema
from bobing.core.act_json import act_to_json
from bobing.core.canonical import canonical_json
from bobing.core.catalogue import sheet_keys
from bobing.core.chain import ZERO, link
from bobing.core.errors import BobingError
from bobing.server import dealer, views
from bobing.server import room as rooms
from bobing.server.deciding import decide
from bobing.server.decision import Chance
from bobing.server.opening import opening
from bobing.wire import messages as wire
from property.random_games import random_act
from server.test_proved_games import evening

FOLDER = Path(__file__).parents[1] / "vectors" / "logs"
TABLES, STORE = FOLDER / "format-1.jsonl.gz", FOLDER / "sqlite-1.db.gz"
HOST = wire.You(role="host")
GAMES, SHORT, PROVED = 1_000, 15, 8
AT = 1_790_000_000_000


class Random:
    """Digital dice of a seed."""

    def __init__(self, rng):
        self._rng = rng

    def throw(self, dice=6):
        return tuple(self._rng.randint(1, 6) for _ in range(dice))


class Written:
    """A table that is written down: its bodies and its notes."""

    def __init__(self, rng, sheet, seats, **settings):
        self.rng, self.dice = rng, Random(rng)
        opened = opening(wire.RulesChoice(sheet=sheet), wire.Settings(confirm="none", **settings), seats)
        self.bodies, self.notes = [opened], {f"name/{seat}": f"名{seat}" for seat in range(seats)}
        self.room = rooms.load("GAME2345", [(1, opened, AT)], self.notes)

    def do(self, command, **values):
        """Carry out a command, or leave all as it is where it is refused."""
        message = command(cmd="command-of-a-host", at=10**6, **values)
        try:
            decision = decide(self.room, message, HOST, Chance(self.dice))
        except BobingError:
            return
        self.notes = {key: text for key, text in {**self.notes, **(decision.notes or {})}.items() if text is not None}
        self.room = rooms.with_notes(self.room, self.notes)
        for body in decision.bodies:
            self.bodies.append(body)
            self.room = rooms.apply(self.room, len(self.bodies), body, AT + len(self.bodies))

    def step(self):
        """One thing that happens at a table during a game."""
        game, rng = self.room.game, self.rng
        assert game is not None, "it has begun"
        n, what = len(game.log), rng.random()
        if n and what < 0.04:
            self.do(wire.Do, act={"undo": rng.randint(max(1, n - 3), n)})
        elif n and what < 0.07:
            inner = act_to_json(random_act(game, rng))
            self.do(wire.Do, act={"correct": rng.randint(max(1, n - 3), n), "act": inner})
        elif what < 0.08:
            self.do(wire.AddSeat, name=f"late {n}")
        elif what < 0.10:
            away = rng.choice(game.state.order)
            self.do(wire.Do, act={"seat": away, "back" if away in game.state.away else "leave": True})
        elif what < 0.12:
            self.do(wire.Do, act={"seat": game.next_seat, "pass": True})
        elif self.room.settings.dice == "digital" and not game.state.rolloff:
            self.do(wire.Throw, seat=game.next_seat)
        else:
            self.do(wire.Do, act=act_to_json(random_act(game, rng)))


def written(seed):
    """A game of a seed: of each sheet the first to its end, the others for some acts."""
    rng, keys = random.Random(seed), sheet_keys()
    table = Written(rng, keys[seed % len(keys)], rng.randint(2, 6), dice=rng.choice(["real", "digital"]))
    table.do(wire.Begin)
    steps = 3_000 if seed < len(keys) else SHORT
    while steps and table.room.game and not table.room.game.finished:
        table.step()
        steps -= 1
    return table.bodies, table.notes


def proved(seed):
    """A table whose dice are proved."""
    dealer.LINK_MS = 5
    play = asyncio.run(evening(seed, 60))

    async def read():
        log = play.host.log
        return [json.loads(entry.body) for entry in await log.read(play.code)], dict(await log.notes(play.code))

    return asyncio.run(read())


def outcome(room):
    """What a table came to, as anybody there can see it."""
    view = views.view(room, None)
    lines = views.lines(room) if room.game else []
    return {
        "held": [seat.held for seat in view.seats],
        "throws": [seat.throws for seat in view.seats],
        "names": [seat.name for seat in view.seats],
        "table": view.table,
        "pool": view.pool,
        "next": view.next,
        "title": [view.title.seat, view.title.roll] if view.title else None,
        "finished": view.finished,
        "moved": sum(len(line.moves) for line in lines),
        "struck": [line.n for line in lines if line.struck],
        "receipt": room.receipt,
    }


def read_back(bodies, notes):
    """The table of a log."""
    return rooms.load("GAME2345", [(n, body, AT + n) for n, body in enumerate(bodies, 1)], notes)


def kept():
    """The tables that are kept: their bodies, their notes, and what they came to."""
    for line in gzip.decompress(TABLES.read_bytes()).splitlines():
        told = json.loads(line)
        yield told["bodies"], told["notes"], told["outcome"]


def store(tables, folder):
    """A file as the first schema had it, with tables in it."""
    path = Path(folder, "log.db")
    connection = apsw.Connection(str(path))
    connection.execute(f"{schema.MIGRATIONS[0]}; PRAGMA user_version = 1; PRAGMA journal_mode = wal")
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION}")
    for i, (bodies, notes) in enumerate(tables):
        stream, h = f"GAME234{i}", ZERO
        for n, body in enumerate(bodies, 1):
            data = canonical_json(body)
            h = link(h, data)
            row = (stream, n, f"host.c{n}", AT + n, "host", data, h)
            connection.execute("INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for key, text in notes.items():
            connection.execute("INSERT INTO note VALUES (?, ?, ?)", (stream, key, text))
    connection.close()
    return path.read_bytes()


def main():
    tables, lines = [*map(written, range(GAMES)), *map(proved, range(PROVED))], []
    for bodies, notes in tables:
        told = outcome(read_back(bodies, notes))
        lines.append(json.dumps({"notes": notes, "bodies": bodies, "outcome": told}, ensure_ascii=False))
    TABLES.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))
    with tempfile.TemporaryDirectory() as folder:
        STORE.write_bytes(gzip.compress(store(tables[-3:], folder), 9, mtime=0))


if __name__ == "__main__":
    main()
