"""Whole games on one flat array, compiled by numba: the same game as `bobing.core` plays, throw for throw.

`m` holds the rule set's switches and the state of one game. `m[TITLE]` is a number, `m[TABLE + tier]` one for each
tier, and `m[m[STRENGTH] + seat]` one for each seat, for there may be any number of them. A tier is its place in the
rule set, NONE is nobody or nothing; effects, reasons and so on are numbered as in `tables`. `rows[kind * ROW + TIER]`
and its neighbours say what a throw of that class does.

Seats throw in turn from seat 0, so that the number of the turn says whose it is. Throws from which little can come are
passed over in one tight loop (`_throw_on`). Nobody leaves, waives or chooses: `bobing.odds.simulate` says what is
decided how.

One file and one array on purpose. numba keeps what it compiled beside a file and renews it when that file changes, but
does not see changes in others; and it passes many arrays to a function far more slowly than one.
"""

# pyright: reportArgumentType=false
# numpy's types say of `m[m[HELD]]` that it may be an array.

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bobing.odds.simulate.jit import bare, jit

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

THROWS = 46_656
LEAST_LOW = np.uint64(2**32 % THROWS)
HALF, ZERO, ONE = np.uint64(0xFFFFFFFF), np.uint64(0), np.uint64(1)
NONE = -1
FOREVER = 2**62
SLOTS = 21

# The fields of a class of throws.
ROW = 16
NEEDS, TIER, BONUS, RANK, KICKER, COMBINATION, EFFECT, SPLITS, ENDS = range(9)
ALWAYS = 1 << 40
"""In NEEDS, which has a bit for each tier: the throw always does something."""

CLASS, SLOT = 0, 1
"""What `throws` says of each throw: its class, and its slot: 0 where it never does anything, the tier of which it takes
a cake where it does nothing else, SPECIAL else."""
SPECIAL = SLOTS - 1

# Switches, then the state of a game.
SEATS, TIERS, RANKED_TIER, DUITANG, FALLS, SOURCE, CHASE_TO_END, PROTECTED, EQUAL, OWN_LAST = range(10)
CONTEST, RETURNED, AT_ONCE, GRAB_ALWAYS, CHAJINHUA_END, LIUBOHONG_END, UNTIL, FINISH, STOPS = range(10, 19)
THROWS_EACH, THREE_DICE, LOST_TURN, CAP = range(19, 23)
TITLE, SEAT, TURN, LIMIT, OVER, ACTS, THROWN, ALIVE, LEFT, CLAIMS, RANKED = range(23, 34)
RIVALS, RIVAL, DICE, REASON, ENDING, CHANGES, CHASES = range(34, 41)
# Where the parts begin that are as long as the table has seats, or the tiers cakes.
HELD, STRENGTH, WINS, WHEN, FORM, CLAIMANT, LOST, RIVAL_SEAT, POINTS = range(41, 50)
RANKED_ROOM, RANKED_KICKER, RANKED_SEAT = range(50, 53)
# By tier: cakes at first, whether they are chased, whether their order matters, on the table, eaten by all, when they
# were gone, and where the line begins and ends of those in hand: of each cake twice the seat, and one more where it was
# granted. A line has room for one more cake than there are, so that one may always be written at its end.
CAKES, CHASED, IN_ORDER, TABLE, POOL, GONE, LINE, LINE_END = range(53, 53 + 8 * SLOTS, SLOTS)
# By slot: with more than so many on the table nothing else comes of a throw than that so many are taken, and the line
# grows by so many.
ENOUGH, TAKES, GROWS = range(53 + 8 * SLOTS, 53 + 11 * SLOTS, SLOTS)
FIXED = 53 + 11 * SLOTS

SWEEP_TABLE, SWEEP_ALL, FRIENDLY, GRAB, EATEN, DUITANG_UNWON, DUITANG_ALL, DUITANG_UNTITLED = range(1, 9)
BY_ALL_GONE, BY_CHAMPION, BY_THROWS, BY_TIME, BY_EFFECT, BY_LAST_LAP = range(1, 7)
CHAJINHUA, LIUBOHONG, WITH_THREE_DICE = 1, 2, 8
FROM_SEAT, FROM_LATEST, FROM_EARLIEST = range(3)
FIRST, LAST, RED_PIPS = range(3)
HIGHEST, ALL_BUT_CHAJINHUA, FIRST_KEEPS = range(3)
ALL_GONE, CHAMPION, THROWS_OUT = range(3)
NOW, EQUAL_TURNS, EXTRA_LAP = range(3)

