#!/usr/bin/env python3
"""Checks the digital dice of a bobing record with Python's standard library and nothing else.

    python3 verify_standalone.py evening.jsonl

It is written to be read: this is all there is to the proof; what each step means stands in fairness.md beside it.
It knows no rules of the game: it checks that every throw shows the dice that were fixed before, not what they win, and
not who got what in a lights-out grab. It cannot check the signature of drand, and says so.
"""

import hashlib
import hmac
import json
import sys

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


def unhex(value, size=None):
    demand(isinstance(value, str) and value == value.lower(), "hex is written in lower case")
    try:
        raw = bytes.fromhex(value)
    except ValueError:
        raise Wrong("this is no hex") from None
    demand(raw.hex() == value and size in (None, len(raw)), "this hex has the wrong length")
    return raw


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


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
    """The six faces of the k-th throw of a seat, and whether they leave the bowl."""

    def stream():
        j = 0
        while True:
            message = tag("throw") + game + seed + number(seat, 2) + number(k, 4) + (player or ZEROS) + number(j, 4)
            yield from hmac.new(server, message, hashlib.sha256).digest()
            j += 1

    source, faces = stream(), ""
    while len(faces) < 6:
        byte = next(source)
        if byte < 252:  # 252 = 6 * 42: every face has 42 bytes, four bytes are passed over
            faces += str(byte % 6 + 1)
    return faces, bool(spill) and next(source) * 256 + next(source) < spill


# ---- one game --------------------------------------------------------------------------------------------------------


