"""Blocks of games: their streams of chance, their totals, and single games of them played by the core."""

from __future__ import annotations

import numpy as np

from bobing.core.acts import Act, RollOff, Spill, Throw, TimeUp
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.odds.simulate import kernel as k
from bobing.odds.simulate.setting import BLOCK, Setting
from bobing.odds.simulate.tables import memory_of
from bobing.odds.simulate.totals import Totals


def stream_of(seed: int, block: int) -> k.Bits:
    """The stream of chance of a block: the state of xoshiro256++."""
    return np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(4, np.uint64).astype(np.uint64)


def play_blocks(setting: Setting, first: int, blocks: int, games: int = BLOCK) -> Totals:
    """The totals of some blocks, one after the other, each of so many games."""
    totals = Totals.nothing(len(setting.rules.tiers), setting.seats)
    for block in range(first, first + blocks):
        totals += played(setting, stream_of(setting.seed, block), games)
    return totals


def played(setting: Setting, rng: k.Bits, games: int, start: k.Ints | None = None) -> Totals:
    """The totals of so many games, each from the first throw, or from where `start` has it."""
    throws, rows = setting.arrays
    size = len(setting.rules.tiers)
    told = np.zeros((games, len(k.FIELDS)), dtype=np.int64)
    cakes = np.zeros((2, size, setting.seats), dtype=np.int64)
    tiers = np.zeros((7, size), dtype=np.int64)
    begun = () if start is None else (start,)
    memory = np.stack([memory_of(setting.rules, setting.seats, setting.cap), *begun])
    k.play_block(throws, rows, memory, rng, np.uint64(setting.spill), told, cakes, tiers)
    return Totals.of_games(told, cakes, tiers)


def core_game(setting: Setting, number: int) -> Game:
    """Game `number` of a simulation, from 0, as the core plays it: with every throw, to look at or to keep."""
    block, before = divmod(number, BLOCK)
    rng = stream_of(setting.seed, block)
    if before:
        played(setting, rng, before)
    table = CoreTable(setting, rng)
    while not table.game.finished:
        table.throw()
    return table.game


class CoreTable:
    """A game of the core that draws what the kernel draws, in the same order, and decides what people decide by the
    same rules: of cakes that are grabbed each goes to any seat, all equally likely."""

    def __init__(self, setting: Setting, rng: k.Bits) -> None:
        self.setting, self.rng, self.thrown = setting, rng, 0
        self.game = Game.new(setting.rules, setting.seats)

    def throw(self) -> None:
        """One throw of dice, and the end of time if that was the last there was time for."""
        self.game = self.game.play(self._act())
        rolloff, cap = self.game.state.rolloff, self.setting.cap
        if cap and self.thrown >= cap and not rolloff and not self.game.finished:
            self.game = self.game.play(TimeUp())

    def _act(self) -> Act:
        seat, rolloff = self.game.next_seat, self.game.state.rolloff
        assert seat is not None, "asked only while the game is on"
        if rolloff:
            return RollOff(seat, self._faces(rolloff.dice))
        self.thrown += 1
        if self.setting.spill and k.next_bits(self.rng) < self.setting.spill:
            return Spill(seat)
        roll = Roll(self._faces(6))
        left = self.game.grab_for(roll)
        grab = (
            {tier: tuple(self._below(self.setting.seats) for _ in range(n)) for tier, n in left.items()}
            if left
            else None
        )
        return Throw(seat, roll, grab)

    def _faces(self, dice: int) -> tuple[int, ...]:
        number = self._below(6**dice)
        return tuple(number // 6**place % 6 + 1 for place in reversed(range(dice)))

    def _below(self, n: int) -> int:
        return int(k.below(self.rng, n))