FIELDS = ("throws", "rolloffs", "champion", "form", "reason", "last", "changes", "chases")
"""What is told of each game. last: the tier that was gone last, where all were."""


@jit
def _step(r0: Any, r1: Any, r2: Any, r3: Any) -> Any:
    """The next 64 bits of xoshiro256++, and its state after them."""
    sum_of = r0 + r3
    bits = ((sum_of << np.uint64(23)) | (sum_of >> np.uint64(41))) + r0
    shifted = r1 << np.uint64(17)
    r2 ^= r0
    r3 ^= r1
    r1 ^= r2
    r0 ^= r3
    r2 ^= shifted
    return bits, r0, r1, r2, (r3 << np.uint64(45)) | (r3 >> np.uint64(19))


@jit
def next_bits(rng: Bits) -> Any:
    """The next 32 bits: of each 64 the upper half. Halves kept for the next call would make every throw dearer."""
    bits, rng[0], rng[1], rng[2], rng[3] = _step(rng[0], rng[1], rng[2], rng[3])
    return bits >> np.uint64(32)


@jit
def below(rng: Bits, n: int) -> Any:
    """A whole number from 0 to n - 1, all equally likely (Lemire's method)."""
    size = np.uint64(n)
    product = next_bits(rng) * size
    low = product & HALF
    if low < size:
        least = np.uint64(0x100000000) % size
        while low < least:
            product = next_bits(rng) * size
            low = product & HALF
    return np.int64(product >> np.uint64(32))


@jit
def _deal_out(m: Ints) -> None:
    """A fresh game."""
    for i in range(TITLE, CHASES + 1):
        m[i] = 0
    for tier in range(m[TIERS]):
        m[TABLE + tier], m[POOL + tier], m[GONE + tier], m[LINE_END + tier] = m[CAKES + tier], 0, 0, m[LINE + tier]
        if tier and tier != m[RANKED_TIER]:
            m[LEFT] += 1
    m[ENOUGH], m[TAKES], m[GROWS], m[TABLE + SPECIAL], m[ENOUGH + SPECIAL] = NONE, 0, 0, 0, 0
    for i in range(m[HELD], m[HELD] + m[TIERS] * m[SEATS]):
        m[i] = 0
    for seat in range(m[SEATS]):
        m[m[STRENGTH] + seat], m[m[LOST] + seat] = NONE, 0
    m[TITLE] = NONE
    m[LIMIT] = m[THROWS_EACH] * m[SEATS] if m[UNTIL] == THROWS_OUT else NONE
    _look(m)


@jit
def _set_up(m: Ints, size: int) -> None:
    """A game in the middle, as the next row of the array has it."""
    for i in range(size):
        m[i] = m[size + i]


@jit
def _play(throws: Bytes, rows: Ints, m: Ints, rng: Bits, spill: np.uint64, stop: int) -> None:
    """Play on until the game is over or `stop` throws of dice were made in all; of 2**32 throws `spill` are spilt."""
    while m[OVER] == 0 and m[ACTS] < stop:
        if m[RIVALS]:
            _throw_off(m, rng)
        elif spill > 0 and next_bits(rng) < spill:
            _spill(m)
        else:
            kind = _throw_on(throws, rows, m, rng, _room(m, spill, stop))
            if kind != NONE:
                _carry_out(rows, m, rng, kind * ROW)
            _next_turn(m)
            ends = kind != NONE and rows[kind * ROW + ENDS]
            if m[RIVALS]:
                m[ENDING] = ends
            elif ends:
                _finish(m, BY_EFFECT)
            else:
                _close_or_advance(m)
        if m[CAP] and m[THROWN] >= m[CAP] and m[RIVALS] == 0 and m[OVER] == 0:
            _finish_undecided(m, BY_TIME)


