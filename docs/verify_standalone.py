#!/usr/bin/env python3
"""Checks the digital dice of a bobing record with Python's standard library and nothing else.

    python3 verify_standalone.py evening.jsonl

It is written to be read: this is all there is to the proof; what each step means stands in fairness.md beside it.
It knows no rules of the game: it checks that every throw shows the dice that were fixed before, and a
lights-out grab goes as they say, not what they win. The signature of a round of drand is checked by
drand_standalone.py, which is to lie beside it; without, it says that it did not, and calls no such throw PROVED-B.
"""

import hashlib
import hmac
import itertools
import json
import re
import sys
import unicodedata

try:  # the signature of drand, in a file of its own; without it such a round counts as no public chance
    from drand_standalone import is_signed
except ImportError:
    is_signed = None

ZEROS = bytes(32)
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Wrong(Exception):
    """Something in the record does not hold."""


def demand(holds, message):
    if not holds:
        raise Wrong(message)


# ---- bytes and hashes ------------------------------------------------------------------------------------------------


def number(value, size):
    return value.to_bytes(size, "big")


def text(value):
    return number(len(value), 2) + value


def tag(name):
    return b"bobing/1/" + name.encode() + b"\0"


def sha256(name, *parts):
    return hashlib.sha256(tag(name) + b"".join(parts)).digest()


def unhex(value):
    return None if value is None else bytes.fromhex(value)


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# ---- the form: what may stand in a line (record.md) ------------------------------------------------------------------
# Everything is held against it before anything is reckoned with it, so nothing below meets what it does not expect.

LINE_MAX, DEEPEST, LARGEST = 8 * 2**20, 40, 2**53 - 1


def plain(value, depth=0):
    """Whether a value of JSON is of the kinds that a record has: no fractions, nothing huge, nothing deep."""
    if isinstance(value, dict):
        inside = all(plain(entry, depth + 1) for entry in value.values())
    elif isinstance(value, list):
        inside = all(plain(entry, depth + 1) for entry in value)
    else:
        inside = value is None or isinstance(value, str) or (isinstance(value, int) and abs(value) <= LARGEST)
    return inside and depth <= DEEPEST


def whole(low, high):
    return lambda value: type(value) is int and low <= value <= high


