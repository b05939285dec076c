"""The law of the number of throws: known values, and a chain that is followed throw by throw."""

from fractions import Fraction

import pytest

from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.core.errors import OddsError
from bobing.odds.integral import mean_by_integral
from bobing.odds.kinds import dice_of
from bobing.odds.lengths import exact_length, mean_throws
from bobing.odds.plan.evening import evening_of
from bobing.odds.simulate import Setting
from judge.chain import FEW, Chain, small

ENDINGS = {
    "at once": "",
    "equal turns": '[ending]\nfinish = "equal-turns"',
    "one more lap": '[ending]\nfinish = "extra-lap"',
    "without a champion too": '[ending]\nwithout_champion = "stop"',
    "champion": '[ending]\nwhen = "champion"',
    "champion, equal turns": '[ending]\nwhen = "champion"\nfinish = "equal-turns"',
    "champion, one more lap": '[ending]\nwhen = "champion"\nfinish = "extra-lap"',
    "champion or all gone": '[ending]\nwhen = "champion"\nwithout_champion = "stop"',
    "all gone, one more lap": '[ending]\nwithout_champion = "stop"\nfinish = "extra-lap"',
    "all gone, equal turns": '[ending]\nwithout_champion = "stop"\nfinish = "equal-turns"',
}


def agrees(found, chain):
    assert found.exact
    assert found.mean == pytest.approx(chain.mean, rel=1e-10)
    last = min(len(found.beyond), len(chain.beyond))
    assert found.beyond[:last] == pytest.approx(chain.beyond[:last], abs=1e-12)
    assert found.no_champion == pytest.approx(chain.titles[None], abs=1e-11)
    for tier, left in found.left.items():
        if tier in chain.left:
            assert left[:2] == pytest.approx(tuple(chain.left[tier]), abs=1e-11), tier


def test_the_known_values():
    found = exact_length(find_sheet("S2"))
    assert found.mean == pytest.approx(228.5326981215489, abs=1e-9)
    assert found.sd == pytest.approx(77.70, abs=0.005)
    assert (found.median, found.p95, found.p99, found.quantile(0.999)) == (217, 370, 473, 638)
    assert sum(found.law) == pytest.approx(1, abs=1e-13)
    both = read_rules('extends = "S2"\n[bonus]\nsijin_yixiu = true\nsijin_erju = true')
    assert mean_throws(both) == pytest.approx(228.484061706, abs=1e-9)


@pytest.mark.parametrize("sheet", sheet_keys())
def test_the_fraction_and_the_float_are_one_number(sheet):
    found = exact_length(find_sheet(sheet))
    assert isinstance(found.mean_exact, Fraction)
    assert found.mean == pytest.approx(float(found.mean_exact), rel=1e-12)
    for n in (0, 40, 63, 150, 400):
        assert found.beyond[n] == pytest.approx(float(found.beyond_exact(n)), abs=1e-13)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_fraction_holds_for_every_ending(ending):
    found = exact_length(small("S3", ENDINGS[ending]), 3)
    assert found.mean == pytest.approx(float(found.mean_exact), rel=1e-12)
    for n in (0, 1, 7, 30, 100):
        assert found.beyond[n] == pytest.approx(float(found.beyond_exact(n)), abs=1e-13)


@pytest.mark.parametrize("sheet", sheet_keys())
def test_every_sheet_agrees_with_its_chain(sheet):
    rules = small(sheet)
    agrees(exact_length(rules, 2), Chain(rules, 2).run())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("sheet", ["S12", "S3"])
def test_every_ending_agrees_with_its_chain(sheet, ending):
    rules = small(sheet, ENDINGS[ending])
    agrees(exact_length(rules, 2), Chain(rules, 2).run())


@pytest.mark.parametrize("sheet", ["S2", "S5", "S12"])
def test_throws_that_are_counted_agree_with_the_chain(sheet):
    rules = small(sheet, '[ending]\nwhen = "throws"\nthrows_each = 4')
    agrees(exact_length(rules, 3), Chain(rules, 3).run(12))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("sheet", ["S3", "S5", "S9", "S14"])