@jit
def _room(m: Ints, spill: np.uint64, stop: int) -> Any:
    """How many throws may be made before something else has to be looked at."""
    if spill > 0:
        return 1
    room = stop - m[ACTS]
    if m[LIMIT] >= 0:
        room = min(room, m[LIMIT] - m[TURN])
    elif _is_over(m):
        room = 1
    if m[CAP]:
        room = min(room, max(1, m[CAP] - m[THROWN]))
    return room


@jit
def _throw_on(throws: Bytes, rows: Ints, m: Ints, rng: Bits, room: int) -> Any:
    """Throw, at most `room` times, until a throw does more than to win cakes, or nothing is left to be won.

    Gives the class of the last throw, NONE where nothing more comes of it.
    """
    thrown, kind, before = 0, NONE, m[THROWN]
    # Unsigned, for numba looks at a signed place whether it counts from the end.
    seats, held, seat = np.uint64(m[SEATS]), np.uint64(m[HELD]), np.uint64(m[SEAT])
    r0, r1, r2, r3 = rng[0], rng[1], rng[2], rng[3]
    while kind == NONE and thrown < room:
        product = ZERO
        while product & HALF < LEAST_LOW:  # `below(rng, THROWS)`, with the state at hand
            bits, r0, r1, r2, r3 = _step(r0, r1, r2, r3)
            product = (bits >> np.uint64(32)) * np.uint64(THROWS)
        throw = product >> np.uint64(32)
        slot = np.uint64(throws[SLOT * THROWS + throw])
        thrown += 1
        left, takes = m[np.uint64(TABLE) + slot], m[np.uint64(TAKES) + slot]
        if left > m[np.uint64(ENOUGH) + slot]:
            m[np.uint64(TABLE) + slot] = left - takes
            m[held + slot * seats + seat] += takes
            end = m[np.uint64(LINE_END) + slot]
            m[end] = np.int64(seat + seat)
            m[np.uint64(LINE_END) + slot] = end + m[np.uint64(GROWS) + slot]
        else:
            row = np.int64(throws[CLASS * THROWS + throw]) * ROW
            if rows[row + NEEDS] & ALWAYS:
                kind = row // ROW
            elif rows[row + NEEDS] & m[ALIVE]:
                m[THROWN] = before + thrown
                _win(rows, m, row, np.int64(seat))
                room = room if m[LEFT] else thrown
        seat = seat + ONE if seat + ONE < seats else ZERO
    rng[0], rng[1], rng[2], rng[3] = r0, r1, r2, r3
    m[SEAT] = np.int64(seat or seats) - 1
    m[THROWN] = before + thrown
    m[ACTS] += thrown
    m[TURN] += thrown - 1
    return kind


@jit
def _next_turn(m: Ints) -> None:
    m[TURN] += 1
    m[SEAT] = m[SEAT] + 1 if m[SEAT] + 1 < m[SEATS] else 0


@jit
def _spill(m: Ints) -> None:
    m[ACTS] += 1
    m[THROWN] += 1
    if m[LOST_TURN]:
        m[m[LOST] + m[SEAT]] = 1
    _next_turn(m)
    _close_or_advance(m)


@jit
def _carry_out(rows: Ints, m: Ints, rng: Bits, row: int) -> None:
    """What a throw of this class does, in the order of the core."""
    seat = m[SEAT]
    if rows[row + SPLITS]:
        _split_own(m, seat)
    if rows[row + TIER] == 0:
        _claim(m, seat, rows[row + RANK], rows[row + COMBINATION])
    _win(rows, m, row, seat)
    if rows[row + EFFECT]:
        _effect(m, rng, rows[row + EFFECT], seat)


@jit
def _win(rows: Ints, m: Ints, row: int, seat: int) -> None:
    """The cakes that a throw wins by its combination, and beside it."""
    tier, bonus = rows[row + TIER], rows[row + BONUS]
    if tier > 0 and tier != bonus:
        _award(m, tier, seat, rows[row + KICKER])
    elif tier > 0 and m[TABLE + tier]:
        _give(m, tier, seat, 1, 0)
    if bonus != NONE and m[TABLE + bonus]:
        _give(m, bonus, seat, 1, 0)


