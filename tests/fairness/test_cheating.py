"""Cheats, each tried on the specification itself: it gains nothing, or the verifier says so."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from bobing.core.acts import Join
from bobing.core.record import read_record
from bobing.fairness.chain import LINKS, player_before, player_chain, server_link
from bobing.fairness.commit import Heads, opening_hash
from bobing.fairness.draw import Draw
from bobing.fairness.events import FairError, Late
from bobing.fairness.forms import event_json
from bobing.fairness.late import late_seed
from bobing.fairness.packing import ZEROS
from bobing.fairness.reveal import seed, signs
from bobing.fairness.verify import verify_record
from support.fair_absence import cheated
from support.fair_corrections import Corrected
from support.standalone import standalone

ALONE = standalone("verify_standalone")
RULES, GAMES = bytes(32), 3_000
LUCKY = 0.0087  # four 4s or more: 406 of 46,656


class Game:
    """A game of two seats, 1 honest and 2 in league with the server, whose secrets come from a random number."""

    def __init__(self, random, links=4):
        self.random, self.links = random, links
        self.id, self.master = random.randbytes(16), random.randbytes(32)
        self.chains = {seat: player_chain(random.randbytes(32), self.id, seat, links) for seat in (1, 2)}

    def heads(self):
        return [
            Heads(seat, server_link(self.master, self.id, seat, 0, self.links), self.chains[seat][0]) for seat in (1, 2)
        ]

    def seed(self):
        opening = opening_hash(self.id, RULES, ZEROS, self.links, b"", self.heads())
        return seed(opening, {seat: chain[1] for seat, chain in self.chains.items()})

    def first(self, seat, j=None):
        server = server_link(self.master, self.id, seat, 1, self.links)
        return Draw(self.id, j or self.seed(), seat, 1, server, self.chains[seat][2]).throw()


def is_lucky(faces):
    return faces.count(4) >= 4


def share(lucky):
    return sum(lucky) / len(lucky)


def near(found, expected, n):
    return abs(found - expected) < 4.5 * (expected * (1 - expected) / n) ** 0.5


def test_whoever_joins_last_and_tries_many_chains_gains_nothing():
    """Row: the last joiner sees all heads, tries 40 chains and takes the one that looks best. The honest device's first
    link is not known yet, so a guess for it is all there is to try against."""
    random, lucky = Random(1), []
    for _ in range(GAMES // 10):
        game = Game(random)
        guess = random.randbytes(32)
        best: Any = None
        for _ in range(40):
            game.chains[2] = player_chain(random.randbytes(32), game.id, 2, game.links)
            opening = opening_hash(game.id, RULES, ZEROS, game.links, b"", game.heads())
            j = seed(opening, {1: guess, 2: game.chains[2][1]})
            if best is None or is_lucky(game.first(2, j)):
                best = game.chains[2]
        game.chains[2] = best
        lucky.append(is_lucky(game.first(2)))
    assert near(share(lucky), LUCKY, len(lucky))


def test_seeds_in_clear_would_let_the_last_joiner_choose():
    """The same cheat where the first link of the honest device is known: that is why heads come first."""
    random, lucky = Random(2), []
    for _ in range(20):
        game = Game(random)
        for _ in range(1_500):
            game.chains[2] = player_chain(random.randbytes(32), game.id, 2, game.links)
            if is_lucky(game.first(2)):
                break
        lucky.append(is_lucky(game.first(2)))
    assert share(lucky) > 0.9, "this cheat works, and heads prevent it"


def test_withholding_a_reveal_draws_again_once_for_each_that_is_counted():
    """Level A: whoever withholds when the dice are poor has as many draws as there are void attempts and one."""
    random, lucky, voids = Random(3), [], []
    for _ in range(GAMES):
        count = 0
        game = Game(random)
        while not is_lucky(game.first(2)) and count < 3:
            game, count = Game(random), count + 1
        lucky.append(is_lucky(game.first(2)))
        voids.append(count)
    assert near(share(lucky), 1 - (1 - LUCKY) ** 4, GAMES)
    assert Counter(voids)[3] > 0.9 * GAMES, "and nearly every time three void attempts are told"


def test_public_chance_makes_withholding_worthless():
    """Level B: reveals come before the beacon, so whoever withholds decides without knowing anything."""
    random, lucky = Random(4), []
    for _ in range(GAMES):
        game = Game(random)
        opening = opening_hash(game.id, RULES, ZEROS, game.links, b"\x02\x00\x06", game.heads())
        links = {seat: chain[1] for seat, chain in game.chains.items()}
        guess = game.first(2, seed(opening, links, b"\x02\x00\x06" + b"111111"))
        if not is_lucky(guess):  # withheld after what a guessed beacon would give
            game = Game(random)
            opening = opening_hash(game.id, RULES, ZEROS, game.links, b"\x02\x00\x06", game.heads())
            links = {seat: chain[1] for seat, chain in game.chains.items()}
        beacon = b"\x02\x00\x06" + bytes(random.choice(b"123456") for _ in range(6))
        lucky.append(is_lucky(game.first(2, seed(opening, links, beacon))))
    assert near(share(lucky), LUCKY, GAMES)


def test_the_server_cannot_tell_the_next_throw_of_an_honest_seat():
    """What the server knows: everything but link k+1 of the seat. Its best guess is as good as any."""
    random, right = Random(5), []
    for _ in range(GAMES):
        game = Game(random)
        server = server_link(game.master, game.id, 1, 1, game.links)
        guess = Draw(game.id, game.seed(), 1, 1, server, game.chains[1][1]).throw()
        right.append(guess[0] == game.first(1)[0])
    assert near(share(right), 1 / 6, GAMES)


def test_skipping_or_another_order_changes_no_seats_dice():
    random = Random(6)
    game = Game(random, 6)
    j = game.seed()

    def throws(order):
        count, found = Counter(), {}
        for seat in order:
            count[seat] += 1
            k = count[seat]
            server = server_link(game.master, game.id, seat, k, game.links)
            found[seat, k] = Draw(game.id, j, seat, k, server, game.chains[seat][k + 1]).throw()
        return found

    plain, other = throws([1, 2] * 5), throws([2, 2, 1, 2, 1, 1, 1, 2, 1, 2])
    assert plain == other


def test_every_screen_has_other_signs_where_they_were_shown_other_heads():
    """Equivocation: two phones that were told different T0 see different signs, but for one chance in 2^30."""
    random, seen = Random(7), []
    for _ in range(300):
        game = Game(random)
        seen.append(signs(game.seed()))
        game.chains[2] = player_chain(random.randbytes(32), game.id, 2, game.links)
        seen.append(signs(game.seed()))
    assert len(set(seen)) == len(seen)


def test_who_comes_late_and_tries_many_chains_gains_nothing():
    """J is known by then; the link that an honest seat shows afterwards is not."""
    random, lucky = Random(8), []
    for _ in range(GAMES // 10):
        game = Game(random)
        j, coming = game.seed(), game.chains[1][3]
        server, guess = random.randbytes(32), random.randbytes(32)
        best: Any = None
        for _ in range(40):
            chain = player_chain(random.randbytes(32), game.id, 3, game.links)
            head = Heads(3, server, chain[0])
            late = late_seed(j, head, chain[1], [(1, 2, guess)])
            if best is None or is_lucky(Draw(game.id, late, 3, 1, server, chain[2]).throw()):
                best = (head, chain)
        head, chain = best
        late = late_seed(j, head, chain[1], [(1, 2, coming)])
        lucky.append(is_lucky(Draw(game.id, late, 3, 1, server, chain[2]).throw()))
    assert near(share(lucky), LUCKY, len(lucky))


@pytest.mark.parametrize("step", [2, 3, LINKS - 5])
def test_a_link_from_further_on_does_not_lead_back(step):
    """Row 38: nobody skips ahead to a throw that suits."""
    chain = player_chain(bytes(32), bytes(16), 1)
    assert player_before(bytes(16), 1, 2, chain[2]) == chain[1]
    assert player_before(bytes(16), 1, 2, chain[2 + step - 1]) != chain[1]


def test_links_of_one_game_or_seat_serve_in_no_other():
    chain = player_chain(bytes(32), bytes(16), 1)
    assert player_before(bytes([1] * 16), 1, 2, chain[2]) != chain[1]
    assert player_before(bytes(16), 2, 2, chain[2]) != chain[1]
    assert player_before(bytes(16), 1, 3, chain[2]) != chain[1]


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize(("way", "absent"), [("left", True), ("lost", True), ("one left", False), ("stayed", False)])
def test_who_comes_while_honest_phones_are_away_can_choose_and_is_not_called_proved(way, absent, grey):
    """J and the links of accomplices are known: without a link of somebody honest the dice of who comes late can be
    chosen. Where one honest phone is missing, no verifier calls them proved, though they could be; where none is, there
    is nothing to gain."""
    tables = [cheated(way, seed, grey=grey) for seed in range(8)]
    chosen = absent or (grey and way == "one left")  # the only honest one
    assert sum(table.is_lucky() for table in tables) == 8 if chosen else sum(table.is_lucky() for table in tables) < 3
    away = [] if way == "stayed" else [1] if grey or way == "one left" else [1, 2]
    for table in tables:
        lines = table.record().splitlines(keepends=True)
        throw, report = (table.late, table.k, "PROXY" if away else "PROVED-A"), verify_record(read_record(lines))
        assert report.sound
        last = report.throws[-1]
        assert ((last.seat, last.k, last.verdict), list(last.unheard)) == (throw, away)
        alone, _ = ALONE.verify(lines)
        assert not alone.faults
        assert alone.results[-1][1:4] == throw
        assert (str(away) in alone.results[-1][4]) if away else alone.results[-1][4] == ""


def test_nobody_comes_late_without_public_chance_where_it_was_announced():
    """Whoever knows the links of accomplices could choose; public chance of its own leaves nothing to choose."""
    table = Corrected()
    table.beacon = "dice"
    table.sealed()
    table.play(Join())
    attempt: Any = table.ledger.attempt
    heads = table.heads(attempt.game, 3)
    late = Late(3, heads.server, heads.player)
    with pytest.raises(FairError) as refused:
        table.tell(late)
    assert refused.value.code == "fair/order"
    table.events.append((1, event_json(late)))
    lines = table.record().splitlines(keepends=True)
    assert [fault.code for fault in verify_record(read_record(lines)).faults] == ["fair/order"]
    assert len(ALONE.verify(lines)[0].faults) == 1
