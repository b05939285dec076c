"""What it takes to check a record of 1,000 digital throws: reading it with its replay, and the proof of every throw.

Method: processor time, the median of five rounds. The anchor is the bare hashing that nobody can leave out: for each
throw two links and one block of dice, and the chain over all lines, with hashlib alone. Aim: 1 s on an idle machine.
"""

import hashlib
import hmac
import platform
import statistics
import sys
import time

from bobing.core.catalogue import find_sheet
from bobing.core.game import Game
from bobing.core.record import Draws, read_record, record_lines
from bobing.core.rules import rules_from_table
from bobing.fairness.acts import thrown
from bobing.fairness.chain import player_chain, server_link
from bobing.fairness.commit import Heads, opening_hash
from bobing.fairness.draw import Draw
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed, signs
from bobing.fairness.verify import verify_record

THROWS, SEATS, ROUNDS = 1_000, 10, 5
AIM = 250  # times bare hashing, which takes 4 ms when the machine is idle: 1 s
GAME, MASTER = bytes(range(16)), bytes(32)


def some_record():
    """Ten players with devices, and five times the cakes, so that the game lasts."""
    table = find_sheet("minnan").to_table()
    table["cakes"] = {tier: 5 * cakes for tier, cakes in table["cakes"].items()}
    rules = rules_from_table(table)
    chains = {p: player_chain(bytes([p]) * 32, GAME, p) for p in range(1, SEATS + 1)}
    heads = [Heads(p, server_link(MASTER, GAME, p, 0), chain[0]) for p, chain in chains.items()]
    t0 = opening_hash(GAME, bytes.fromhex(rules.digest), ZEROS, 256, b"", heads)
    j = seed(t0, {p: chain[1] for p, chain in chains.items()})
    told = [{"seat": one.seat - 1, "server": one.server.hex(), "player": (one.player or b"").hex()} for one in heads]
    attempt = {"t": "attempt", "why": "begin", "game": GAME.hex(), "links": 256, "plan": "", "prev": ZEROS.hex()}
    attempt |= {"spill": 0, "seats": told, "t0": t0.hex(), "at": 0}
    shown = [{"seat": p - 1, "link": chain[1].hex()} for p, chain in chains.items()]
    events = ((0, attempt), (0, {"t": "reveals", "links": shown, "at": 0}))
    events += ((0, {"t": "ready", "beacon": "", "j": j.hex(), "sas": signs(j)}),)
    game, proofs, count = Game.new(rules, SEATS), {}, dict.fromkeys(range(SEATS), 0)
    while len(proofs) < THROWS and not game.finished:
        seat = game.next_seat or 0
        count[seat] += 1
        k = count[seat]
        server, player = server_link(MASTER, GAME, seat + 1, k), chains[seat + 1][k + 1]
        game = game.play(thrown(seat, Draw(GAME, j, seat + 1, k, server, player), 0, game))
        proofs[len(game.log)] = {"seat": seat, "k": k, "s": server.hex(), "c": player.hex()}
    return list(record_lines(game, {}, Draws(events, proofs))), len(proofs)


def anchor(lines):
    last = bytes(32)
    for line in lines:
        last = hashlib.sha256(b"bobing/1/ev\0" + last + line).digest()
        for _ in range(2):
            hashlib.sha256(bytes(80)).digest()
        hmac.digest(last, bytes(100), "sha256")


def timed(job):
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        job()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def main():
    lines, throws = some_record()
    record = read_record(lines)
    report = verify_record(record)
    assert report.sound
    assert report.counts["PROVED-A"] == throws == THROWS
    bare = timed(lambda: anchor(lines))
    figures = {"reading and replay": timed(lambda: read_record(lines)), "proofs": timed(lambda: verify_record(record))}
    figures["a record, 1,000 throws"] = sum(figures.values())
    print(f"{'anchor: bare hashing':<26}{bare * 1000:8.1f} ms")
    for what, taken in figures.items():
        print(f"{what:<26}{taken * 1000:8.1f} ms   ratio {taken / bare:6.1f}")
    print(f"aim for the whole: at most {AIM} (1 s)")
    print(f"machine                   CPython {platform.python_version()}, {platform.machine()}, {platform.system()}")
    return int(figures["a record, 1,000 throws"] / bare > AIM)


if __name__ == "__main__":
    sys.exit(main())