@jit
def _look(m: Ints) -> None:
    """Which tiers a throw can still win or chase."""
    alive, falls = ALWAYS, False
    for tier in range(m[TIERS] - 1, 0, -1):
        left, chased = m[TABLE + tier] > 0, _may_chase(m, tier)
        m[TAKES + tier], m[GROWS + tier] = left, left and m[IN_ORDER + tier]
        m[ENOUGH + tier] = 1 if left else 0 if chased or falls else NONE
        falls = falls or (left and m[FALLS] != 0)
        if left or chased or tier == m[RANKED_TIER]:
            alive |= 1 << tier
    m[ALIVE] = alive


@jit
def _may_chase(m: Ints, tier: int) -> Any:
    return m[CHASED + tier] and (m[CHASE_TO_END] or m[LEFT] > 0)


@jit
def _give(m: Ints, tier: int, seat: int, cakes: int, granted: int) -> None:
    """Cakes from the table to a seat."""
    if cakes:
        _take_off(m, tier, cakes)
        _keep(m, tier, seat, cakes, granted)


@jit
def _take_off(m: Ints, tier: int, cakes: int) -> None:
    """Cakes leave the table."""
    m[TABLE + tier] -= cakes
    if m[TABLE + tier] == 0 and cakes and tier:
        m[GONE + tier] = m[THROWN]
        if tier != m[RANKED_TIER]:
            m[LEFT] -= 1
        _look(m)


@jit
def _keep(m: Ints, tier: int, seat: int, cakes: int, granted: int) -> None:
    """Cakes come into the hands of a seat."""
    m[m[HELD] + tier * m[SEATS] + seat] += cakes
    if m[IN_ORDER + tier]:
        end = m[LINE_END + tier]
        for place in range(end, end + cakes):
            m[place] = 2 * seat + granted
        m[LINE_END + tier] = end + cakes


@jit
def _pull(m: Ints, tier: int, place: int) -> None:
    """One cake leaves the line of those in hand."""
    m[m[HELD] + tier * m[SEATS] + (m[place] >> 1)] -= 1
    m[LINE_END + tier] -= 1
    for i in range(place, m[LINE_END + tier]):
        m[i] = m[i + 1]


@jit
def _is_takable(m: Ints, cake: int, thief: int) -> Any:
    return cake >> 1 != thief and not (m[PROTECTED] and cake & 1)


@jit
def _take_others(m: Ints, tier: int, thief: int, granted: int) -> None:
    """All cakes of others that may be taken go to the thief."""
    taken, place = 0, m[LINE + tier]
    if m[IN_ORDER + tier]:
        while place < m[LINE_END + tier]:
            if _is_takable(m, m[place], thief):
                _pull(m, tier, place)
                taken += 1
            else:
                place += 1
    else:
        held = m[HELD] + tier * m[SEATS]
        for seat in range(m[SEATS]):
            if seat != thief:
                taken += m[held + seat]
                m[held + seat] = 0
    _keep(m, tier, thief, taken, granted)


@jit
def _award(m: Ints, tier: int, seat: int, kicker: int) -> None:
    if tier == m[RANKED_TIER]:
        _rank(m, kicker, seat)
    elif m[TABLE + tier]:
        _give(m, tier, seat, 1, 0)
    elif _may_chase(m, tier):
        _chase(m, tier, seat)
    elif m[FALLS]:
        for other in range(tier + 1, m[TIERS]):
            if m[TABLE + other] and other != m[RANKED_TIER]:
                _give(m, other, seat, 1, 0)
                break


@jit
def _rank(m: Ints, kicker: int, seat: int) -> None:
    """Note a throw that is ranked at the end, best first; no more than can win a cake are kept."""
    place = m[RANKED]
    if place < m[RANKED_ROOM]:
        m[RANKED] += 1
    else:
        place -= 1
        if m[m[RANKED_KICKER] + place] >= kicker:
            return
    while place and m[m[RANKED_KICKER] + place - 1] < kicker:
        m[m[RANKED_KICKER] + place] = m[m[RANKED_KICKER] + place - 1]
        m[m[RANKED_SEAT] + place] = m[m[RANKED_SEAT] + place - 1]
        place -= 1
    m[m[RANKED_KICKER] + place], m[m[RANKED_SEAT] + place] = kicker, seat