class Game:
    """Goes through a record line by line and keeps what has been fixed and shown so far."""

    def __init__(self, rules_hash):
        self.rules_hash = rules_hash
        self.stage, self.proving, self.attempt, self.previous = "none", False, None, ZEROS
        self.seats, self.drawn, self.waiting = {}, {}, {}
        self.acts, self.proofs, self.line, self.lines_before = {}, {}, [], {}
        self.first_start, self.signs = None, ""
        self.results, self.faults = [], []
        self.restarts = self.voids = 0
        self.late, self.lost, self.note = [], [], ""

    # Events that stand between the acts.

    def event(self, after, told):
        try:
            kinds = ("attempt", "reveals", "ready", "void", "late", "late_ready", "lost", "real")
            demand(isinstance(told, dict) and told.get("t") in kinds, "this is no event of a draw")
            if told["t"] == "attempt":
                self.proving = True
            getattr(self, "on_" + told["t"])(told)
        except (Wrong, KeyError, TypeError) as wrong:
            self.faults.append((after, f"{type(wrong).__name__}: {wrong}"))

    def on_attempt(self, told):
        """Everything is fixed: the rules, the seats, and the head of every chain."""
        why, game, plan = told["why"], unhex(told["game"], 16), unhex(told["plan"])
        allowed = (
            {"begin"} if self.attempt is None else {"void"} if self.stage == "none" else {"again", "spent", "late"}
        )
        demand(
            self.stage in ("none", "ready", "real") and why in allowed, "an attempt was left out or dropped in silence"
        )
        demand(unhex(told["prev"], 32) == self.previous, "it does not name the attempt before it")
        demand(self.attempt is None or game != self.attempt["game"], "an id was used twice")
        seats = [
            (one["seat"], unhex(one["server"], 32), one["player"] and unhex(one["player"], 32)) for one in told["seats"]
        ]
        demand([one[0] for one in seats] == sorted({one[0] for one in seats}), "seats stand once each, in order")
        players = [one[2] for one in seats if one[2]]
        demand(len(set(players)) == len(players) and ZEROS not in players, "two seats have the same head")
        rules, spill = bytes.fromhex(self.rules_hash), told["spill"]
        if spill:
            rules = hashlib.sha256(canonical({"rules_hash": self.rules_hash, "spill": spill})).digest()
        packed = b"".join(heads(seat + 1, server, player) for seat, server, player in seats)
        t0 = sha256(
            "t0", game, rules, self.previous, number(told["links"], 4), text(plan), number(len(seats), 2), packed
        )
        demand(t0 == unhex(told["t0"], 32), "T0 is not the hash of what was fixed")
        if plan[:1] == b"\x01":
            demand(plan[1:33].hex() == QUICKNET and len(plan) == 41, "an unknown chain of drand")
            demand(told["at"] + 30_000 <= self.round_time(plan), "the round of drand comes too soon")
        else:
            demand(plan == b"" or (plan[:1] == b"\x02" and len(plan) == 3 and plan[1:] != b"\0\0"), "an unknown plan")
        self.restarts += why in ("again", "spent", "late")
        self.attempt = {"game": game, "t0": t0, "plan": plan, "links": told["links"], "spill": spill}
        self.previous, self.stage, self.drawn, self.waiting, self.signs = t0, "reveal", {}, {}, ""
        self.seats = {
            seat: {"server": server, "player": player, "own": bool(player), "seed": None, "draws": [], "shown": None}
            for seat, server, player in seats
        }

    def on_reveals(self, told):
        """Every device shows its first link, which has to lead to its head."""
        demand(self.stage == "reveal", "nothing is to be revealed now")
        shown = {one["seat"]: unhex(one["link"], 32) for one in told["links"]}
        demand(sorted(shown) == [one["seat"] for one in told["links"]], "seats stand once each, in order")
        demand(sorted(shown) == self.own(), "all with a device reveal, and no others")
        for seat, link in shown.items():
            self.check_first_link(seat, link)
        plan = self.attempt["plan"]
        demand(plan[:1] != b"\x01" or told["at"] < self.round_time(plan), "the round of drand was there already")
        for seat, link in shown.items():
            self.seats[seat]["shown"] = link
        self.stage = "beacon"

    def on_ready(self, told):
        """J, the seed of all dice, is the hash of T0, all first links and the public chance."""
        demand(self.stage == "beacon", "this comes at the wrong time")
        plan, beacon = self.attempt["plan"], unhex(told["beacon"])
        if plan[:1] == b"\x01":
            demand(
                beacon[:43] == plan + number(48, 2) and len(beacon) == 91, "not the round of drand that was announced"
            )
            self.note = "The signature of drand is not checked here; these throws count as PROVED-A."
        elif plan[:1] == b"\x02":
            faces = int.from_bytes(plan[1:], "big")
            demand(beacon[:3] == plan and len(beacon) == 3 + faces, "not the dice that were announced")
            demand(set(beacon[3:]) <= set(b"123456"), "dice have faces from 1 to 6")
        else:
            demand(beacon == b"", "no public chance was announced")
        links = b"".join(number(seat + 1, 2) + (one["shown"] or ZEROS) for seat, one in sorted(self.seats.items()))
        seed = sha256("j", self.attempt["t0"], number(len(self.seats), 2), links, text(beacon))
        demand(seed == unhex(told["j"], 32), "J is not the hash of what was shown")
        demand(six_signs(seed) == told["sas"], "the six signs are not those of J")
        for one in self.seats.values():
            one["seed"] = seed
        self.attempt["seed"], self.signs, self.stage = seed, told["sas"], "ready"

    def on_void(self, told):
        demand(
            self.stage in ("reveal", "beacon") and set(told["missing"]) <= set(self.own()), "nothing could fail here"
        )
        self.voids, self.stage = self.voids + 1, "none"

    def on_late(self, told):
        """Somebody comes when J is known. Their own seed has to hang on what others have still to show."""
        seat, player = told["seat"], told["player"] and unhex(told["player"], 32)
        demand(self.stage == "ready" and seat not in self.seats, "this seat takes part already")
        known = [one["player"] for one in self.seats.values()]
        demand(player is None or (player not in known and player != ZEROS), "two seats have the same head")
        self.seats[seat] = {
            "server": unhex(told["server"], 32), "player": player, "own": bool(player),
            "seed": None, "draws": [], "shown": None, "late": True,
        }  # fmt: skip
        self.waiting[seat] = []
        self.late.append(seat)

    def on_late_ready(self, told):
        seat, link = told["seat"], told["link"] and unhex(told["link"], 32)
        demand(self.stage == "ready" and seat in self.waiting, "this seat does not wait")
        laps = [(one["seat"], one["k"], unhex(one["link"], 32)) for one in told["links"]]
        demand(laps == self.waiting[seat], "these are not the throws since the seat came")
        there = [one for one in self.own() if one != seat and one not in self.waiting and one not in self.away()]
        demand(set(there) <= {lap[0] for lap in laps}, "not everybody has thrown since the seat came")
        one = self.seats[seat]
        demand(bool(link) is one["own"], "the seat has to show its first link")
        if link:
            self.check_first_link(seat, link)
        shown = b"".join(number(other + 1, 2) + number(k, 4) + given for other, k, given in laps)
        packed = heads(seat + 1, one["server"], one["player"])
        seed = sha256("late", self.attempt["seed"], packed, link or ZEROS, number(len(laps), 2), shown)
        demand(seed == unhex(told["j"], 32), "J of the late seat does not fit")
        one["seed"], one["shown"] = seed, link
        del self.waiting[seat]

    def on_lost(self, told):
        demand(self.stage == "ready" and told["seat"] in self.own(), "it had no links to lose")
        demand(told["why"] in ("lost", "freed", "absent"), "an unknown reason")
        self.seats[told["seat"]]["own"] = False
        self.lost.append(told["seat"])

    def on_real(self, _told):
        self.stage, self.seats, self.drawn, self.waiting = "real", {}, {}, {}

    # Acts of the game.

    def act(self, n, act, proof, struck):
        """One act: its dice against its proof; then which acts still stand."""
        self.acts[n], self.proofs[n], self.lines_before[n] = act, proof, list(self.line)
        if "undo" in act:
            undone = self.acts[act["undo"]]
            change = "undo" in undone or "correct" in undone
            back = [place for place in self.line if place < act["undo"]]
            self.line = list(self.lines_before[act["undo"]]) if change else back
        elif "correct" in act:
            self.corrected(n, act)
            self.line = [place for place in self.line if place not in struck]
        else:
            self.line.append(n)
            if shown_dice(act)[1] or (act.get("spill") and proof):
                self.thrown(n, act, proof)
                return
        if proof is not None:
            self.faults.append((n, "nothing is drawn for this act"))

    def thrown(self, n, act, proof):
        seat = act["start"]["seat"] if "start" in act else act["seat"]
        if proof is None:
            physical = not self.proving or self.stage == "real"
            self.results.append((n, seat, None, "PHYSICAL" if physical else "FAILED", "" if physical else "no proof"))
            return
        k = proof.get("k") if isinstance(proof, dict) else None
        try:
            verdict = self.check(n, seat, act, proof)
        except (Wrong, KeyError, TypeError, OverflowError) as wrong:
            self.results.append((n, seat, k, "FAILED", f"{wrong}"))
        else:
            self.results.append((n, seat, k, verdict, ""))

    def check(self, n, seat, act, proof):
        demand(sorted(proof) == ["c", "k", "s", "seat"], "this is no proof")
        kind, shown = shown_dice(act)
        if kind == "start" and self.first_start is not None:
            demand((proof, shown) == self.first_start, "the dice for the start are thrown once")
            if self.seats.get(proof["seat"]) and proof in self.seats[proof["seat"]]["draws"]:
                self.drawn[n] = proof
            return self.verdict(proof)
        demand(proof["seat"] == seat, "this is the proof of another seat")
        standing = sum(self.drawn[place]["seat"] == seat for place in self.line if place in self.drawn)
        demand(proof["k"] == standing + 1, "a draw of this seat is missing, doubled or out of order")
        one, game = self.seats.get(seat), self.attempt and self.attempt["game"]
        demand(self.stage == "ready" and one and one["seed"], "this seat may not draw yet")
        k, server, player = proof["k"], unhex(proof["s"], 32), proof["c"] and unhex(proof["c"], 32)
        again = k <= len(one["draws"])
        if again:
            demand(proof == one["draws"][k - 1], "it was drawn before with other links")
        else:
            demand(k <= self.attempt["links"], "the chain is used up")
            before = unhex(one["draws"][-1]["s"], 32) if one["draws"] else one["server"]
            demand(link_before("sc", game, seat + 1, k, server) == before, "the server's link does not lead back")
            demand(bool(player) is one["own"], "the link of the seat's own device is missing, or there is one too many")
            leads = not player or link_before("pc", game, seat + 1, k + 1, player) == one["shown"]
            demand(leads, "the link of the seat's own device does not lead back")
        faces, spilt = dice(game, one["seed"], seat + 1, k, server, player, self.attempt["spill"])
        self.drawn[n] = proof
        if not again:
            one["draws"].append(proof)
            if player:
                one["shown"] = player
                for laps in self.waiting.values():
                    if seat not in [lap[0] for lap in laps]:
                        laps.append((seat, k, player))
        if kind == "start" and self.first_start is None:
            self.first_start = (proof, shown)
        demand(
            kind in ("start", "rolloff") or (kind == "spill") is spilt, "a die left the bowl that should not, or not"
        )
        demand(faces.startswith(shown) and len(shown) == {"start": 2, "rolloff": len(shown)}.get(kind, 6), "other dice")
        return self.verdict(proof)

    def corrected(self, n, act):
        """A correction leaves proved dice as they fell."""
        proof = self.proofs.get(act["correct"])
        if isinstance(proof, dict) and shown_dice(self.acts[act["correct"]]) != shown_dice(act["act"]):
            self.results.append((n, proof.get("seat"), proof.get("k"), "FAILED", "proved dice were replaced by others"))

    def verdict(self, proof):
        one = self.seats.get(proof["seat"], {})
        if not proof["c"]:
            return "PROXY"
        return "PROVED-B" if self.attempt["plan"][:1] == b"\x02" and not one.get("late") else "PROVED-A"

    # Small questions.

    def own(self):
        return sorted(seat for seat, one in self.seats.items() if one["own"])

    def check_first_link(self, seat, link):
        head = link_before("pc", self.attempt["game"], seat + 1, 1, link)
        demand(head == self.seats[seat]["player"], f"what seat {seat} shows does not lead to its head")

    def away(self):
        gone = set()
        for act in (self.acts[place] for place in self.line):
            if act.get("leave"):
                gone.add(act["seat"])
            elif act.get("back"):
                gone.discard(act["seat"])
        return gone

    def round_time(self, plan):
        return (1_692_803_367 + 3 * (int.from_bytes(plan[33:], "big") - 1)) * 1000


