"""A whole game under one sheet, refereed slowly: what each act moves, who has the title, whose turn it is.

    referee(SHEETS["002"], seats=3, start=0, acts=[{"seat": 0, "roll": "444411"}])

Acts are dictionaries as read from JSON:

    {"seat": 0, "roll": "444411"}                 with "grab": {tier: [seat, ...]} or "choose": tier where needed
    {"seat": 1, "spill": true}                    a die left the bowl; with or without "roll"
    {"seat": 1, "cocked": true}                   thrown again by the same seat
    {"seat": 2, "leave": true}
    {"undo": 7}
    {"correct": 7, "act": {...}}                  with "take_back": true if later acts may fall
    {"rolloff": [{"seat": 0, "roll": "..."}, {"seat": 3, "roll": "..."}]}    a tie that is settled by red pips

Every act gives one dictionary, either what it did or {"refused": why}; the last one is the final state.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from .scoring import Reading, score
from .sheets import Sheet

Act = dict[str, Any]
Result = dict[str, Any]
Move = dict[str, Any]  # {"tier", "cakes", "from", "to"}; a place is "table", "pool" or a seat
Place = int | str


class Refused(Exception):
    """The act cannot be; the argument is a short reason."""


@dataclass
class Claim:
    """The throw with which a seat may be zhuangyuan."""

    strength: tuple[int, ...]
    when: int
    roll: str
    combination: str


@dataclass
class Game:
    sheet: Sheet
    seats: int
    turn: int | None
    table: dict[str, int]  # cakes not yet won
    pool: dict[str, int]  # cakes shared by all
    won: dict[str, list[int]]  # for each tier the holder of each cake, the cake won longest ago first
    claims: dict[int, Claim] = field(default_factory=dict)
    sanhong_throws: list[tuple[int, int, int]] = field(default_factory=list)  # S15: (sum, when, seat)
    left: set[int] = field(default_factory=set)
    must_skip: set[int] = field(default_factory=set)
    tie_between: tuple[int, int] | None = None  # (holder, challenger) while red pips must decide
    clock: int = 0  # acts so far
    finished: bool = False


def new_game(sheet: Sheet, seats: int, start: int = 0) -> Game:
    return Game(
        sheet=sheet,
        seats=seats,
        turn=start,
        table=dict(sheet.cakes),
        pool=dict.fromkeys(sheet.cakes, 0),
        won={tier: [] for tier in sheet.cakes},
    )


# ---- the run over all acts: numbers, undo, correction -------------------------------------------------------------


def referee(sheet: Sheet, seats: int, start: int, acts: Iterable[Act]) -> list[Result]:
    """One result for each act, then the final one. A refused act changes nothing and has no number."""
    results: list[Result] = []
    standing: list[tuple[int, Act]] = []  # the acts that count, with their numbers
    game = new_game(sheet, seats, start)
    n = 0
    for act in acts:
        try:
            if "undo" in act or "correct" in act:
                standing = after_undo(standing, act) if "undo" in act else after_correction(game, start, standing, act)
                before, game = game, played(sheet, seats, start, standing)
                result = outcome(game, combination=None, moves=difference(before, game), skipped=[])
            else:
                result = play(game, act)
                standing = [*standing, (n + 1, act)]
        except Refused as why:
            results.append({"refused": str(why)})
            game = played(sheet, seats, start, standing)
        else:
            n += 1
            results.append({"n": n, "act": act, **result})
    results.append(final(game))
    return results


def played(sheet: Sheet, seats: int, start: int, standing: list[tuple[int, Act]]) -> Game:
    """The game from nothing."""
    game = new_game(sheet, seats, start)
    for _, act in standing:
        play(game, act)
    return game


def after_undo(standing: list[tuple[int, Act]], act: Act) -> list[tuple[int, Act]]:
    """Act n and all later ones are taken back."""
    check_keys(act, {"undo"})
    place = place_of(standing, act["undo"])
    return standing[:place]


def after_correction(game: Game, start: int, standing: list[tuple[int, Act]], correction: Act) -> list[tuple[int, Act]]:
    """Another act of the same seat stands where act n stood, under the same number."""
    check_keys(correction, {"correct", "act"}, {"take_back"})
    place = place_of(standing, correction["correct"])
    number, old = standing[place]
    new = correction["act"]
    if not isinstance(new, dict) or "seat" not in new or "seat" not in old or new["seat"] != old["seat"]:
        raise Refused("correct: not an act of the same seat")
    corrected = [*standing[:place], (number, new), *standing[place + 1 :]]
    trial = new_game(game.sheet, game.seats, start)
    for later, (number, act) in enumerate(corrected):
        try:
            play(trial, act)
        except Refused as why:
            if later > place and correction.get("take_back") is True:
                return corrected[:later]
            raise Refused(f"correct: then act {number} cannot be ({why})") from why
    return corrected


def place_of(standing: list[tuple[int, Act]], wanted: Any) -> int:
    for place, (number, _) in enumerate(standing):
        if type(wanted) is int and number == wanted:
            return place
    raise Refused("no such act stands")


def holdings(game: Game) -> dict[tuple[str, Place], int]:
    """Cakes of each tier in each place."""
    cakes: dict[tuple[str, Place], int] = {}
    for tier in game.sheet.cakes:
        cakes[tier, "table"] = game.table[tier]
        cakes[tier, "pool"] = game.pool[tier]
        for seat in range(game.seats):
            cakes[tier, seat] = game.won[tier].count(seat)
    return cakes


def difference(before: Game, after: Game) -> list[Move]:
    """The fewest moves from one state to the other: tier by tier, table, pool and seats in this order."""
    was, is_now = holdings(before), holdings(after)
    moves: list[Move] = []
    for tier in before.sheet.cakes:
        places: list[Place] = ["table", "pool", *range(before.seats)]
        givers = [place for place in places for _ in range(was[tier, place] - is_now[tier, place])]
        takers = [place for place in places for _ in range(is_now[tier, place] - was[tier, place])]
        moves += [move(tier, 1, giver, taker) for giver, taker in zip(givers, takers, strict=True)]
    return added_up(moves)


def net_change(moves: list[Move]) -> dict[tuple[str, Place], int]:
    """What moves come to, whatever their order: (tier, place) -> cakes gained or lost, zeros left out."""
    change: dict[tuple[str, Place], int] = {}
    for m in moves:
        change[m["tier"], m["from"]] = change.get((m["tier"], m["from"]), 0) - m["cakes"]
        change[m["tier"], m["to"]] = change.get((m["tier"], m["to"]), 0) + m["cakes"]
    return {where: cakes for where, cakes in change.items() if cakes}


def final(game: Game) -> Result:
    title = title_of(game)
    seats = [{tier: game.won[tier].count(seat) for tier in game.sheet.cakes} for seat in range(game.seats)]
    return {
        "final": True,
        "finished": game.finished,
        "seats": seats,
        "champion": None if title is None else title[0],
    }


# ---- one act --------------------------------------------------------------------------------------------------------


def play(game: Game, act: Act) -> Result:
    """Do the act, changing the game. After a refusal the game is of no more use: play it again from nothing."""
    if game.finished:
        raise Refused("the game is over")
    game.clock += 1
    if "rolloff" in act:
        return rolloff(game, act)
    if game.tie_between is not None:
        raise Refused("the tie must be settled first")
    seat = act.get("seat")
    if type(seat) is not int or not 0 <= seat < game.seats:
        raise Refused("no such seat")
    if "leave" in act:
        return leave(game, seat, act)
    if seat != game.turn:
        raise Refused("another seat's turn")
    if "spill" in act:
        return spill(game, seat, act)
    if "cocked" in act:
        check_keys(act, {"seat", "cocked"})
        check_true(act["cocked"])
        return outcome(game, combination=None, moves=[], skipped=[])  # D-57: the same seat throws again
    return throw(game, seat, act)


def throw(game: Game, seat: int, act: Act) -> Result:
    check_keys(act, {"seat", "roll"}, {"grab", "choose"})
    faces = faces_of(act["roll"])
    reading = score(game.sheet, faces)
    grab = checked_grab(game, seat, faces, act)
    choose = checked_choice(game, reading, act)
    claim(game, seat, reading, act["roll"])

    moves: list[Move] = []
    for award in reading["awards"]:
        if award["tier"] == "zhuangyuan":
            moves += zhuangyuan_award(game, seat)
        elif award["bonus"]:
            moves += take_from_table(game, award["tier"], 1, seat)  # D-1 to D-3: nothing in its place
        else:
            moves += tier_award(game, seat, award["tier"], faces, choose)
    moves += chajinhua_effect(game, seat, reading)
    moves += split_own_cakes(game, seat, reading)
    moves += sweep(game, seat, reading)
    moves += lights_out(game, grab)
    moves += share(game, reading, faces)

    if cut_short(game.sheet, reading, faces) or (lower_cakes(game) == 0 and title_of(game) is not None):
        moves += close(game)
        skipped: list[int] = []
    else:
        skipped = pass_on(game, seat)
    return outcome(game, combination=reading["combination"], moves=added_up(moves), skipped=skipped)


def spill(game: Game, seat: int, act: Act) -> Result:
    """D-56: whatever lies there, the throw is void."""
    check_keys(act, {"seat", "spill"}, {"roll"})
    check_true(act["spill"])
    if "roll" in act:
        faces_of(act["roll"])
    if game.sheet.spill_skips:
        game.must_skip.add(seat)
    return outcome(game, combination=None, moves=[], skipped=pass_on(game, seat))


def leave(game: Game, seat: int, act: Act) -> Result:
    """D-62: the cakes stay with the leaver, and his claim stands."""
    check_keys(act, {"seat", "leave"})
    check_true(act["leave"])
    if seat in game.left:
        raise Refused("has left already")
    game.left.add(seat)
    game.must_skip.discard(seat)
    skipped = pass_on(game, seat) if game.turn == seat else []
    return outcome(game, combination=None, moves=[], skipped=skipped)


def rolloff(game: Game, act: Act) -> Result:
    """Six dice each; a 4 is four red pips, a 1 is one. More pips win; as many: once more."""
    check_keys(act, {"rolloff"})
    if game.tie_between is None:
        raise Refused("there is no tie")
    holder, challenger = game.tie_between
    pips: dict[int, int] = {}
    for one in act["rolloff"]:  # in the order in which they threw
        check_keys(one, {"seat", "roll"})
        pips[one["seat"]] = sum(face for face in faces_of(one["roll"]) if face in (1, 4))
    if len(act["rolloff"]) != 2 or set(pips) != {holder, challenger}:
        raise Refused("the two who are equal throw once each")
    if pips[challenger] > pips[holder]:  # from now on his throw counts as the earlier one
        first, second = game.claims[holder], game.claims[challenger]
        first.when, second.when = second.when, first.when
    if pips[challenger] != pips[holder]:
        game.tie_between = None
    return outcome(game, combination=None, moves=[], skipped=[])


def outcome(game: Game, *, combination: str | None, moves: list[Move], skipped: list[int]) -> Result:
    title = title_of(game)
    nobody_throws = game.finished or game.tie_between is not None
    return {
        "combination": combination,
        "moves": moves,
        "title": None if title is None else {"seat": title[0], "roll": title[1].roll},
        "skipped": skipped,
        "next": None if nobody_throws else game.turn,
        "finished": game.finished,
    }


# ---- turns --------------------------------------------------------------------------------------------------------


def pass_on(game: Game, seat: int) -> list[int]:
    """The turn goes to the next seat; those who must skip use that up on the way (D-54)."""
    if len(game.left) == game.seats:
        game.turn = None
        return []
    skipped: list[int] = []
    while True:
        seat = (seat + 1) % game.seats
        if seat in game.left:
            continue
        if seat in game.must_skip:
            game.must_skip.remove(seat)
            skipped.append(seat)
            continue
        game.turn = seat
        return skipped


def others_in_order(game: Game, seat: int) -> list[int]:
    """Those still at the table, from the next seat on, without `seat`."""
    following = [(seat + step) % game.seats for step in range(1, game.seats)]
    return [other for other in following if other not in game.left]


# ---- the title ----------------------------------------------------------------------------------------------------


def claim(game: Game, seat: int, reading: Reading, roll: str) -> None:
    strength = reading["strength_key"]
    if strength is None:
        return
    title = title_of(game)
    mine = game.claims.get(seat)
    # E-22: only a higher throw changes anything. Z9, D-20: where the last counts, always.
    if mine is None or game.sheet.own_later_throw == "last counts" or strength > mine.strength:
        game.claims[seat] = Claim(strength, game.clock, roll, reading["combination"])
    if game.sheet.tie == "red pips" and title is not None and title[0] != seat and title[1].strength == strength:
        game.tie_between = (title[0], seat)


def title_of(game: Game) -> tuple[int, Claim] | None:
    """The highest claim has the title; of equal ones the earliest (D-11)."""
    if not game.claims:
        return None
    seat = max(game.claims, key=lambda seat: (game.claims[seat].strength, -game.claims[seat].when))
    return seat, game.claims[seat]


def zhuangyuan_award(game: Game, seat: int) -> list[Move]:
    """Z12: usually the cake waits for the end; in S11 the first one takes it."""
    if game.sheet.zhuangyuan_at_once:
        return take_from_table(game, "zhuangyuan", 1, seat)
    return []


# ---- the other tiers ----------------------------------------------------------------------------------------------


def tier_award(game: Game, seat: int, tier: str, faces: list[int], choose: str | None) -> list[Move]:
    sheet = game.sheet
    if tier == "sanhong" and sheet.sanhong_by_sum:
        game.sanhong_throws.append((sum(faces) - 12, game.clock, seat))
        return []
    if game.table[tier] > 0:
        return take_from_table(game, tier, 1, seat)
    if tier in sheet.chase:
        return chase(game, seat, tier)
    lower = fallback_tiers(game, tier)
    if lower:
        return take_from_table(game, choose or lower[0], 1, seat)  # D-46: the highest, or what he chooses
    return []


def fallback_tiers(game: Game, tier: str) -> list[str]:
    """S9: the tiers below `tier` that still have cakes, from high to low."""
    if not game.sheet.fallback:
        return []
    tiers = list(game.sheet.cakes)
    return [lower for lower in tiers[tiers.index(tier) + 1 :] if game.table[lower] > 0]


def chase(game: Game, seat: int, tier: str) -> list[Move]:
    """Take a cake of an exhausted tier from another holder, while others are left on the table (D-39 to D-45)."""
    if lower_cakes(game) == 0:
        return []
    holders = game.won[tier]
    cakes = [i for i, holder in enumerate(holders) if holder != seat and holder not in game.left]
    if not cakes:
        return []
    if game.sheet.chase_from == "latest":
        cake = cakes[-1]
    elif game.sheet.chase_from == "earliest":
        cake = cakes[0]
    else:  # the nearest holder against the direction of play
        cake = min(cakes, key=lambda i: (seat - holders[i]) % game.seats)
    loser = holders.pop(cake)
    holders.append(seat)
    return [move(tier, 1, loser, seat)]


def lower_cakes(game: Game) -> int:
    """Cakes on the table that keep the game going: all but the zhuangyuan, and sanhong where they are ranked (D-24)."""
    waiting = {"zhuangyuan", "sanhong"} if game.sheet.sanhong_by_sum else {"zhuangyuan"}
    return sum(cakes for tier, cakes in game.table.items() if tier not in waiting)


# ---- effects ------------------------------------------------------------------------------------------------------


def chajinhua_effect(game: Game, seat: int, reading: Reading) -> list[Move]:
    if reading["combination"] != "chajinhua":
        return []
    if game.sheet.chajinhua_takes == "unwon duitang":  # D-27, D-29: with or without the title
        return take_from_table(game, "duitang", game.table["duitang"], seat)
    title = title_of(game)
    has_title = title is not None and title[0] == seat  # D-28: a second one takes nothing
    if game.sheet.chajinhua_takes == "all duitang" and has_title:
        return take_all(game, "duitang", seat)
    return []


def sweep(game: Game, seat: int, reading: Reading) -> list[Move]:
    """Six 4s, and in S3 six 1s."""
    sheet, combination = game.sheet, reading["combination"]
    lower = [tier for tier in sheet.cakes if tier != "zhuangyuan"]
    moves: list[Move] = []
    if combination == "biandijin" and sheet.six_ones_take_what_is_left:
        for tier in lower:
            moves += take_from_table(game, tier, game.table[tier], seat)
    if combination != "liubohong":
        return moves
    if sheet.liubohong_takes == "what is left":
        for tier in lower:
            moves += take_from_table(game, tier, game.table[tier], seat)
    elif sheet.liubohong_takes == "everything":
        for tier in lower:
            moves += take_all(game, tier, seat)
    elif sheet.liubohong_takes == "everything but chajinhua's":  # E-13: he keeps his duitang
        title = title_of(game)
        safe = [title[0]] if title is not None and title[1].combination == "chajinhua" else []
        for tier in lower:
            moves += take_all(game, tier, seat, safe if tier == "duitang" else [])
    elif sheet.liubohong_takes == "friendly":  # D-31, E-5
        moves += take_all(game, "duitang", seat)
        moves += deal(game, "table", others_in_order(game, seat), lower)
    return moves


def split_own_cakes(game: Game, seat: int, reading: Reading) -> list[Move]:
    """E7, D-38, E-14: what the roller had is dealt, the next player first, himself last."""
    if reading["combination"] != "liubohei" or not game.sheet.blacks_split_own_cakes:
        return []
    lower = [tier for tier in game.sheet.cakes if tier != "zhuangyuan"]
    return deal(game, seat, [*others_in_order(game, seat), seat], lower)


def deal(game: Game, source: Place, receivers: list[int], tiers: list[str]) -> list[Move]:
    """One cake at a time to each in turn, the high tiers first."""
    cakes = [tier for tier in tiers for _ in range(amount(game, tier, source))]
    if not receivers:
        return []
    moves: list[Move] = []
    for i, tier in enumerate(cakes):
        receiver = receivers[i % len(receivers)]
        if receiver != source:
            moves.append(hand_over(game, tier, 1, source, receiver))
    return moves


def grab_expected(game: Game, seat: int, faces: list[int]) -> dict[str, int]:
    """Cakes that are grabbed if this seat now throws these faces; {} when there is no grab (D-33, D-34)."""
    if not six_of(faces, game.sheet.lights_out):
        return {}
    roller_is_one = score(game.sheet, faces)["strength_key"] is not None
    zhuangyuan_is_free = not game.claims and not roller_is_one
    return {tier: cakes for tier, cakes in game.table.items() if cakes and (tier != "zhuangyuan" or zhuangyuan_is_free)}


def checked_grab(game: Game, seat: int, faces: list[int], act: Act) -> dict[str, list[int]]:
    expected = grab_expected(game, seat, faces)
    if not six_of(faces, game.sheet.lights_out):
        if "grab" in act:
            raise Refused("nothing is grabbed after this throw")
        return {}
    grab = act.get("grab", {})
    if not isinstance(grab, dict) or not set(grab) <= set(game.sheet.cakes):
        raise Refused("grab: tiers of the sheet are expected")
    for tier in game.sheet.cakes:
        takers = grab.get(tier, [])
        if not isinstance(takers, list) or len(takers) != expected.get(tier, 0):
            raise Refused(f"grab: {expected.get(tier, 0)} takers of {tier} are expected")
        for taker in takers:
            if type(taker) is not int or not 0 <= taker < game.seats or taker in game.left:
                raise Refused("grab: no such seat at the table")
    return grab


def lights_out(game: Game, grab: dict[str, list[int]]) -> list[Move]:
    return [hand_over(game, tier, 1, "table", taker) for tier, takers in grab.items() for taker in takers]


def share(game: Game, reading: Reading, faces: list[int]) -> list[Move]:
    """D-35: cakes left go to nobody in particular; the zhuangyuan cake too when nobody is zhuangyuan (D-34)."""
    if not six_of(faces, game.sheet.shared):
        return []
    kept = {"zhuangyuan"} if game.claims else set[str]()
    left = [tier for tier in game.sheet.cakes if tier not in kept and game.table[tier]]
    return [hand_over(game, tier, game.table[tier], "table", "pool") for tier in left]


def six_of(faces: list[int], which: frozenset[int]) -> bool:
    return len(set(faces)) == 1 and faces[0] in which


def cut_short(sheet: Sheet, reading: Reading, faces: list[int]) -> bool:
    """E4, E5, D-31, D-37: the throw ends the game, whatever is left."""
    combination = reading["combination"]
    return (
        six_of(faces, sheet.lights_out)
        or six_of(faces, sheet.shared)
        or (combination == "liubohong" and sheet.liubohong_takes != "nothing")
        or (combination == "biandijin" and sheet.six_ones_take_what_is_left)
    )


def checked_choice(game: Game, reading: Reading, act: Act) -> str | None:
    """S9: the winner of an exhausted tier may say which lower one he takes."""
    if "choose" not in act:
        return None
    tiers = [award["tier"] for award in reading["awards"] if award["tier"] != "zhuangyuan" and not award["bonus"]]
    if not tiers or game.table[tiers[0]] > 0:
        raise Refused("there is nothing to choose")
    if act["choose"] not in fallback_tiers(game, tiers[0]):
        raise Refused("choose: this tier cannot be had")
    return act["choose"]


# ---- the end ------------------------------------------------------------------------------------------------------


def close(game: Game) -> list[Move]:
    """Ranked cakes, then the zhuangyuan cake, then the duitang that go with it."""
    game.finished = True
    game.turn = None
    moves: list[Move] = []
    if game.sheet.sanhong_by_sum:  # D-24: highest sum first, of equal ones the earlier
        best_first = sorted(game.sanhong_throws, key=lambda t: (-t[0], t[1]))
        for _, _, seat in best_first[: game.table["sanhong"]]:
            moves += take_from_table(game, "sanhong", 1, seat)
    title = title_of(game)
    if title is not None:
        champion, claim = title
        moves += take_from_table(game, "zhuangyuan", game.table["zhuangyuan"], champion)
        if claim.combination in game.sheet.title_takes_duitang:
            moves += take_all(game, "duitang", champion)
    return moves


# ---- cakes on the move --------------------------------------------------------------------------------------------


def amount(game: Game, tier: str, place: Place) -> int:
    if place == "table":
        return game.table[tier]
    if place == "pool":
        return game.pool[tier]
    return game.won[tier].count(int(place))


def hand_over(game: Game, tier: str, cakes: int, giver: Place, taker: Place) -> Move:
    for _ in range(cakes):
        if giver == "table":
            game.table[tier] -= 1
        else:  # of several cakes the one won last
            holders = game.won[tier]
            holders.pop(max(i for i, holder in enumerate(holders) if holder == giver))
        if taker == "pool":
            game.pool[tier] += 1
        else:
            game.won[tier].append(int(taker))
    return move(tier, cakes, giver, taker)


def take_from_table(game: Game, tier: str, cakes: int, seat: int) -> list[Move]:
    cakes = min(cakes, game.table[tier])
    return [hand_over(game, tier, cakes, "table", seat)] if cakes else []


def take_all(game: Game, tier: str, seat: int, safe: Collection[int] = ()) -> list[Move]:
    """Every cake of the tier, from the table and from all others but those who left (E-15) and the safe ones."""
    moves = take_from_table(game, tier, game.table[tier], seat)
    for other in range(game.seats):
        cakes = amount(game, tier, other)
        if cakes and other != seat and other not in game.left and other not in safe:
            moves.append(hand_over(game, tier, cakes, other, seat))
    return moves


def move(tier: str, cakes: int, giver: Place, taker: Place) -> Move:
    return {"tier": tier, "cakes": cakes, "from": giver, "to": taker}


def added_up(moves: list[Move]) -> list[Move]:
    """Moves of one tier between the same two places as one, where the first of them stood."""
    total: dict[tuple[str, Place, Place], int] = {}
    for m in moves:
        key = (m["tier"], m["from"], m["to"])
        total[key] = total.get(key, 0) + m["cakes"]
    return [move(tier, cakes, giver, taker) for (tier, giver, taker), cakes in total.items()]


# ---- the form of acts ---------------------------------------------------------------------------------------------


def check_keys(act: Act, needed: set[str], allowed: Iterable[str] = ()) -> None:
    if not needed <= set(act) or not set(act) <= needed | set(allowed):
        raise Refused("unknown or missing keys")


def check_true(value: object) -> None:
    if value is not True:
        raise Refused("true is expected")


def faces_of(roll: object) -> list[int]:
    if not isinstance(roll, str) or len(roll) != 6 or any(digit not in "123456" for digit in roll):
        raise Refused("six digits from 1 to 6 are expected")
    return [int(digit) for digit in roll]
