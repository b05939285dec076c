"""Whole evenings at random at a table with proved dice: whatever people and phones do, its record is proved."""

import asyncio
from random import Random

import pytest

from bobing.core.record import read_record
from bobing.fairness.verify import verify_record
from bobing.server import dealer
from bobing.server.recorded import record_of
from bobing.wire import messages as wire
from server.phones import fair_of, proved, settle, sit


class Evening:
    """One table, its phones, and things that happen."""

    def __init__(self, play, phones, random):
        self.play, self.random = play, random
        self.phones = {phone.seat: phone for phone in phones}

    @property
    def next(self):
        return self.play.room.game.next_seat

    async def throw(self):
        phone = self.phones.get(self.next)
        if phone is not None and self.next in fair_of(self.play).own and self.random.random() < 0.8:
            return await phone.throw()
        return await self.play.send(wire.Throw, seat=self.next)

    async def undo(self):
        n = len(self.play.room.game.log)
        return await self.play.send(wire.Do, act={"undo": max(1, n - self.random.randrange(4))})

    async def skip(self):
        return await self.play.send(wire.Do, act={"seat": self.next, "pass": True})

    async def spill(self):
        return await self.play.send(wire.Do, act={"seat": self.next, "spill": True})

    async def go_or_come(self):
        game = self.play.room.game
        seat = self.random.choice(game.state.order)
        act = {"seat": seat, "back" if seat in game.state.away else "leave": True}
        return await self.play.send(wire.Do, act=act)

    async def add(self):
        return await self.play.send(wire.AddSeat, name="x")

    async def sit(self):
        phone = await sit(self.play, name="y")
        self.phones[phone.seat] = phone
        await settle()

    async def free(self):
        seat = self.random.randrange(self.play.room.seat_count)
        self.phones.pop(seat, None)
        return await self.play.send(wire.FreeSeat, seat=seat)

    async def lose(self):
        if self.phones:
            phone = self.random.choice(list(self.phones.values()))
            phone.say(wire.LostLinks(seat=phone.seat))
            await settle()

    async def anew(self):
        await self.play.send(wire.DrawAgain)
        await settle()

    async def fall_silent(self):
        if self.phones:
            phone = self.random.choice(list(self.phones.values()))
            phone.answers = not phone.answers

    async def wait(self):
        table = self.play.host.tables[self.play.code]
        async with table.lock:
            await self.play.host.dealer.time_is_up(table)
        await settle()


CHANCES = {
    "throw": 60, "undo": 6, "skip": 3, "spill": 1, "go_or_come": 3, "add": 1, "sit": 2, "free": 1, "lose": 1, "anew": 1,
    "fall_silent": 2, "wait": 3,
}  # fmt: skip


async def evening(seed, steps):
    random = Random(seed)
    spill = random.choice([0, 0, 2_000])
    play, phones = await proved(
        "a", "b", "c", phones=random.randrange(4), chance=random.randbytes, settings=wire.Settings(spill=spill)
    )
    there = Evening(play, phones, random)
    await play.begin()
    await settle()
    for _ in range(steps):
        if play.room.game.finished:
            break
        what = random.choices(list(CHANCES), list(CHANCES.values()))[0]
        if what in ("add", "sit") and play.room.seat_count > 7:
            continue
        await getattr(there, what)()
        if fair_of(play).stage != "ready":
            await there.wait()
    return play


@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 400), marks=pytest.mark.deep)])
def test_the_record_of_a_random_evening_is_proved(seeds, monkeypatch):
    monkeypatch.setattr(dealer, "LINK_MS", 5)
    throws = 0
    for seed in seeds:
        play = asyncio.run(evening(seed, 80))
        record = read_record(record_of(play.room))
        report = verify_record(record)
        assert report.sound, (seed, [one for one in (*report.faults, *report.throws) if one.code][:3])
        assert record.last_hash == play.room.receipt, seed
        assert (report.restarts, report.voids) == (play.room.ledger.restarts, play.room.ledger.voids)
        throws += len(report.throws)
    assert throws > 20 * len(seeds)
