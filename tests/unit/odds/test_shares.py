"""Cakes and title by seat: known values, and a chain that is followed throw by throw."""

import pytest

from bobing.core.acts import Close, Leave, Throw
from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.dice import Roll
from bobing.core.errors import OddsError
from bobing.core.game import Game
from bobing.odds.answers import overtaken
from bobing.odds.champion import champion_doubt
from bobing.odds.kinds import dice_of
from bobing.odds.lengths import exact_length
from bobing.odds.sharing import exact_shares, exact_standing
from judge.chain import Chain, small

THROWS = '[ending]\nwhen = "throws"\nthrows_each = 4'
MORE = {
    "at once": "",
    "the last of equals leads": '[title]\nequal = "last"',
    "the first keeps": '[title]\ncontest = "first"',
    "without a champion too": '[ending]\nwithout_champion = "stop"',
    "champion": '[ending]\nwhen = "champion"',
    "champion or all gone": '[ending]\nwhen = "champion"\nwithout_champion = "stop"',
}


def agrees(found, chain):
    if found.champion:
        assert found.champion == pytest.approx([chain.titles[seat] for seat in range(chain.players)], abs=1e-10)
        assert found.no_champion == pytest.approx(chain.titles[None], abs=1e-10)
    for tier in chain.tiers:
        if tier in found.cakes:
            assert found.cakes[tier] == pytest.approx(chain.cakes[tier], abs=1e-10), tier


def test_the_known_values():
    found = exact_shares(find_sheet("minnan-alt"), 10)
    assert found.exact
    yixiu, champion = found.cakes["yixiu"], found.champion
    assert (yixiu[0], yixiu[9]) == pytest.approx((3.3678, 3.0322), abs=5e-5)
    assert (champion[0], champion[9]) == pytest.approx((0.10213, 0.09788), abs=5e-6)


@pytest.mark.parametrize("sheet", sheet_keys())
def test_every_sheet_hands_out_what_it_has(sheet):
    rules = find_sheet(sheet)
    found = exact_shares(rules, 7)
    if found.champion:
        assert sum(found.champion) + (found.no_champion or 0) == pytest.approx(1, abs=1e-11)
        assert found.no_champion == pytest.approx(exact_length(rules, 7).no_champion, abs=1e-11)
        assert list(found.champion) == sorted(found.champion, reverse=True)
    ends_early = dice_of(rules).sum(ends=True) > 0
    for tier, shares in found.cakes.items():
        whole = pytest.approx(rules.cakes[tier], abs=1e-10)
        assert sum(shares) == whole or (ends_early and sum(shares) < rules.cakes[tier])
        assert tier not in found.doubts


@pytest.mark.parametrize("sheet", sheet_keys())
def test_every_sheet_agrees_with_its_chain_whether_it_is_cut_off_or_not(sheet):
    rules = small(sheet)
    chain = Chain(rules, 3)
    for throws in (None, 7, 40):
        agrees(exact_shares(rules, 3, throws=throws), chain.run(throws))


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("sheet", ["S5", "S7a", "S1"])
def test_every_title_and_ending_agrees_with_its_chain_whether_it_is_cut_off_or_not(sheet, more):
    rules = small(sheet, MORE[more])
    chain = Chain(rules, 2)
    for throws in (None, 1, 25):
        agrees(exact_shares(rules, 2, throws=throws), chain.run(throws))


@pytest.mark.parametrize("sheet", ["S5", "S7a", "S2"])
def test_throws_that_are_counted_agree_with_the_chain(sheet):
    rules = small(sheet, THROWS)
    agrees(exact_shares(rules, 3), Chain(rules, 3).run(12))


@pytest.mark.parametrize("equal", ["first", "last"])
def test_a_cut_of_a_game_that_goes_on_for_very_long_agrees_with_its_chain(equal):
    none = "".join(f"cakes.{tier} = 0\n" for tier in find_sheet("S2").lower)
    rules = read_rules(
        f'extends = "S2"\nranking.tiers = ["zhuangyuan", "rare"]\n{none}cakes.rare = 2\nwins.rare = ["112233"]\n'
        f'[title]\nequal = "{equal}"\n[ranks]\nwuzi_by = "equal"\nwuhong_by = "equal"\nsihong_by = "equal"'
    )
    agrees(exact_shares(rules, 2, throws=1900), Chain(rules, 2).run(1900))


def test_a_cut_counts_where_throws_are_counted_too():
    rules = small("S2", THROWS)
    agrees(exact_shares(rules, 3, throws=5), Chain(rules, 3).run(5))
    assert exact_shares(rules, 3, throws=99) == exact_shares(rules, 3)


def test_three_dice_settle_a_game_that_is_cut_off():
    timed = '[ending]\nminutes = 2\nundecided = "three-dice"'
    found, plain = exact_shares(small("S2", timed), 3), exact_shares(small("S2"), 3, throws=10)
    assert found.no_champion == pytest.approx(0, abs=1e-12)
    open_still = plain.no_champion or 0
    assert found.champion == pytest.approx([chance + open_still / 3 for chance in plain.champion])


def test_three_dice_settle_what_the_throws_left_open():
    rules = small("S2", f'{THROWS}\nundecided = "three-dice"')
    found, plain = exact_shares(rules, 3), exact_shares(small("S2", THROWS), 3)
    assert found.no_champion == 0
    open_still = plain.no_champion or 0
    assert found.champion == pytest.approx([chance + open_still / 3 for chance in plain.champion])