@jit
def _chase(m: Ints, tier: int, seat: int) -> None:
    """Take one cake: of the nearest holder against the direction of play his latest, or the latest or earliest got."""
    if not m[IN_ORDER + tier]:
        _chase_nearest(m, m[HELD] + tier * m[SEATS], seat)
        return
    first, last, place = m[LINE + tier], m[LINE_END + tier] - 1, NONE
    if m[SOURCE] == FROM_SEAT:
        place = _of_nearest(m, tier, seat, first, last)
    elif m[SOURCE] == FROM_LATEST:
        place = last
        while place >= first and not _is_takable(m, m[place], seat):
            place -= 1
    else:
        place = first
        while place <= last and not _is_takable(m, m[place], seat):
            place += 1
    if first <= place <= last:
        held = m[HELD] + tier * m[SEATS]
        m[held + (m[place] >> 1)] -= 1
        m[held + seat] += 1
        for i in range(place, last):
            m[i] = m[i + 1]
        m[last] = 2 * seat
        m[CHASES] += 1


@jit
def _chase_nearest(m: Ints, held: int, thief: int) -> None:
    """Take one cake of the nearest holder, where one of his is as good as another."""
    other = thief
    for _ in range(m[SEATS] - 1):
        other = other - 1 if other else m[SEATS] - 1
        if m[held + other]:
            m[held + other] -= 1
            m[held + thief] += 1
            m[CHASES] += 1
            return


@jit
def _of_nearest(m: Ints, tier: int, thief: int, first: int, last: int) -> Any:
    """Where in a line the cake is that is taken of the nearest holder; NONE where there is none."""
    held, seats = m[HELD] + tier * m[SEATS], m[SEATS]
    for distance in range(1, seats):
        other = thief - distance if thief >= distance else thief - distance + seats
        if m[held + other]:
            for place in range(last, first - 1, -1):
                if m[place] >> 1 == other and _is_takable(m, m[place], thief):
                    return place
    return NONE


