"""R12: workers, store, bus and clients in one thread, with time, chance and faults from one seed.

Whatever the seed: what was acknowledged is in the log, once, with its number. The same seed gives the same bytes.
"""

import asyncio
import hashlib
import itertools
import random
import secrets
import selectors
from contextlib import suppress

import pytest

from bobing.adapters.memory import MemoryBus, MemoryLog
from bobing.core.chain import ZERO, link
from bobing.core.errors import BobingError
from bobing.ports import NotSaved, Worker
from bobing.server.following import Follower
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.server.places import Elsewhere, Places
from bobing.wire import messages as wire

WORKERS, TABLES, ACTS = 3, 3, 12
AGAIN = ("log/not_saved", "log/lost_lease")
STALE = ("table/stale", "act/not_your_turn")
"""Refusals of what was made from the view of a worker that was held for dead."""
HOST = wire.You(role="host")


class FakeLoop(asyncio.SelectorEventLoop):
    """An event loop whose time goes on at once whenever all wait."""

    def __init__(self):
        self.now = 0.0
        super().__init__(_Instant(self))

    def time(self):
        return self.now


class _Instant(selectors.SelectSelector):
    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def select(self, timeout=None):
        assert timeout is not None, "everybody waits for nothing"
        self._loop.now += max(timeout, 0)
        return []


class World:
    """Everything of one run: the clock and the dice of its hosts, and the chance of its faults."""

    def __init__(self, seed, log):
        self.rng, self.loop = random.Random(seed), asyncio.get_running_loop()
        self.log, self.bus = log(self), LossyBus(self)
        self.names = itertools.count()
        self.workers = {}

    def monotonic_ms(self):
        return int(self.loop.time() * 1000)

    wall_ms = monotonic_ms

    def throw(self, dice=6):
        return tuple(self.rng.randint(1, 6) for _ in range(dice))

    async def start(self):
        worker = One(self, f"w{next(self.names)}")
        await worker.places.start()
        self.workers[worker.places.worker.id] = worker

    async def strike(self):
        await (self.doze() if self.rng.random() < 0.4 else self.kill())

    async def doze(self):
        """A worker is not seen for a while, and others hold it for dead; it knows nothing of that, and works on."""
        places = self.workers[self.rng.choice(sorted(self.workers))].places
        places.rest()
        await asyncio.sleep(5)
        if places.worker.id in self.workers:
            await places.start()

    async def kill(self):
        """A worker dies in the middle of whatever it does; another comes by and by."""
        name = self.rng.choice(sorted(self.workers))
        self.workers.pop(name).die()
        await asyncio.sleep(self.rng.random())
        await self.start()


class FaultyLog(MemoryLog):
    """A log that takes its time, says no now and then, and sometimes keeps what it says it did not."""

    def __init__(self, world):
        super().__init__(world.monotonic_ms)
        self._world = world

    async def append(self, *args, **more):
        rng = self._world.rng
        await asyncio.sleep(rng.random() * 0.1)
        fault = rng.random()
        if fault < 0.1:
            raise NotSaved("no")
        entries = await super().append(*args, **more)
        await asyncio.sleep(rng.random() * 0.1)
        if fault < 0.2:
            raise NotSaved("nobody knows")
        return entries


class LyingLog(FaultyLog):
    """The protection taken away: it acknowledges, and forgets now and then."""

    async def append(self, stream, expected, entries, **more):
        if expected > 2 and self._world.rng.random() < 0.1:
            log = MemoryLog()
            log._entries, log._commands = {stream: list(self._entries[stream])}, dict(self._commands)
            return await log.append(stream, expected, entries)
        return await super().append(stream, expected, entries, **more)


class LossyBus(MemoryBus):
    """A bus that loses word, doubles it and brings it late."""

    def __init__(self, world):
        super().__init__()
        self._world = world

    def publish(self, stream, n):
        for _ in range(self._world.rng.choice([0, 1, 1, 2])):
            self._world.loop.call_later(self._world.rng.random(), super().publish, stream, n)


class One:
    """A worker."""

    def __init__(self, world, name):
        self.places = Places(world.log, Worker(name, name, ""))
        self.host = Host(world.log, world, world, Metrics(), places=self.places, bus=world.bus)
        self.follower = Follower(self.host, world.bus)

    def die(self):
        self.places.rest()
        running = (*self.host.tasks._under_way, *self.host._loading._under_way.values())
        for task in sorted(running, key=lambda one: int(one.get_name().removeprefix("Task-"))):  # as they were made
            task.cancel()
        for table in self.host.tables.values():
            table.rest()


