"""Exact odds beside other ways to the same numbers: a throw, the length of a game, shares; how time grows.

Method: processor time; anchors and figures in turn, 7 rounds, the median of each; whole processes 11 times, with one
before that fills the disk cache. Anchors: icepool and dyce count the 46,656 throws of the same sheet; Fractions sum up
the mean by inclusion and exclusion; a numpy table of the 151,470 states is followed throw by throw for the law.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import factorial

import icepool
import numpy as np
from dyce import H, P

from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.scorebook import THROWS, Scorebook, scorebook
from bobing.odds.exact import throw
from bobing.odds.lengths import Reckoning, exact_length, mean_throws
from bobing.odds.sharing import exact_shares

ROUNDS, COLD_ROUNDS = 7, 11
SHEET = "company-chart"  # each throw wins in one tier alone
CAKES = {"duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}
LAW = 1600
COLD = {
    "icepool, imported and called": "import icepool; print(len(icepool.d6.pool(6).expand()))",
    "dyce, imported and called": "from dyce import H, P; print(len(list(P(*[H(6)] * 6).rolls_with_counts())))",
    "bobing.odds.exact.throw": f"from bobing.odds.exact import throw; print(throw({SHEET!r}).none)",
}
failed = []


def cold(code):
    """Milliseconds of processor time of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def timed(job, *given):
    start = time.process_time_ns()
    job(*given)
    return (time.process_time_ns() - start) / 1e6


def measured(title, jobs, rounds=ROUNDS, clock=timed):
    """Print the median of each job beside the first one, the anchor; gives the medians."""
    for job in jobs.values():
        clock(*job)
    table = [[clock(*job) for job in jobs.values()] for _ in range(rounds)]
    medians = dict(zip(jobs, (statistics.median(column) for column in zip(*table, strict=True)), strict=True))
    print(title)
    anchor = next(iter(medians.values()))
    for name, figure in medians.items():
        print(f"  {name:58}{figure:10.3f} ms {figure / anchor:9.4f} x")
    return medians


def aim(medians, ours, theirs, most, said):
    """Our figure is at most so many times theirs."""
    ratio = medians[ours] / medians[theirs]
    print(f"  aim: {said}: {ratio:.4f}, at most {most}")
    if ratio > most:
        failed.append(said)


def rows_of(rules):
    book = scorebook(rules).rows
    return {hand: (row.combination, row.tier or "", row.strength or 0) for hand, row in book.items()}


def by_icepool(rows):
    found = Counter()
    for hand, ways in icepool.d6.pool(6).expand().items():  # pyright: ignore[reportAttributeAccessIssue]
        found[rows[hand]] += ways
    return found


def by_dyce(rows):
    found = Counter()
    for roll, ways in P(*[H(6)] * 6).rolls_with_counts():
        found[rows[tuple(sorted(map(int, roll)))]] += int(ways)
    return found


def by_fractions(needs):
    """The mean by inclusion and exclusion, one Fraction at a time."""
    mean = Fraction(0)
    for size in range(1, len(needs) + 1):
        for some in combinations(needs, size):
            coefs = [Fraction(1)]
            for cakes, ways in some:
                short = [Fraction(ways**j, THROWS**j * factorial(j)) for j in range(cakes)]
                product = [Fraction(0)] * (len(coefs) + cakes - 1)
                for i, left in enumerate(coefs):
                    for j, right in enumerate(short):
                        product[i + j] += left * right
                coefs = product
            whole = Fraction(sum(ways for _, ways in some), THROWS)
            sign = 1 if size % 2 else -1
            mean += sign * sum(coef * factorial(k) / whole ** (k + 1) for k, coef in enumerate(coefs))
    return mean


def by_states(needs):
    """The law by following all states throw by throw."""
    now = np.zeros([cakes + 1 for cakes, _ in needs])
    now[tuple(cakes for cakes, _ in needs)] = 1
    done = (0,) * len(needs)
    quiet = 1 - sum(ways for _, ways in needs) / THROWS
    law = [0.0]
    for _ in range(LAW):
        after = now * quiet
        for axis, (_, ways) in enumerate(needs):
            p = ways / THROWS
            source, target = np.moveaxis(now, axis, 0), np.moveaxis(after, axis, 0)
            target[:-1] += p * source[1:]
            target[0] += p * source[0]
        law.append(after[done])
        after[done] = 0
        now = after
    return law


def dealt(times):
    cakes = "".join(f"{tier} = {times * n}\n" for tier, n in CAKES.items())
    return read_rules(f'extends = "{SHEET}"\n[cakes]\n{cakes}')


def main():
    rules = find_sheet(SHEET)
    rows, census = rows_of(rules), throw(rules).awards
    needs = [(1, census["zhuangyuan"]), *((CAKES[tier], census[tier]) for tier in CAKES)]
    found = measured(
        "one throw, a process from nothing", {name: (code,) for name, code in COLD.items()}, COLD_ROUNDS, cold
    )
    icepool_name, _, ours = COLD
    aim(found, ours, icepool_name, 1, "faster than icepool, imports counted")
    found = measured(
        "one throw, everything loaded",
        {
            "icepool": (by_icepool, rows),
            "dyce": (by_dyce, rows),
            "the counts of a compiled sheet": (throw, rules),
            "the 462 rows compiled before": (Scorebook, rules),
        },
    )
    aim(found, "the counts of a compiled sheet", "icepool", 0.5, "at least twice as fast as icepool")
    aim(found, "the counts of a compiled sheet", "dyce", 0.5, "at least twice as fast as dyce")
    found = measured(
        "the mean number of throws",
        {
            "Fractions": (by_fractions, needs),
            "ours, a float": (mean_throws, rules),
            "ours, the fraction": (lambda: Reckoning(rules, 10).mean_exact,),
        },
    )
    aim(found, "ours, a float", "Fractions", 1 / 40, "1 ms where Fractions take 40")
    assert abs(mean_throws(rules) / float(by_fractions(needs)) - 1) < 1e-12
    found = measured(
        f"the law of the number of throws, {LAW} values",
        {
            "states followed with numpy": (by_states, needs),
            "ours": (lambda: Reckoning(rules, 10).beyond[: LAW + 1],),
        },
        rounds=3,
    )
    aim(found, "ours", "states followed with numpy", 10 / 556, "10 ms where following states takes 556")
    law = exact_length(rules).law
    assert max(abs(a - b) for a, b in zip(law, by_states(needs), strict=False)) < 1e-11
    many = {f"{63 * times:,} cakes: the mean": (mean_throws, dealt(times)) for times in (1, 10, 100)}
    measured("how the mean grows with cakes", many, rounds=5)
    seats = {f"{n} players: cakes and title by seat": (exact_shares, rules, n) for n in (2, 10, 100)}
    measured("how shares grow with players", seats, rounds=3)
    print("missed:", ", ".join(failed) if failed else "nothing")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