def shown_dice(act):
    """What kind of dice an act shows, and their faces."""
    if "start" in act:
        return "start", act["start"]["dice"]
    if "rolloff" in act:
        return "rolloff", act["rolloff"]
    return "spill" if act.get("spill") else "throw" if "roll" in act else "none", act.get("roll", "")


def verify(lines):
    """Go through a record: its chain of hashes, then every event and throw. Raises Wrong where the file is damaged."""
    last, game = ZEROS, None
    for line in lines:
        try:
            value = json.loads(line)
        except ValueError:
            raise Wrong("this is no JSON") from None
        demand(isinstance(value, dict) and line == canonical(value) + b"\n", "a line is not in canonical form")
        if "name" in value:
            continue
        body = canonical({key: entry for key, entry in value.items() if key != "h"})
        last = sha256("ev", last, number(len(body), 4), body)
        demand(last.hex() == value.get("h"), "a line was changed: the hash does not fit")
        if game is None:
            demand(value.get("bobing") in ("record/1", "record/2"), "this is no record")
            settings = {key: entry for key, entry in value["rules"].items() if key not in LABELS}
            demand(hashlib.sha256(canonical(settings)).hexdigest() == value["rules_hash"], "the rules were changed")
            game = Game(value["rules_hash"])
        elif "fair" in value:
            game.event(len(game.acts), value["fair"])
        else:
            demand(value.get("n") == len(game.acts) + 1, "acts are missing, doubled or out of order")
            game.act(value["n"], value["act"], value.get("proof"), value["struck"])
    demand(game is not None, "this record is empty")
    if game.stage == "none" and game.proving:
        game.faults.append((len(game.acts), "an attempt failed, and nothing followed"))
    return game, last.hex()


LABELS = ("key", "aliases", "names", "source", "extends", "origins")


def main():
    try:
        with open(sys.argv[1], "rb") as file:
            game, receipt = verify(file)
    except (Wrong, KeyError) as wrong:
        sys.exit(f"damaged: {wrong}")
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
