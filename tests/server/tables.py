"""A host in memory with scripted dice and a clock that is set, and members that write down what they get."""

import json

from bobing.adapters.memory import MemoryLog
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.rights import token_hash
from bobing.wire import messages as wire
from support.dice import ScriptedDice

HOST = wire.You(role="host")


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.ms = 1_000_000

    def monotonic_ms(self):
        return self.ms

    def wall_ms(self):
        return 1_790_000_000_000 + self.ms


class Member:
    """A connection that keeps what it is sent; who is there, which comes a moment later, stands apart."""

    def __init__(self, you, token="t"):
        self.you, self.token_hash = you, token_hash(token)
        self.got, self.there, self.dismissed = [], [], None

    def send(self, message):
        told = json.loads(message)
        (self.there if told["t"] == "presence" else self.got).append(told)

    def dismiss(self, why):
        self.dismissed = why


class Play:
    """One table of one host, and short words for what people do at it."""

    def __init__(self, host, code, token):
        self.host, self.code, self.token, self.count = host, code, token, 0

    @classmethod
    async def open(cls, *players, dice="", log=None, **new):
        host = Host(log or MemoryLog(), ScriptedDice(*dice.split()), SetClock(), Metrics())
        made = await host.make(wire.NewTable(players=list(players), **new))
        return cls(host, made.code, made.token)

    @property
    def room(self):
        return self.host.tables[self.code].room

    async def send(self, command, who=HOST, actor="host", cmd=None, **values):
        self.count += 1
        table = await self.host.table(self.code)
        at = values.pop("at", table.room.n)
        message = command(cmd=cmd or f"command-{self.count:012d}", at=at, **values)
        return await self.host.command(self.code, message, who, actor)

    async def begin(self):
        await self.host.table(self.code)
        return await self.send(wire.Begin)

    async def sit(self, name):
        joined = await self.host.door.join(self.code, wire.Joining(name=name))
        return await self.host.who(self.code, joined.token), joined.token
