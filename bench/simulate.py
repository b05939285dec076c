"""Whole games simulated, and their lengths alone, beside plain Python that plays the same game with the same table.

Method: processor time of one core; for each rule set the anchor and the kernel in turn, 5 rounds, the median of each.
The anchor is a loop over a list of the 46,656 throws, with lists and `random`, as one would write it by hand: cakes by
seat, the title by strength, chases where the sheet has any. It knows no roll-offs, effects or laps, which the kernel
does. The last rule sets are no sheet's: `five-groups` with every tier below the title chased, by each source, so that
hardly a throw is without consequence. Lengths alone come from numpy: throws at random moments, so that the last cake
of each tier has a gamma law. How time grows is measured at some sizes; a thousand million games are reckoned from two,
not played.
"""

import statistics
import sys
import time
from itertools import product
from random import Random

import numpy as np

from bobing.core.catalogue import find_sheet
from bobing.core.reading import merge
from bobing.core.rules import rules_from_table
from bobing.core.scorebook import scorebook
from bobing.odds.simulate.blocks import play_blocks
from bobing.odds.simulate.lengths import lengths
from bobing.odds.simulate.setting import Setting

ROUNDS, SEATS = 5, 10
SHEETS = ("minnan", "five-groups", "referee-order", "fallback-chart", "philippines")
SOURCES = ("seat", "latest", "earliest")
GAMES_AIM, LENGTHS_AIM = 50, 200
ANCHOR_GAMES, KERNEL_GAMES = 300, 20_000


def anchor_of(rules):
    """A game in plain Python: gives the number of throws."""
    rows, tiers = scorebook(rules).rows, [tier.key for tier in rules.tiers]
    book = [rows[tuple(sorted(faces))] for faces in product(range(1, 7), repeat=6)]
    table = [
        (tiers.index(row.tier) if row.tier else -1, [tiers.index(tier) for tier in row.bonus], row.strength or 0)
        for row in book
    ]
    cakes = [tier.cakes for tier in rules.tiers]
    chased = [rules.chase.source if tier in rules.chase.tiers else "" for tier in tiers]
    falls = rules.exhausted.then != "nothing"

    def game(dice):
        left, rest, draw = cakes[:], sum(cakes[1:]), dice.random
        held, winners = [[0] * SEATS for _ in tiers], [[] for _ in tiers]
        best = seat = thrown = 0
        champion = -1
        while rest or champion < 0:
            tier, bonus, strength = table[int(draw() * 46_656)]
            thrown += 1
            if tier == 0:
                if strength > best:
                    best, champion = strength, seat
            elif tier > 0 and (left[tier] or chased[tier] or falls):
                rest -= award(tier, seat, left, held, winners, chased[tier], falls)
            for other in bonus:
                rest -= left[other] > 0 and award(other, seat, left, held, winners, "", False)
            seat = seat + 1 if seat + 1 < SEATS else 0
        return thrown

    return game


def award(tier, seat, left, held, winners, chased, falls):
    """Give a cake, or let it be chased; whether one left the table."""
    if chased and not left[tier]:
        i = wanted(seat, held[tier], winners[tier], chased)
        if i is not None:
            held[tier][winners[tier].pop(i)] -= 1
            held[tier][seat] += 1
            winners[tier].append(seat)
        return False
    while falls and tier + 1 < len(left) and not left[tier]:
        tier += 1
    if not left[tier]:
        return False
    left[tier] -= 1
    held[tier][seat] += 1
    if chased:
        winners[tier].append(seat)
    return True


def wanted(seat, held, winners, source):
    """Which cake is taken: the latest of the nearest holder, or of all others' the latest or the earliest."""
    if source == "seat":
        for back in range(1, SEATS):
            other = (seat - back) % SEATS
            if held[other]:
                return len(winners) - 1 - winners[::-1].index(other)
        return None
    order = range(len(winners)) if source == "earliest" else range(len(winners) - 1, -1, -1)
    return next((i for i in order if winners[i] != seat), None)


def rate(job, count):
    start = time.process_time()
    job()
    return count / (time.process_time() - start)


def compare(anchor, ours, anchor_count, our_count):
    """Medians of both, taken in turn."""
    pairs = [(rate(anchor, anchor_count), rate(ours, our_count)) for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*pairs, strict=True)]


def all_chased(source):
    rules = find_sheet("five-groups")
    return rules_from_table(merge(rules.to_table(), {"chase": {"tiers": list(rules.lower), "source": source}}))


def scaled(rules, factor):
    cakes = {tier: factor * rules.cakes[tier] for tier in rules.lower}
    return rules_from_table(merge(rules.to_table(), {"cakes": cakes}))


def seconds(setting, games):
    play_blocks(setting, 0, 1, 1)  # the rule set is compiled once
    start = time.process_time()
    play_blocks(setting, 0, 1, games)
    return time.process_time() - start


def show(name, figures, aim):
    anchor, ours = figures
    print(f"{name:16} anchor {anchor:9,.0f} games/s   ours {ours:11,.0f}   {ours / anchor:6.1f} x   (aim {aim})")
    return ours / anchor < aim


def main():
    failed = False
    for key, rules in [(key, find_sheet(key)) for key in SHEETS] + [(f"all, {by}", all_chased(by)) for by in SOURCES]:
        dice = Random(1)
        game, setting = anchor_of(rules), Setting(rules, SEATS, seed=1)
        play_blocks(setting, 0, 1, 10)
        figures = compare(
            lambda game=game, dice=dice: [game(dice) for _ in range(ANCHOR_GAMES)],
            lambda setting=setting: play_blocks(setting, 0, 1, KERNEL_GAMES),
            ANCHOR_GAMES,
            KERNEL_GAMES,
        )
        failed |= show(key, figures, GAMES_AIM)
    rules, dice = find_sheet("S2"), Random(1)
    game, many = anchor_of(rules), 200_000
    figures = compare(
        lambda: [game(dice) for _ in range(ANCHOR_GAMES)], lambda: lengths(rules, many), ANCHOR_GAMES, many
    )
    failed |= show("lengths alone", figures, LENGTHS_AIM)
    for name, settings in (
        ("cakes", [(63 * factor, Setting(scaled(rules, factor), SEATS), 2_000 // factor) for factor in (1, 10, 100)]),
        ("players", [(players, Setting(rules, players), 2_000) for players in (2, 10, 100)]),
    ):
        took = [(size, seconds(setting, games) / games * 1e6) for size, setting, games in settings]
        print(f"time a game by {name}: " + ", ".join(f"{size:,}: {micros:,.1f} µs" for size, micros in took))
    small, large = (min(seconds(Setting(rules, SEATS), games) for _ in range(3)) for games in (20_000, 100_000))
    each = (large - small) / 80_000
    reckoned = f"1e6 in {each * 1e6:,.1f} s, 1e9 in {each * 1e9 / 60:,.0f} min"
    print(f"one core, reckoned from 20,000 and 100,000 games: {reckoned}")
    print(f"numpy {np.__version__}, Python {sys.version.split()[0]}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