def test_a_game_cut_off_agrees_with_the_chain(sheet, ending):
    """What is left too, where lower tiers are taken (S9) and where the champion is given duitang at the end."""
    rules = small(sheet, ENDINGS[ending])
    agrees(exact_length(rules, 3, throws=20), Chain(rules, 3).run(20))


@pytest.mark.parametrize("sheet", ["S2", "S5", "S11", "S15", "000"])
def test_the_integral_and_the_sum_are_one_number(sheet):
    rules = find_sheet(sheet)
    assert mean_by_integral(dice_of(rules)) == pytest.approx(exact_length(rules).mean, rel=1e-12)


def test_any_number_of_cakes_has_a_mean_and_grows_with_them():
    def dealt(times):
        cakes = "".join(f"{tier} = {times * n}\n" for tier, n in FEW.items())
        return mean_throws(read_rules(f'extends = "S2"\n[cakes]\n{cakes}'))

    few, many = dealt(50), dealt(500)  # 300 and 3,000 cakes
    assert 9.0 < many / few < 10


def test_the_mean_of_very_many_cakes_needs_tiers_that_fill_alone():
    with pytest.raises(OddsError) as refused:
        mean_throws(read_rules('extends = "S12"\n[cakes]\nyixiu = 1000'))
    assert refused.value.code == "odds/too_many_cakes"


def test_minutes_are_turned_into_throws():
    rules = read_rules('extends = "S2"\n[ending]\nminutes = 45')
    found = exact_length(rules, seconds=12)
    assert (found.cap, len(found.beyond)) == (225, 225)
    assert found.mean == pytest.approx(float(found.mean_exact), rel=1e-12)
    assert exact_length(rules, seconds=12, throws=100).cap == 100


def test_a_throw_for_which_there_is_just_time_is_thrown():
    rules = read_rules('extends = "S2"\n[ending]\nminutes = 45')
    assert exact_length(rules, seconds=2.7).cap == Setting(rules, 10, seconds=2.7).cap == 1000
    found = evening_of(read_rules('extends = "S2"\n[ending]\nwhen = "throws"\nthrows_each = 100'), 10, 2.7)
    assert found.done_in(45) == 1


def test_half_the_tables_have_no_champion_after_six_throws_each():
    rules = read_rules('extends = "S2"\n[ending]\nwhen = "throws"\nthrows_each = 6')
    assert exact_length(rules, 10).no_champion == pytest.approx((1 - 561 / 46656) ** 60)


@pytest.mark.parametrize(
    "more",
    [
        '[exhausted]\nthen = "lower"\n[bonus]\nsijin_yixiu = true',
        '[exhausted]\nthen = "lower"\n[chase]\ntiers = ["sijin"]',
        '[title]\nown_later = "last"\nlugu_duitang = "returned"\n[chajinhua]\nduitang = "unwon"',
        '[chajinhua]\nduitang = "all"\n[title]\ncontest = "first"',
    ],
)
def test_what_has_no_exact_law_is_said(more):
    with pytest.raises(OddsError) as refused:
        exact_length(small("S2", more), 3)
    assert refused.value.code == "odds/not_exact"


@pytest.mark.parametrize(
    ("sheet", "given", "code"),
    [
        ("S2", {"players": 1}, "odds/out_of_range"),
        ("S2", {"players": 501}, "odds/out_of_range"),
        ("S2", {"seconds": 0}, "odds/out_of_range"),
        ("S2", {"throws": 0}, "odds/out_of_range"),
    ],
)
def test_what_cannot_be_asked_is_refused(sheet, given, code):
    with pytest.raises(OddsError) as refused:
        exact_length(find_sheet(sheet), **given)
    assert refused.value.code == code


def test_too_many_cakes_are_refused():
    with pytest.raises(OddsError) as refused:
        exact_length(read_rules('extends = "S2"\n[cakes]\nyixiu = 1000'))
    assert refused.value.code == "odds/too_many_cakes"
