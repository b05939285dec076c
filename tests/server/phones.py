"""A table whose dice are proved, and phones that do for their seats what the page does."""

import asyncio
import json
from typing import Any

from bobing.adapters.memory import MemoryLog
from bobing.fairness.chain import player_chain
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.rights import token_hash
from bobing.wire import messages as wire
from server.tables import Play, SetClock
from support.dice import ScriptedDice


class Counting:
    """Bytes that a test can foretell."""

    def __init__(self, seed=0):
        self.count = seed

    def __call__(self, size):
        self.count += 1
        return bytes([self.count % 256]) * size


class Phone:
    """The device of one seat: it answers by itself. It keeps what it was told, and its chains by attempt."""

    def __init__(self, play, you, token, name=""):
        self.play, self.you, self.token_hash, self.name = play, you, token_hash(token), name
        self.chains, self.got, self.tasks = {}, [], []
        self.answers, self.reveals, self.refusals = True, True, []
        self.dismissed: str | None = None
        self.seat = you.seat if you.role == "seat" else play.room.host_seat

    def dismiss(self, why):
        self.dismissed = why

    def send(self, data):
        message = json.loads(data)
        self.got.append(message)
        if not self.answers:
            return
        fair = message.get("view", {}).get("fair") if message["t"] != "link_wanted" else None
        if message["t"] == "link_wanted":
            link = self.link(message["game"], message["k"] + 1)
            self.say(wire.Link(seat=self.seat, game=message["game"], k=message["k"], link=link))
        elif fair and self.seat in fair.get("asked", []):
            game = fair["game"]
            if self.link(game, 0) in self.heads():
                if self.reveals:
                    self.say(wire.Reveal(seat=self.seat, game=game, link=self.link(game, 1)))
            else:
                self.say(wire.Commit(seat=self.seat, game=game, player=self.link(game, 0)))

    @property
    def view(self):
        """The table as it was told last."""
        return next(message["view"] for message in reversed(self.got) if "view" in message)

    def heads(self):
        """All heads that seats are bound by."""
        events = [event for _, event in self.play.room.told]
        bound = [one for event in events for one in event.get("seats", [event])]
        return {one.get("player") for one in bound}

    def link(self, game, i):
        """A link of the chain of this device; after each loss of its seat it makes another."""
        lost = sum(
            event["t"] in ("lost", "seat_void") and event["seat"] == self.seat for _, event in self.play.room.told
        )
        if (game, lost) not in self.chains:
            end = bytes([self.seat + 65 + 16 * lost]) * 32
            self.chains[game, lost] = player_chain(end, bytes.fromhex(game), self.seat + 1)
        return self.chains[game, lost][i].hex()

    def say(self, message):
        self.tasks.append(asyncio.create_task(self._say(message)))

    async def _say(self, message):
        refused = await self.play.host.hear(self.play.code, message, self)
        if refused is not None:
            self.refusals.append(refused.code)

    async def throw(self, **more):
        fair = fair_of(self.play)
        link = self.link(fair.game, fair.k[self.seat] + 1)
        return await self.play.send(wire.Throw, self.you, self.name, seat=self.seat, **{"link": link, **more})


async def proved(*players, log=None, chance=None, phones=None, **new) -> Any:
    """A table with proved dice and its phones, one for each player unless `phones` says how many."""
    host = Host(log or MemoryLog(), ScriptedDice(), SetClock(), Metrics(), chance or Counting())
    made = await host.make(wire.NewTable(players=list(players), **new))
    play = Play(host, made.code, made.token)
    await host.table(play.code)
    return play, [await sit(play, seat) for seat in range(len(players) if phones is None else phones)]


async def sit(play, seat=None, name="") -> Any:
    """A phone that sits down at a seat, or at a new one."""
    joined = await play.host.door.join(play.code, wire.Joining(name=name, seat=seat))
    phone = Phone(play, await play.host.who(play.code, joined.token), joined.token, f"phone{joined.seat}")
    await play.host.enter(play.code, phone, 0)
    return phone


def fair_of(play) -> Any:
    """How the dice stand, as everybody is told."""
    table = play.host.tables[play.code]
    return play.host.showing.view(table).fair


async def settle(*_phones):
    """Let everybody answer."""
    for _ in range(60):
        await asyncio.sleep(0)