@jit
def _split_own(m: Ints, seat: int) -> None:
    """平分: the thrower's cakes go round, high tiers first, the next player first, the thrower last."""
    turn, seats = 0, m[SEATS]
    for tier in range(1, m[TIERS]):
        mine = m[m[HELD] + tier * seats + seat]
        if m[IN_ORDER + tier]:
            number, place = 0, m[LINE + tier]
            while place < m[LINE_END + tier]:
                number += m[place] >> 1 == seat
                if m[place] >> 1 == seat and (turn + number) % seats:
                    _pull(m, tier, place)
                else:
                    place += 1
        else:
            m[m[HELD] + tier * seats + seat] = (turn + mine) // seats - turn // seats
        for first in range(min(mine, seats)):
            step = (turn + first) % seats + 1
            if step < seats:
                _keep(m, tier, (seat + step) % seats, (mine - first + seats - 1) // seats, 0)
        turn += mine


@jit
def _claim(m: Ints, seat: int, strength: int, form: int) -> None:
    """A zhuangyuan throw counts for its seat, and the title goes where it belongs."""
    holder, own = m[TITLE], m[m[STRENGTH] + seat]
    out_of_reach = m[CONTEST] == FIRST_KEEPS or (m[CONTEST] != HIGHEST and m[m[FORM] + holder] == CHAJINHUA)
    if holder != NONE and out_of_reach:
        return
    again = m[EQUAL] != FIRST and strength == own and holder != seat
    if own != NONE and strength <= own and not m[OWN_LAST] and not again:
        return
    if own == NONE:
        m[m[CLAIMANT] + m[CLAIMS]] = seat
        m[CLAIMS] += 1
    m[m[STRENGTH] + seat], m[m[WINS] + seat], m[m[WHEN] + seat], m[m[FORM] + seat] = strength, 0, m[ACTS], form
    leader = _leader(m)
    if m[EQUAL] == RED_PIPS and _find_rivals(m, seat, m[m[STRENGTH] + leader]):
        m[DICE], m[REASON], m[RIVAL] = 6, 0, 0
        for i in range(m[RIVALS]):
            if m[m[RIVAL_SEAT] + i] == holder:
                return
    _give_title(m, leader, seat)


@jit
def _leader(m: Ints) -> Any:
    """Who is ahead by strength, by roll-offs won, and by who was first, or last."""
    best = m[m[CLAIMANT]]
    for i in range(1, m[CLAIMS]):
        seat = m[m[CLAIMANT] + i]
        ahead = m[m[STRENGTH] + seat] - m[m[STRENGTH] + best]
        if ahead == 0:
            ahead = m[m[WINS] + seat] - m[m[WINS] + best]
        if ahead == 0:
            later = m[m[WHEN] + seat] - m[m[WHEN] + best]
            ahead = later if m[EQUAL] == LAST else -later
        if ahead > 0:
            best = seat
    return best


@jit
def _find_rivals(m: Ints, roller: int, top: int) -> Any:
    """Who throws off an exact tie at the top, in the order in which they first claimed the title, the roller last."""
    most, count, holds = NONE, 0, False
    for i in range(m[CLAIMS]):
        seat = m[m[CLAIMANT] + i]
        if seat != roller and m[m[STRENGTH] + seat] == top:
            most = max(most, m[m[WINS] + seat])
    for i in range(m[CLAIMS]):
        seat = m[m[CLAIMANT] + i]
        if seat != roller and m[m[STRENGTH] + seat] == top and m[m[WINS] + seat] == most:
            m[m[RIVAL_SEAT] + count] = seat
            count += 1
            holds = holds or seat == m[TITLE]
    tied = m[m[STRENGTH] + roller] == top
    if holds:
        m[m[RIVAL_SEAT]] = m[TITLE]
        count = 1 if tied else 0
    if tied:
        m[m[RIVAL_SEAT] + count] = roller
        count += 1
    m[RIVALS] = count if count > 1 else 0
    return count > 1


@jit
def _give_title(m: Ints, seat: int, roller: int) -> None:
    before = m[TITLE]
    if before == seat:
        return
    _note_title(m, seat)
    if before == roller and m[m[STRENGTH] + roller] < m[m[STRENGTH] + seat] and m[RETURNED]:
        _return_granted(m, roller)
    if m[AT_ONCE]:
        _hand_over(m)


@jit
def _note_title(m: Ints, seat: int) -> None:
    if m[TITLE] == NONE:
        m[GONE] = m[THROWN]
    else:
        m[CHANGES] += 1
    m[TITLE] = seat


@jit
def _return_granted(m: Ints, seat: int) -> None:
    """禄骨: the duitang that came with a chajinhua go back to the table."""
    tier, returned = m[DUITANG], 0
    if tier == NONE or not m[IN_ORDER + tier]:
        return
    place = m[LINE + tier]
    while place < m[LINE_END + tier]:
        if m[place] == 2 * seat + 1:
            _pull(m, tier, place)
            returned += 1
        else:
            place += 1
    if returned and m[TABLE + tier] == 0:
        m[LEFT] += 1
    m[TABLE + tier] += returned
    _look(m)


@jit
def _hand_over(m: Ints) -> None:
    """The zhuangyuan cakes go to the holder of the title."""
    if m[TITLE] != NONE:
        _give(m, 0, m[TITLE], m[TABLE], 0)
        if m[AT_ONCE]:
            _take_others(m, 0, m[TITLE], 0)


@jit
def _effect(m: Ints, rng: Bits, effect: int, seat: int) -> None:
    if effect in (SWEEP_TABLE, SWEEP_ALL):
        for tier in range(1, m[TIERS]):
            _give(m, tier, seat, m[TABLE + tier], 0)
            if effect == SWEEP_ALL:
                _take_others(m, tier, seat, 0)
    elif effect == FRIENDLY:
        _friendly(m, seat)
    elif effect == GRAB:
        _grab(m, rng)
    elif effect == EATEN:
        for tier in range(0 if m[TITLE] == NONE else 1, m[TIERS]):
            m[POOL + tier] += m[TABLE + tier]
            _take_off(m, tier, m[TABLE + tier])
    elif effect == DUITANG_UNWON:
        _give(m, m[DUITANG], seat, m[TABLE + m[DUITANG]], 1)
    elif effect == DUITANG_UNTITLED or (m[TITLE] == seat and m[m[FORM] + seat] == CHAJINHUA):
        _take_duitang(m, seat)


@jit
def _take_duitang(m: Ints, seat: int) -> None:
    tier = m[DUITANG]
    _give(m, tier, seat, m[TABLE + tier], 1)
    _take_others(m, tier, seat, 1)
    for place in range(m[LINE + tier], m[LINE_END + tier]):
        if m[place] >> 1 == seat:
            m[place] = 2 * seat + 1


@jit
def _friendly(m: Ints, seat: int) -> None:
    """The thrower takes the duitang; what is left below is dealt round to the others."""
    _give(m, m[DUITANG], seat, m[TABLE + m[DUITANG]], 0)
    _take_others(m, m[DUITANG], seat, 0)
    others, start = m[SEATS] - 1, 0
    for tier in range(1, m[TIERS]):
        cakes = m[TABLE + tier]
        for first in range(min(cakes, others)):
            other = (seat + 1 + (start + first) % others) % m[SEATS]
            _give(m, tier, other, (cakes - first + others - 1) // others, 0)
        start = (start + cakes) % others


@jit
def _grab(m: Ints, rng: Bits) -> None:
    """Lights out: each cake left goes to any seat, all equally likely; the zhuangyuan only if nobody has claimed it."""
    title = m[TABLE] > 0 and (m[TITLE] == NONE or m[GRAB_ALWAYS])
    for tier in range(0 if title else 1, m[TIERS]):
        for _ in range(m[TABLE + tier]):
            _give(m, tier, below(rng, m[SEATS]), 1, 0)
    if title:
        m[TITLE], m[CLAIMS], m[RIVALS] = NONE, 0, 0
        for seat in range(m[SEATS]):
            m[m[STRENGTH] + seat] = NONE


@jit
def _is_over(m: Ints) -> Any:
    if m[UNTIL] == CHAMPION and m[TITLE] != NONE:
        return True
    return m[LEFT] == 0 and (m[TITLE] != NONE or m[STOPS] != 0)


@jit
def _close_or_advance(m: Ints) -> None:
    """End the game where it is over, or begin the last lap, or use up lost turns."""
    if m[LIMIT] < 0 and _is_over(m):
        if m[FINISH] == NOW:
            _finish(m, BY_CHAMPION if m[UNTIL] == CHAMPION and m[TITLE] != NONE else BY_ALL_GONE)
            return
        laps = (m[TURN] + m[SEATS] - 1) // m[SEATS]
        m[LIMIT] = laps * m[SEATS] if m[FINISH] == EQUAL_TURNS else m[TURN] + m[SEATS]
    while m[TURN] != m[LIMIT] and m[m[LOST] + m[SEAT]]:
        m[m[LOST] + m[SEAT]] = 0
        _next_turn(m)
    if m[TURN] == m[LIMIT]:
        if m[UNTIL] == THROWS_OUT:
            _finish_undecided(m, BY_THROWS)
        else:
            _finish(m, BY_LAST_LAP)


@jit
def _finish_undecided(m: Ints, reason: int) -> None:
    if m[TITLE] == NONE and m[THREE_DICE]:
        m[RIVALS], m[RIVAL], m[DICE], m[REASON] = m[SEATS], 0, 3, reason
        for seat in range(m[SEATS]):
            m[m[RIVAL_SEAT] + seat] = seat
    else:
        _finish(m, reason)


@jit
def _throw_off(m: Ints, rng: Bits) -> None:
    """One throw of a roll-off: six dice count their red pips, three their sum; settled when all have thrown."""
    m[ACTS] += 1
    points, throw = 0, below(rng, THROWS if m[DICE] == 6 else 216)
    for _ in range(m[DICE]):
        face = throw % 6 + 1
        throw //= 6
        if m[DICE] == 3 or face in (1, 4):
            points += face
    m[m[POINTS] + m[RIVAL]] = points
    m[RIVAL] += 1
    if m[RIVAL] < m[RIVALS]:
        return
    best, count = 0, 0
    for i in range(m[RIVALS]):
        best = max(best, m[m[POINTS] + i])
    for i in range(m[RIVALS]):
        if m[m[POINTS] + i] == best:
            m[m[RIVAL_SEAT] + count] = m[m[RIVAL_SEAT] + i]
            count += 1
    m[RIVALS], m[RIVAL] = count if count > 1 else 0, 0
    if count == 1:
        _settle(m, m[m[RIVAL_SEAT]])


@jit
def _settle(m: Ints, winner: int) -> None:
    """What comes of a roll-off."""
    if m[DICE] == 3:
        _note_title(m, winner)
        m[m[FORM] + winner] = WITH_THREE_DICE
        _finish(m, m[REASON])
        return
    most = 0
    for i in range(m[CLAIMS]):
        seat = m[m[CLAIMANT] + i]
        if m[m[STRENGTH] + seat] == m[m[STRENGTH] + winner]:
            most = max(most, m[m[WINS] + seat])
    m[m[WINS] + winner] = most + 1
    if m[TITLE] != winner:
        _note_title(m, winner)
        if m[AT_ONCE]:
            _hand_over(m)
    if m[ENDING]:
        _finish(m, BY_EFFECT)
    else:
        _close_or_advance(m)


@jit
def _finish(m: Ints, reason: int) -> None:
    """Hand out what waits for the end."""
    m[OVER], m[RIVALS], ranked = reason, 0, m[RANKED_TIER]
    if ranked != NONE:
        for i in range(min(m[RANKED], m[TABLE + ranked])):
            _give(m, ranked, m[m[RANKED_SEAT] + i], 1, 0)
    _hand_over(m)
    title = m[TITLE]
    if title != NONE:
        flowers = m[m[FORM] + title] == CHAJINHUA and m[CHAJINHUA_END]
        if flowers or (m[m[FORM] + title] == LIUBOHONG and m[LIUBOHONG_END]):
            _take_duitang(m, title)


@jit
def _last_gone(m: Ints) -> Any:
    """The tier that was gone last, where the game waited for all of them."""
    last = NONE
    if m[LEFT] == 0 and m[OVER] != BY_EFFECT and (m[TITLE] != NONE or m[STOPS]):
        for tier in range(m[TIERS]):
            if tier != m[RANKED_TIER] and (last == NONE or m[GONE + tier] > m[GONE + last]):
                last = tier
    return last


@jit
def play_block(
    throws: Bytes, rows: Ints, memory: Ints, rng: Bits, spill: np.uint64, told: Ints, cakes: Ints, tiers: Ints
) -> None:
    """As many games as `told` has rows; each is told there (FIELDS), and all are summed.

    memory: a row for the game that is played, and another where all begin somewhere else than with the first throw.
    cakes: those in hand and their squares, by tier and seat. tiers: by tier the cakes left, the games with some left,
    the cakes eaten by all, when the tier was gone, in how many games it was, and the squares of the
    cakes left and of those eaten.
    """
    m = bare(memory)
    for game in range(len(told)):
        if len(memory) > 1:
            _set_up(m, memory.shape[1])
        else:
            _deal_out(m)
        _play(bare(throws), bare(rows), m, bare(rng), spill, FOREVER)
        for tier in range(m[TIERS]):
            tiers[0, tier] += m[TABLE + tier]
            tiers[1, tier] += m[TABLE + tier] > 0
            tiers[2, tier] += m[POOL + tier]
            tiers[3, tier] += m[GONE + tier]
            tiers[4, tier] += m[GONE + tier] > 0
            tiers[5, tier] += m[TABLE + tier] * m[TABLE + tier]
            tiers[6, tier] += m[POOL + tier] * m[POOL + tier]
            for seat in range(m[SEATS]):
                held = m[m[HELD] + tier * m[SEATS] + seat]
                cakes[0, tier, seat] += held
                cakes[1, tier, seat] += held * held
        title = m[TITLE]
        told[game, 0], told[game, 1], told[game, 2] = m[THROWN], m[ACTS] - m[THROWN], title
        told[game, 3] = m[m[FORM] + title] if title != NONE else 0
        told[game, 4], told[game, 5], told[game, 6], told[game, 7] = m[OVER], _last_gone(m), m[CHANGES], m[CHASES]


@jit
def deal_out(memory: Ints) -> None:
    """Begin a game."""
    _deal_out(bare(memory))


@jit
def look(memory: Ints) -> None:
    """Work out which tiers can still be won, after a game was set up from outside."""
    _look(bare(memory))


@jit
def play(throws: Bytes, rows: Ints, memory: Ints, rng: Bits, spill: np.uint64, stop: int) -> None:
    """Play on until the game is over or `stop` throws of dice were made in all; of 2**32 throws `spill` are spilt."""
    _play(bare(throws), bare(rows), bare(memory), bare(rng), spill, stop)