class Player:
    """The host of a table: each of its commands is sent until it has an answer, doubled, to whichever worker."""

    def __init__(self, world, code):
        self.world, self.code, self.acked, self.sent, self.stale = world, code, {}, {}, set()

    async def play(self):
        for k in range(ACTS):
            await self.until_acked(f"c{k:016d}")

    async def until_acked(self, cmd):
        while cmd not in self.acked:  # what was refused may be acknowledged by another copy
            worker = self.world.workers.get(self.world.rng.choice(sorted(self.world.workers)))
            calls = [self.ask(worker, cmd) for _ in range(self.world.rng.choice([1, 1, 2]))]
            await asyncio.gather(*calls)
            if cmd in self.stale:  # it was meant for a table that has moved on: another is made, as a page does
                cmd = f"{cmd}x"
            await asyncio.sleep(self.world.rng.random() * 0.3)

    async def ask(self, worker, cmd):
        await asyncio.sleep(self.world.rng.random() * 0.2)
        asking = asyncio.ensure_future(self.answer(worker, cmd))
        await asyncio.wait([asking], timeout=3)  # a worker that died answers nothing
        asking.cancel()
        with suppress(asyncio.CancelledError):
            answer = await asking
            if isinstance(answer, wire.Ack):
                assert self.acked.setdefault(cmd, answer.n) == answer.n, "another answer than the first time"
            elif answer is not None:
                assert answer.code in (*AGAIN, *STALE), answer
                if answer.code in STALE:
                    self.stale.add(cmd)

    async def answer(self, worker, cmd):
        for _ in range(3):  # led from worker to worker
            try:
                table = await worker.host.table(self.code)
            except Elsewhere as elsewhere:
                named = self.world.workers.get(elsewhere.worker.id)
                if named is None or self.world.rng.random() < 0.05:  # now and then one that lives is not reached either
                    await worker.places.bury(elsewhere.worker)
                else:
                    worker = named
                continue
            except BobingError:
                return None
            game = table.room.game
            begin = wire.Begin(cmd=cmd, at=1)
            new = begin if game is None else wire.Throw(cmd=cmd, at=table.room.n, seat=game.next_seat or 0)
            command = self.sent.setdefault(cmd, new)  # the same again, however the table looks now
            return await worker.host.command(self.code, command, HOST, "host")
        return None


async def evening(seed, log):
    """One run: what was lost, and all its bytes as a hash."""
    world = World(seed, log)
    for _ in range(WORKERS):
        await world.start()
    made = []
    while len(made) < TABLES:
        with suppress(NotSaved):
            settings = wire.Settings(dice="digital")
            host = next(iter(world.workers.values())).host
            made.append((await host.make(wire.NewTable(players=["a", "b", "c"], settings=settings))).code)
    players = [Player(world, code) for code in made]
    playing = asyncio.gather(*(player.play() for player in players))
    while not playing.done():
        await asyncio.sleep(world.rng.random() * 4)
        await world.strike()
        assert world.loop.time() < 3_600, "it does not come to an end"
    await playing
    for worker in world.workers.values():
        worker.die()
    lost, trace = [], hashlib.sha256()
    for player in players:
        h, told = ZERO, {}
        for n, entry in enumerate(await world.log.read(player.code), 1):
            h = link(h, entry.body)
            assert (entry.n, entry.h) == (n, h)
            assert entry.cmd not in told, "carried out twice"
            told[entry.cmd] = n
            trace.update(repr(entry).encode())
        trace.update(repr(player.acked).encode())
        lost += [(cmd, n) for cmd, n in player.acked.items() if told.get(f"host.{cmd}") != n]
    return lost, trace.hexdigest()


def simulated(seed, monkeypatch, log=FaultyLog):
    """A run of a seed, in which codes and tokens come from the seed too."""
    chance = random.Random(f"codes {seed}")
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda n=32: chance.randbytes(n).hex())
    with asyncio.Runner(loop_factory=FakeLoop) as runner:
        return runner.run(evening(seed, log))


@pytest.mark.parametrize("seeds", [8, pytest.param(200, marks=pytest.mark.deep)])
def test_whatever_the_seed_nothing_acknowledged_is_lost_and_it_repeats(seeds, monkeypatch):
    for seed in range(seeds):
        lost, trace = simulated(seed, monkeypatch)
        assert lost == [], f"seed {seed}"
        assert simulated(seed, monkeypatch) == (lost, trace), f"seed {seed} gave other bytes"


def test_a_log_that_forgets_is_seen_by_the_simulation(monkeypatch):
    seen = 0
    for seed in range(4):
        try:
            lost, _ = simulated(seed, monkeypatch, LyingLog)
        except AssertionError:
            seen += 1
        else:
            seen += bool(lost)
    assert seen