def thrown(rules, seats, *rolls):
    game = Game.new(rules, seats)
    for roll in rolls:
        game = game.play(Throw(game.next_seat or 0, Roll.parse(roll)))
    return game


def test_what_is_still_to_come_follows_from_what_may_come_next():
    """The chances now are the mean of the chances after each throw."""
    rules = small("S2")
    game = thrown(rules, 3, "444412", "123455")
    now = exact_standing(game)
    cakes = dict.fromkeys(rules.lower, 0.0)
    titles = [0.0] * 3
    for kind, roll in samples(rules):
        after = game.play(Throw(game.next_seat or 0, roll))
        if after.finished:
            assert after.state.title is not None
            titles[after.state.title] += kind
        else:
            titles = [a + kind * b for a, b in zip(titles, exact_standing(after).champion, strict=True)]
        won = after.state.holding(1).items()
        before = game.state.holding(1)
        for tier, count in won:
            if tier in cakes:
                cakes[tier] += kind * (count - before.get(tier, 0))
        for tier in cakes if not after.finished else ():
            cakes[tier] += kind * exact_standing(after).cakes[tier][1]
    assert now.champion == pytest.approx(titles, abs=1e-10)
    assert {tier: now.cakes[tier][1] for tier in cakes} == pytest.approx(cakes, abs=1e-10)


def samples(rules):
    """A throw of each kind with its chance."""
    from bobing.core.scorebook import THROWS as ALL
    from bobing.core.scorebook import scorebook, ways

    found = {}
    for hand, row in scorebook(rules).rows.items():
        times, _ = found.get((row.tier, row.bonus, row.strength, row.effects), (0, None))
        found[row.tier, row.bonus, row.strength, row.effects] = times + ways(hand), Roll(hand)
    return [(times / ALL, roll) for times, roll in found.values()]


def risk(game):
    found = overtaken(game)
    assert found is not None
    return found


def test_nothing_overtakes_the_highest_throw():
    rules = find_sheet("S2")
    assert risk(thrown(rules, 4, "444411")) == 0
    low = risk(thrown(rules, 4, "444412"))
    assert low == pytest.approx(1 - exact_standing(thrown(rules, 4, "444412")).champion[0])
    assert 0.5 < low < 0.75
    assert risk(thrown(rules, 4, "444412", "444444")) < low
    assert overtaken(thrown(rules, 4, "123455")) is None


def test_the_less_is_left_the_safer_is_the_title():
    rules = find_sheet("S2")
    early = thrown(rules, 4, "444412")
    late = thrown(rules, 4, "444412", *["123455"] * 3, *["422355", "442355", "444355", "222235"] * 16)
    assert risk(late) < risk(early)


def test_chances_are_told_by_seat_wherever_it_sits():
    from bobing.core.acts import Swap

    game = Game.new(find_sheet("S2"), 4).play(Throw(0, Roll.parse("444412")))
    moved = game.play(Swap((2, 3)))
    assert exact_standing(moved).champion[3] == pytest.approx(exact_standing(game).champion[2])


@pytest.mark.parametrize("act", [Leave(3), Close()])
def test_no_chances_where_somebody_is_out_of_turn(act):
    game = Game.new(find_sheet("S2"), 4).play(act)
    with pytest.raises(OddsError) as refused:
        exact_standing(game)
    assert refused.value.code == "odds/not_exact"


DOUBTS = {
    "own-last": '[title]\nown_later = "last"',
    "tie": '[title]\nequal = "red-pips"',
    "bonus": "[bonus]\nwuzi_yixiu = true",
    "protected": '[title]\ncontest = "highest-but-chajinhua"\nequal = "last"',
    "grabbed": '[liubohei]\neffect = "grab"\ngrab_zhuangyuan = "always"',
    "last-lap": '[ending]\nfinish = "extra-lap"',
    "time": "[ending]\nminutes = 450",
    "fallback": '[exhausted]\nthen = "lower"\n[bonus]\nsijin_yixiu = true',
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_what_has_no_exact_champion_is_said(doubt):
    rules = read_rules(f'extends = "S2"\n{DOUBTS[doubt]}')
    assert champion_doubt(dice_of(rules), 2_250 if doubt == "time" else None) == doubt
    found = exact_shares(rules, 5)
    assert found.doubts["champion"] == doubt
    assert not found.exact
    assert found.champion == []


CAKES = {
    "chase": ("sijin", '[chase]\ntiers = ["sijin"]'),
    "sweep": ("erju", '[liubohong]\ntakes = "all"'),
    "friendly": ("erju", '[liubohong]\ntakes = "friendly"'),
    "split": ("erju", '[pingfen]\nby = ["liubohei"]'),
    "fallback": ("erju", '[exhausted]\nthen = "lower"'),
    "at-end": ("duitang", '[chajinhua]\nduitang = "end"'),
    "taken": ("duitang", '[chajinhua]\nduitang = "all"'),
    "last-lap": ("erju", '[ending]\nwhen = "champion"\nfinish = "extra-lap"'),
}


@pytest.mark.parametrize("doubt", CAKES)
def test_cakes_that_have_no_exact_expectation_are_named(doubt):
    tier, more = CAKES[doubt]
    found = exact_shares(read_rules(f'extends = "S2"\n{more}'), 5)
    assert found.doubts[tier] == doubt
    assert tier not in found.cakes