def like(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def maybe(test):
    return lambda value: value is None or test(value)


def each(test):
    return lambda value: isinstance(value, list) and all(map(test, value))


def rising(test, key=lambda one: one["seat"]):
    def holds(value):
        return each(test)(value) and all(key(a) < key(b) for a, b in itertools.pairwise(value))

    return holds


def table(form, more=()):
    """An object with the keys of the form, and of `more` any."""
    known = {**form, **dict(more)}

    def holds(value):
        fits = isinstance(value, dict) and form.keys() <= value.keys() <= known.keys()
        return fits and all(known[key](entry) for key, entry in value.items())

    return holds


def by_key(test):
    return lambda value: isinstance(value, dict) and all(map(test, value.values()))


def itself(value):
    return value


def yes(value):
    return value is True


SEAT, AT, ACT_NUMBER, K = whole(0, 499), whole(0, 10**15), whole(1, 10**9), whole(1, 65_535)
HASH, GAME, HEX, TEXT = like("[0-9a-f]{64}"), like("[0-9a-f]{32}"), like("(?:[0-9a-f]{2})*"), like("(?s:.*)")
HEADS = {"seat": SEAT, "server": HASH, "player": maybe(HASH)}
FIXED = {"plan": HEX, "prev": HASH, "t0": HASH, "at": AT}
EVENTS = {
    "attempt": {
        "why": like("begin|void|again|spent|late"), "game": GAME, "links": whole(1, 65_534), "spill": whole(0, 6_553),
        "seats": rising(table(HEADS)), **FIXED,
    },
    "reveals": {"links": rising(table({"seat": SEAT, "link": HASH})), "at": AT},
    "ready": {"beacon": HEX, "j": HASH, "sas": TEXT},
    "void": {"missing": rising(SEAT, itself)},
    "late": HEADS,
    "late_ready": {
        "seat": SEAT, "link": maybe(HASH), "links": each(table({"seat": SEAT, "k": K, "link": HASH})), "j": HASH,
    },
    "seat_attempt": {**HEADS, **FIXED},
    "seat_reveal": {"seat": SEAT, "link": maybe(HASH), "at": AT},
    "seat_ready": {"seat": SEAT, "beacon": HEX, "j": HASH},
    "seat_void": {"seat": SEAT},
    "lost": {"seat": SEAT, "why": like("lost|freed|absent")},
    "real": {},
}  # fmt: skip
PROOF = table({"seat": SEAT, "k": K, "s": HASH, "c": maybe(HASH)})

CHOICES = {
    "grab": by_key(each(SEAT)), "choose": TEXT, "waive": lambda value: each(TEXT)(value) and value,
    "item": lambda value: by_key(TEXT)(value) and value,
}  # fmt: skip
PLAYS = (
    table({"seat": SEAT, "roll": like("[1-6]{6}")}, CHOICES),
    table({"seat": SEAT, "spill": yes}, {"roll": like("[1-6]{6}")}),
    table({"seat": SEAT, "rolloff": like("[1-6]{3}|[1-6]{6}")}),
    table({"start": table({"seat": SEAT, "dice": like("[1-6]{2}")})}),
    *(table({"seat": SEAT, key: yes}) for key in ("cocked", "pass", "leave", "back")),
    *(table({key: yes}) for key in ("join", "time_up", "close")),
    table({"join": table({"after": SEAT})}),
    table({"swap": lambda value: each(SEAT)(value) and len(value) == 2}),
)
CHANGES = (
    table({"undo": ACT_NUMBER}),
    table({"correct": ACT_NUMBER, "act": lambda value: any(play(value) for play in PLAYS)}, {"cut": yes}),
)
ACT = {
    "act": lambda value: any(act(value) for act in (*PLAYS, *CHANGES)), "n": ACT_NUMBER, "h": HASH,
    "struck": rising(ACT_NUMBER, itself),
    **dict.fromkeys(("combination", "finished", "moves", "next", "notes", "skipped", "title"), lambda _: True),
}  # fmt: skip


def is_rules(value):
    ranking = value.get("ranking") if isinstance(value, dict) else None
    tiers = isinstance(ranking, dict) and each(TEXT)(ranking.get("tiers"))
    return tiers and by_key(TEXT)(value.get("names", {}))


def is_name(value):
    bare = isinstance(value, str) and value.strip() and len(value.encode()) <= 96
    return bare and not any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") or sign in TURNING for sign in value)


TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # the direction of writing
LINES = {
    "header": table({
        "bobing": TEXT, "rules": is_rules, "rules_hash": HASH, "seats": whole(1, 500), "start": SEAT, "h": HASH,
    }),
    "name": table({"name": table({"seat": SEAT, "text": is_name})}),
    "fair": table({"fair": lambda _: True, "h": HASH}),
    "record/1": table(ACT),
    "record/2": table({**ACT, "proof": lambda _: True}),
}  # fmt: skip


def read(line):
    """The JSON object of a line; there is one way to write it."""
    demand(len(line) <= LINE_MAX, "a line is too long")
    try:
        value = json.loads(line.decode())
        plainly = isinstance(value, dict) and plain(value) and line == canonical(value) + b"\n"
    except (ValueError, RecursionError):
        raise Wrong("this is no JSON, or not of the plain kind") from None
    demand(plainly, "a line is not in canonical form")
    return value


# ---- the proof: what follows from what -------------------------------------------------------------------------------


def link_before(kind, game, seat, i, link):
    """Link i-1 of a chain; kind "sc" is the server's for this seat, "pc" that of the seat's own device."""
    return sha256(kind, game, number(seat, 2), number(i, 4), link)


def heads(seat, server, player):
    return number(seat, 2) + number(1 if player else 0, 1) + server + (player or ZEROS)


def six_signs(seed):
    bits = int.from_bytes(seed[:4], "big") >> 2
    return "".join(LETTERS[bits >> shift & 31] for shift in (25, 20, 15, 10, 5, 0))


def dice(game, seed, seat, k, server, player, spill):
    """The six faces of the k-th throw of a seat, whether they leave the bowl, and the faces that come then."""

    def stream():
        j = 0
        while True:
            message = tag("throw") + game + seed + number(seat, 2) + number(k, 4) + (player or ZEROS) + number(j, 4)
            yield from hmac.new(server, message, hashlib.sha256).digest()
            j += 1

    source = stream()
    fallen = (byte % 6 + 1 for byte in source if byte < 252)  # 252 = 6 * 42: 42 bytes for every face, four for none
    faces = "".join(str(next(fallen)) for _ in range(6))
    return faces, bool(spill) and next(source) * 256 + next(source) < spill, fallen


def grabbed(cakes, there, fallen):
    """Who gets the cakes of a lights-out grab: for each a seat, out of faces as digits to base six."""
    digits = next(n for n in range(10) if 6**n >= len(there))

    def one():
        while True:
            value = sum((next(fallen) - 1) * 6**place for place in reversed(range(digits)))
            if value < 6**digits - 6**digits % len(there):  # what would favour some is thrown again
                return there[value % len(there)]

    return {tier: [one() for _ in range(n)] for tier, n in cakes}


# ---- one game --------------------------------------------------------------------------------------------------------


def new_seat(server, player, own):
    """head: of the server; shown, at: the last link of the device that is known, and its number; unheard: the seats
    whose devices do not vouch for its dice, for they were there when it came, and their links are not in its seed."""
    return {
        "head": server, "player": player, "own": own, "seed": None, "public": False, "unheard": [], "draws": [],
        "shown": None, "at": 1,
    }  # fmt: skip


class Game:
    """Goes through a record line by line and keeps what has been fixed and shown so far."""

    def __init__(self, header):
        self.rules_hash, self.tiers, self.at_first = (
            header["rules_hash"],
            header["rules"]["ranking"]["tiers"],
            header["seats"],
        )
        self.stage, self.proving, self.attempt, self.previous = "none", False, None, ZEROS
        self.seats, self.counts, self.waiting, self.heads = {}, {}, {}, frozenset()
        self.acts, self.proofs, self.lines_before, self.line = {}, {}, {}, Place(0, {}, None, {}, {})
        self.first_start, self.start_verdict, self.signs = None, ("PROXY", ""), ""
        self.results, self.faults = [], []
        self.restarts = self.voids = 0
        self.forged = False
        self.late, self.lost, self.note = [], [], ""
        self.games, self.clock, self.round = set(), 0, 0

    # Events that stand between the acts.

    def event(self, after, told):
        kind = told.get("t") if isinstance(told, dict) else None
        try:
            form = EVENTS.get(kind) if isinstance(kind, str) else None
            demand(form is not None and table({"t": TEXT, **form})(told), "this is no event of a draw")
            if kind == "attempt":
                self.proving = True
            getattr(self, "on_" + kind)(told)
        except Wrong as wrong:
            self.faults.append((after, str(wrong)))

    def on_attempt(self, told):
        """Everything is fixed: the rules, the seats, and the head of every chain."""
        why, game, plan = told["why"], unhex(told["game"]), unhex(told["plan"])
        allowed = (
            {"begin"} if self.attempt is None else {"void"} if self.stage == "none" else {"again", "spent", "late"}
        )
        demand(
            self.stage in ("none", "ready", "real") and why in allowed, "an attempt was left out or dropped in silence"
        )
        demand(game not in self.games, "an id was used twice")
        seats = [(one["seat"], unhex(one["server"]), unhex(one["player"])) for one in told["seats"]]
        players = [one[2] for one in seats if one[2]]
        demand(len(set(players)) == len(players) and ZEROS not in players, "two seats have the same head")
        packed = b"".join(heads(seat + 1, server, player) for seat, server, player in seats)
        attempt = {"game": game, "plan": plan, "links": told["links"], "spill": told["spill"]}
        self.previous = attempt["t0"] = self.opening(told, attempt, plan, packed, len(seats))
        self.attempt, self.games = attempt, self.games | {game}
        self.restarts += why in ("again", "spent", "late")
        self.stage, self.counts, self.waiting, self.signs = "reveal", {}, {}, ""
        self.heads = frozenset(players)
        self.seats = {seat: new_seat(server, player, own=bool(player)) for seat, server, player in seats}

    def opening(self, told, attempt, plan, packed, seats):
        """T0, the hash of everything that was fixed; the public chance has to lie well behind it, and be a new one."""
        demand(unhex(told["prev"]) == self.previous, "it does not name the attempt before it")
        self.check_clock(told["at"])
        if plan[:1] == b"\x01":
            demand(plan[1:33].hex() == QUICKNET and len(plan) == 41, "an unknown chain of drand")
            demand(told["at"] + 30_000 <= self.round_time(plan), "the round of drand comes too soon")
            demand(round_of(plan) > self.round, "this round of drand was named before")
            self.round = round_of(plan)
        else:
            demand(plan == b"" or (plan[:1] == b"\x02" and len(plan) == 3 and plan[1:] != b"\0\0"), "an unknown plan")
        rules, spill = bytes.fromhex(self.rules_hash), attempt["spill"]
        if spill:
            rules = hashlib.sha256(canonical({"rules_hash": self.rules_hash, "spill": spill})).digest()
        fixed = number(attempt["links"], 4) + text(plan) + number(seats, 2) + packed
        t0 = sha256("t0", attempt["game"], rules, self.previous, fixed)
        demand(t0 == unhex(told["t0"]), "T0 is not the hash of what was fixed")
        return t0

    def on_reveals(self, told):
        """Every device shows its first link, which has to lead to its head."""
        demand(self.stage == "reveal", "nothing is to be revealed now")
        shown = {one["seat"]: unhex(one["link"]) for one in told["links"]}
        demand(sorted(shown) == self.own(), "all with a device reveal, and no others")
        for seat, link in shown.items():
            self.check_first_link(seat, link)
        self.check_before_round(self.attempt["plan"], told["at"])
        for seat, link in shown.items():
            self.seats[seat]["shown"] = link
        self.stage = "beacon"

    def on_ready(self, told):
        """J, the seed of all dice, is the hash of T0, all first links and the public chance."""
        demand(self.stage == "beacon", "this comes at the wrong time")
        beacon = self.check_beacon(self.attempt["plan"], unhex(told["beacon"]))
        links = b"".join(number(seat + 1, 2) + (one["shown"] or ZEROS) for seat, one in sorted(self.seats.items()))
        seed = sha256("j", self.attempt["t0"], number(len(self.seats), 2), links, text(beacon))
        demand(seed == unhex(told["j"]), "J is not the hash of what was shown")
        demand(six_signs(seed) == told["sas"], "the six signs are not those of J")
        self.check_signature(beacon)
        for one in self.seats.values():
            one.update(seed=seed, public=self.public(self.attempt["plan"]))
        self.attempt["seed"], self.signs, self.stage = seed, told["sas"], "ready"

    def check_beacon(self, plan, beacon):
        """The public chance is what was announced: a signature of drand, or so many real dice."""
        if plan[:1] == b"\x01":
            demand(beacon[:43] == plan + number(48, 2) and len(beacon) == 91, "not the round of drand announced")
        elif plan[:1] == b"\x02":
            faces = int.from_bytes(plan[1:], "big")
            demand(beacon[:3] == plan and len(beacon) == 3 + faces, "not the dice that were announced")
            demand(set(beacon[3:]) <= set(b"123456"), "dice have faces from 1 to 6")
        else:
            demand(beacon == b"", "no public chance was announced")
        return beacon

    def check_signature(self, beacon):
        """drand signed its round. Behind the first that is forged no other is taken: each takes a second to look at."""
        if beacon[:1] == b"\x01" and is_signed is not None:
            demand(not self.forged, "a round of drand before this was forged: no more of them are looked at")
            self.forged = not is_signed(round_of(beacon[:41]), beacon[43:])
            demand(not self.forged, "drand did not sign this")

    def public(self, plan):
        """Whether public chance counts. A round of drand whose signature is not checked here is as good as none."""
        if plan[:1] == b"\x01" and is_signed is None:
            self.note = "drand's signature is not checked: put drand_standalone.py beside this file. PROVED-A at most."
            return False
        return plan != b""

    def check_clock(self, at):
        demand(at >= self.clock, "this was told at an earlier time than what stands before it")
        self.clock = at

    def check_before_round(self, plan, at):
        self.check_clock(at)
        demand(plan[:1] != b"\x01" or at < self.round_time(plan), "the round of drand was there already")

    def on_void(self, told):
        demand(
            self.stage in ("reveal", "beacon") and set(told["missing"]) <= set(self.own()), "nothing could fail here"
        )
        self.voids, self.stage = self.voids + 1, "none"

    def on_late(self, told):
        """Somebody comes when J is known, or a device does to a seat without one. Their own seed has to hang on what
        others have still to show: not the link of their next draw, which may have left the phone already and be held
        back, but that of the second."""
        self.check_ready()
        demand(not self.attempt["plan"], "a seat that comes late gets public chance of its own here")
        self.pend(told)

    def pend(self, told, alone=None):
        """A seat whose dice are fixed while the others play; alone: its own attempt, with public chance."""
        seat, server, player = told["seat"], unhex(told["server"]), unhex(told["player"])
        one = self.seats.get(seat)
        new = one is None or (alone and one["seed"] is None) or (one["player"] is None and player)
        demand(new and seat not in self.waiting, "this seat takes part already")
        demand(player not in self.heads | {ZEROS}, "a head serves twice")
        demand(one is None or one["head"] == server, "the server has another head for this seat")
        self.late += [seat] if one is None or one["seed"] else []
        if one is None:
            self.seats[seat] = new_seat(server, player, own=False)
        self.seats[seat]["player"], self.heads = player, self.heads | ({player} if player else set())
        lap = {q: len(one["draws"]) + 2 for q, one in sorted(self.seats.items()) if one["shown"] and q != seat}
        self.waiting[seat] = {"own": bool(player), "lap": lap, "alone": alone, "link": None, "revealed": False}

    def on_late_ready(self, told):
        self.check_ready()
        seat, link, wait = told["seat"], unhex(told["link"]), self.waiting.get(told["seat"])
        demand(wait and not wait["alone"], "this seat does not wait")
        laps = [(one["seat"], one["k"], unhex(one["link"])) for one in told["links"]]
        drawn = [(q, k, self.seats[q]["draws"][k - 1][0]) for q, k in wait["lap"].items() if self.has_drawn(q, k)]
        waited = [(q, k, unhex(proof["c"])) for q, k, proof in drawn if proof["c"]]
        demand(laps == waited, "these are not the draws that were waited for")
        unheard = [q for q in wait["lap"] if q not in [lap[0] for lap in laps]]
        there = set(self.own()) - self.away()
        demand(not there & set(unheard), "not everybody has drawn twice since the seat came")
        self.check_link_of(seat, link)
        shown = b"".join(number(other + 1, 2) + number(k, 4) + given for other, k, given in laps)
        packed = heads(seat + 1, self.seats[seat]["head"], self.seats[seat]["player"])
        seed = sha256("late", self.attempt["seed"], packed, link or ZEROS, number(len(laps), 2), shown)
        demand(seed == unhex(told["j"]), "J of the seat does not fit")
        self.fix_seat(told, seed, link, public=False)
        self.seats[seat]["unheard"] = unheard

    def on_seat_attempt(self, told):
        """One seat alone, by the formulas of the whole: its own T0, and other public chance, named before."""
        self.check_ready()
        seat, plan, ours = told["seat"], unhex(told["plan"]), self.attempt["plan"]
        demand(ours and plan[:1] == ours[:1], "no public chance of this kind was announced")
        demand(plan == ours or plan[:1] == b"\x01", "fewer dice than were announced")
        packed = heads(seat + 1, unhex(told["server"]), unhex(told["player"]))
        t0 = self.opening(told, self.attempt, plan, packed, 1)
        self.pend(told, {"plan": plan, "t0": t0})
        self.previous = t0

    def on_seat_reveal(self, told):
        wait, link = self.waiting.get(told["seat"]), unhex(told["link"])
        demand(wait and wait["alone"] and not wait["revealed"], "this comes at the wrong time")
        self.check_link_of(told["seat"], link)
        self.check_before_round(wait["alone"]["plan"], told["at"])
        wait["link"], wait["revealed"] = link, True

    def on_seat_ready(self, told):
        wait = self.waiting.get(told["seat"])
        demand(wait and wait["alone"] and wait["revealed"], "this comes at the wrong time")
        beacon = self.check_beacon(wait["alone"]["plan"], unhex(told["beacon"]))
        links = number(told["seat"] + 1, 2) + (wait["link"] or ZEROS)
        seed = sha256("j", wait["alone"]["t0"], number(1, 2), links, text(beacon))
        demand(seed == unhex(told["j"]), "J of the seat does not fit")
        self.check_signature(beacon)
        self.fix_seat(told, seed, wait["link"], public=self.public(wait["alone"]["plan"]))

    def on_seat_void(self, told):
        wait = self.waiting.get(told["seat"])
        demand(wait and wait["alone"], "nothing could fail here")
        del self.waiting[told["seat"]]
        self.voids += 1

    def check_link_of(self, seat, link):
        demand(bool(link) is self.waiting[seat]["own"], "the seat has to show its first link")
        if link:
            self.check_first_link(seat, link)

    def fix_seat(self, told, seed, link, public):
        own = self.waiting.pop(told["seat"])["own"]
        self.seats[told["seat"]].update(own=own, seed=seed, public=public, shown=link, at=1, unheard=[])

    def on_lost(self, told):
        """Without public chance a seat goes on without links of its own; with it, it waits for another."""
        self.check_ready()
        seat, wait = told["seat"], self.waiting.get(told["seat"])
        if wait and wait["own"] and not wait["alone"]:
            wait["own"] = False
            if self.seats[seat]["seed"]:
                del self.waiting[seat]
        else:
            demand(seat in self.own(), "it had no links to lose")
            self.seats[seat]["own"] = False
            if self.attempt["plan"]:
                self.seats[seat]["seed"] = None
        self.lost.append(seat)

    def on_real(self, _told):
        self.stage, self.seats, self.counts, self.waiting = "real", {}, {}, {}

    # Acts of the game.

    def act(self, n, act, proof, struck):
        """One act: its dice against its proof; then which acts still stand."""
        self.acts[n], self.proofs[n], self.lines_before[n] = act, proof, self.line
        drawn = shown_dice(act)[1] or ("spill" in act and proof is not None)
        if "undo" in act or "correct" in act:
            self.changed(n, act, struck)
        else:
            if drawn:
                self.thrown(n, act, proof)
            self.line = Place(n, act, self.line, self.seats, self.counts)
        if proof is not None and not drawn:
            self.faults.append((n, "nothing is drawn for this act"))

    def changed(self, n, act, struck):
        """An undo or a correction: only what stands counts, and an undo of a change brings back what was before it."""
        told = act.get("undo", act.get("correct"))
        other = self.acts[told] if told < n else {}
        change = "undo" in other or "correct" in other
        if not stands(self.line, told) and not (change and "undo" in act):
            self.faults.append((n, "what it changes does not stand, or is a change, which is taken back alone"))
        elif "correct" in act:
            self.corrected(n, act)
            gone = next((place for place in struck if stands(self.line, place)), n)
            self.line = replaced(before(self.line, gone), told, act["act"])
        else:
            self.line = self.lines_before[told] if change else before(self.line, told)
        self.counts = (
            self.line.counts if self.line.seats is self.seats else {}
        )  # draws of an earlier attempt do not count

    def thrown(self, n, act, proof):
        seat = act["start"]["seat"] if "start" in act else act["seat"]
        if proof is None:
            return self.typed(n, seat)
        try:
            demand(PROOF(proof), "this is no proof")
            verdict, why = self.check(seat, act, proof)
        except Wrong as wrong:
            self.results.append((n, seat, proof["k"] if PROOF(proof) else None, "FAILED", str(wrong)))
        else:
            self.results.append((n, seat, proof["k"], verdict, why))

    def typed(self, n, seat):
        physical = not self.proving or self.stage == "real"
        self.results.append((n, seat, None, "PHYSICAL" if physical else "FAILED", "" if physical else "no proof"))

    def check(self, seat, act, proof):
        """The verdict on a draw, and why it is no more; Wrong where the dice are not those that were fixed."""
        kind, shown = shown_dice(act)
        one, k, server, player = self.seats.get(proof["seat"]), proof["k"], unhex(proof["s"]), unhex(proof["c"])
        again = bool(one) and k <= len(one["draws"])
        demand(kind != "start" or not self.line.thrown, "who begins was thrown for when the game had begun")
        if kind == "start" and self.first_start is not None:
            demand(not self.line.started, "the dice for the start lie there already")
            demand((proof, shown) == self.first_start, "the dice for the start are thrown once")
            if again and one["draws"][k - 1][0] == proof:
                self.count(proof)
            return self.start_verdict
        demand(proof["seat"] == seat, "this is the proof of another seat")
        demand(k == self.counts.get(seat, 0) + 1, "a draw of this seat is missing, doubled or out of order")
        demand(self.stage == "ready" and one and (one["seed"] or again), "this seat may not draw yet")
        if again:
            demand(proof == one["draws"][k - 1][0], "it was drawn before with other links")
            seed = one["draws"][k - 1][1]
        else:
            seed = one["seed"]
            self.check_links(seat, one, k, server, player)
        faces, spilt, fallen = dice(self.attempt["game"], seed, seat + 1, k, server, player, self.attempt["spill"])
        self.count(proof)
        if not again:
            one["draws"].append((proof, seed, one["public"], one["unheard"]))
            if player:
                one["shown"], one["at"] = player, k + 1
        if kind == "start":
            self.first_start, self.start_verdict = (proof, shown), self.verdict(proof)
        demand(
            kind in ("start", "rolloff") or (kind == "spill") is spilt, "a die left the bowl that should not, or not"
        )
        demand(shown and faces.startswith(shown), "other dice")
        if "grab" in act:
            cakes, there = [(tier, len(act["grab"][tier])) for tier in self.tiers if tier in act["grab"]], self.there()
            demand(there and grabbed(cakes, there, fallen) == act["grab"], "others got the cakes of the grab")
        return self.verdict(proof)

    def count(self, proof):
        self.counts = {**self.counts, proof["seat"]: self.counts.get(proof["seat"], 0) + 1}

    def check_links(self, seat, one, k, server, player):
        """Both links of a draw that was never seen lead back to those before."""
        game = self.attempt["game"]
        demand(k <= self.attempt["links"], "the chain is used up")
        before = unhex(one["draws"][-1][0]["s"]) if one["draws"] else one["head"]
        demand(link_before("sc", game, seat + 1, k, server) == before, "the server's link does not lead back")
        demand(bool(player) is one["own"], "the link of the seat's own device is missing, or there is one too many")
        link = player
        for i in range(k + 1, one["at"] if player else k + 1, -1):
            link = link_before("pc", game, seat + 1, i, link)
        demand(not player or link == one["shown"], "the link of the seat's own device does not lead back")

    def corrected(self, n, act):
        """A correction leaves proved dice as they fell, and puts no dice where none were drawn."""
        was, now, proof = self.acts[act["correct"]], act["act"], self.proofs[act["correct"]]
        if brought(was) == brought(now):
            return
        if PROOF(proof):
            self.results.append((n, proof["seat"], proof["k"], "FAILED", "proved dice were replaced by others"))
        typed = any(result[0] == act["correct"] and result[3] == "PHYSICAL" for result in self.results)
        if proof is None and shown_dice(now)[1] and not typed:
            self.typed(n, now["start"]["seat"] if "start" in now else now["seat"])

    def verdict(self, proof):
        """What a draw that holds is proved by, and why it is no more."""
        public, unheard = self.seats[proof["seat"]]["draws"][proof["k"] - 1][2:]
        if proof["c"] and unheard:
            return "PROXY", f"it came while the devices of seats {unheard} were away or lost: they do not vouch for it"
        return "PROXY" if not proof["c"] else "PROVED-B" if public else "PROVED-A", ""

    # Small questions.

    def check_ready(self):
        demand(self.stage == "ready", "the dice are not fixed yet, or are real ones")

    def own(self):
        return sorted(seat for seat, one in self.seats.items() if one["own"])

    def check_first_link(self, seat, link):
        head = link_before("pc", self.attempt["game"], seat + 1, 1, link)
        demand(head == self.seats[seat]["player"], f"what seat {seat} shows does not lead to its head")

    def has_drawn(self, seat, k):
        return k <= len(self.seats[seat]["draws"])

    def there(self):
        """Seats in the order of play, without those who left."""
        order = list(range(self.at_first))
        for act in reversed([place.act for place in places(self.line)]):
            if "join" in act:
                behind = act["join"]["after"] if isinstance(act["join"], dict) else order[-1]
                demand(behind in order, "somebody sits down behind a seat that there is not")
                order.insert(order.index(behind) + 1, len(order))
            elif "swap" in act:
                demand(set(act["swap"]) <= set(order), "seats change places that there are not")
                one, other = (order.index(seat) for seat in act["swap"])
                order[one], order[other] = order[other], order[one]
        gone = self.away()
        return [seat for seat in order if seat not in gone]

    def away(self):
        last = {}
        for place in places(self.line):
            if "leave" in place.act or "back" in place.act:
                last.setdefault(place.act["seat"], "leave" in place.act)
        return {seat for seat, gone in last.items() if gone}

    def round_time(self, plan):
        return (1_692_803_367 + 3 * (round_of(plan) - 1)) * 1000


def round_of(plan):
    return int.from_bytes(plan[33:], "big")


def shown_dice(act):
    """What kind of dice an act shows, and their faces."""
    if "start" in act:
        return "start", act["start"]["dice"]
    if "rolloff" in act:
        return "rolloff", act["rolloff"]
    return "spill" if "spill" in act else "throw" if "roll" in act else "none", act.get("roll", "")


def brought(act):
    """What of an act a correction may not change: the dice, whose they are, and who got the cakes of a grab. The dice
    for the start are thrown by anybody."""
    return *shown_dice(act), act.get("seat") if shown_dice(act)[1] else None, act.get("grab")


class Place:
    """An act that stands, in a line that leads back, so that no undo has to copy it. The first has the number 0.

    counts: by seat, the draws up to here from the chains of `seats`; started: whether the dice for who begins lie
    there; thrown: whether anybody threw since; far: a place further back, at some much further, so that one of long ago
    is found in few steps.
    """

    def __init__(self, n, act, before, seats, counts):
        self.n, self.act, self.before, self.seats, self.counts = n, act, before, seats, counts
        self.started = "start" in act or bool(before and before.started)
        self.thrown = "roll" in act or bool(before and before.thrown)
        self.depth, self.far = before.depth + 1 if before else 0, before or self
        if before and before.depth - before.far.depth == before.far.depth - before.far.far.depth:
            self.far = before.far.far


def places(line):
    while line.n:
        yield line
        line = line.before


def before(line, n):
    """What stands before act n."""
    while line.n >= n:
        line = line.far if line.far.n >= n else line.before
    return line


def stands(line, n):
    return before(line, n + 1).n == n


def replaced(line, n, act):
    """The line with another act in the place of act n."""
    behind = list(itertools.takewhile(lambda place: place.n >= n, places(line)))
    line = before(line, n)
    for place in reversed(behind):
        line = Place(place.n, act if place.n == n else place.act, line, place.seats, place.counts)
    return line


# ---- the whole record ------------------------------------------------------------------------------------------------


def verify(lines):
    """Go through a record: the form of each line, the chain of hashes, then every event and throw. Raises Wrong where
    the file is damaged."""
    at, record = 0, Record()
    for at, line in enumerate(lines, 1):
        try:
            record.take(read(line))
        except Wrong as wrong:
            raise Wrong(f"line {at}: {wrong}") from None
    demand(record.game is not None, "this record is empty")
    return record.finish()


class Record:
    """The lines as far as they were read, and the hash of the last."""

    def __init__(self):
        self.version, self.last, self.game, self.named, self.seats = "", ZEROS, None, 0, 0

    def take(self, value):
        if self.game is None:
            self.chained(value, "header")
            self.begin(value)
        elif "name" in value:
            demand(LINES["name"](value), "this is no name")
            self.named = max(self.named, value["name"]["seat"])
        elif "fair" in value and self.version == "record/2":
            self.chained(value, "fair")
            self.game.event(len(self.game.acts), value["fair"])
        else:
            self.chained(value, self.version)
            demand(value["n"] == len(self.game.acts) + 1, "acts are missing, doubled or out of order")
            self.seats += "join" in value["act"]
            self.game.act(value["n"], value["act"], value.get("proof"), value["struck"])

    def chained(self, value, form):
        body = canonical({key: entry for key, entry in value.items() if key != "h"})
        self.last = sha256("ev", self.last, number(len(body), 4), body)
        demand(self.last.hex() == value.get("h"), "a line was changed: the hash does not fit")
        demand(LINES[form](value), f"this does not have the form of a line ({form})")

    def begin(self, header):
        demand(header["bobing"] in ("record/1", "record/2"), "this is no record")
        demand(header["start"] < header["seats"], "the start is no seat")
        settings = {key: entry for key, entry in header["rules"].items() if key not in LABELS}
        demand(hashlib.sha256(canonical(settings)).hexdigest() == header["rules_hash"], "the rules were changed")
        self.version, self.seats, self.game = header["bobing"], header["seats"], Game(header)

    def finish(self):
        demand(self.named < self.seats, "a seat is named that there never was")
        if self.game.stage == "none" and self.game.attempt:
            self.game.faults.append((len(self.game.acts), "an attempt failed, and nothing followed"))
        return self.game, self.last.hex()


LABELS = ("key", "aliases", "names", "source", "extends", "origins")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as file:
            game, receipt = verify(iter(lambda: file.readline(LINE_MAX + 1), b""))
    except Wrong as wrong:
        sys.exit(f"damaged: {wrong}")
    except OSError as wrong:
        sys.exit(f"not read: {wrong}")
    for n, seat, k, verdict, why in game.results:
        print(f"{n:>5}  {verdict:<8}  seat {seat}  {f'draw {k}' if k else ''}  {why}".rstrip())
    for after, why in game.faults:
        print(f"behind act {after}: {why}")
    bad = len(game.faults) + sum(result[3] == "FAILED" for result in game.results)
    print(f"drawn anew {game.restarts}, void {game.voids}, late seats {game.late}, lost links {game.lost}")
    print(f"six signs {game.signs or '-'}, receipt {receipt}")
    if game.note:
        print(game.note)
    print("everything holds" if not bad else f"{bad} things do not hold")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
