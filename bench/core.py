"""What the core costs: one act, a whole game replayed, a rule set compiled, a census; all beside an anchor.

Method: processor time; anchor and figures in turn, 15 rounds, the median of each. The anchor is plain Python that reads
all 462 hands and counts the throws that show each. Aims in microseconds hold for a machine on which the anchor takes
300; on a slower or busier one, which slows both alike, they grow in the same measure.
"""

import platform
import random
import statistics
import sys
import time
from itertools import combinations_with_replacement
from math import factorial

from bobing.core.acts import Throw
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.dice import Roll
from bobing.core.game import Game, replay
from bobing.core.rules import rules_from_table
from bobing.core.scorebook import Scorebook, scorebook

ROUNDS = 15
ANCHOR = 300  # microseconds, on the machine for which the aims are said
ACTS = 230
SEATS = 10
SHEETS = ("minnan", "xiamen-modern", "referee-order")


def anchor():
    """All 462 hands and how many throws show each, in plain Python."""
    total = 0
    for hand in combinations_with_replacement((1, 2, 3, 4, 5, 6), 6):
        ways = 720
        for face in set(hand):
            ways //= factorial(hand.count(face))
        total += ways
    assert total == 6**6


def some_game(sheet, seed):
    """The first acts of a game that lasts longer."""
    rules, dice = find_sheet(sheet), random.Random(seed)
    while True:
        game = Game.new(rules, SEATS)
        while not game.finished and len(game.log) < ACTS:
            roll = Roll(tuple(dice.choices((1, 2, 3, 4, 5, 6), k=6)))
            if not game.grab_for(roll):
                game = game.play(Throw(game.next_seat or 0, roll))
        if not game.finished:
            return rules, [entry.act for entry in game.log]


def timed(job, *given):
    """Microseconds of processor time."""
    start = time.process_time_ns()
    job(*given)
    return (time.process_time_ns() - start) / 1000


def replay_games(games):
    for rules, acts in games:
        replay(rules, SEATS, acts)


def compile_all(tables):
    for table in tables:
        rules_from_table(table)


def main():
    games = [some_game(sheet, seed) for seed, sheet in enumerate(SHEETS)]
    tables = [find_sheet(key).to_table() for key in sheet_keys()]
    book = scorebook(find_sheet())
    jobs = {
        "anchor: 462 hands counted": (anchor, (), 1, None),
        "one act of a game": (replay_games, (games,), len(games) * ACTS, 20),
        f"replay of {ACTS} acts": (replay_games, (games,), len(games), 5_000),
        "compile a rule set, checked": (compile_all, (tables,), len(tables), 50_000),
        "its 462 rows alone": (Scorebook, (find_sheet(),), 1, None),
        "census of a scorebook": (book.census, (), 1, None),
    }
    for job, given, _, _ in jobs.values():
        job(*given)
    rounds = [[timed(job, *given) / parts for job, given, parts, _ in jobs.values()] for _ in range(ROUNDS)]
    medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
    unit, failed = medians[0], False
    for (name, (_, _, _, aim)), figure in zip(jobs.items(), medians, strict=True):
        line = f"{name:28}{figure:10.1f} µs {figure / unit:9.3f} x anchor"
        if aim:
            failed = failed or figure / unit > aim / ANCHOR
            line += f"     (aim: at most {aim / ANCHOR:.3f}, which is {aim} µs at {ANCHOR})"
        print(line)
    print(f"{'machine':28}Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
