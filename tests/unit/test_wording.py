"""What people are told: why a throw is what it is called, and the trail of what was changed, by who threw what."""

from itertools import combinations_with_replacement

import pytest

from bobing import telling
from bobing.core.acts import Cocked, Correct, RollOff, Spill, Throw, TimeUp, Undo
from bobing.core.catalogue import complete_table, find_sheet, read_rules, sheet_keys
from bobing.core.combinations import counting, read_hand
from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.core.rules import rules_from_table
from bobing.i18n.phrase import InEach, Listed, Phrase
from bobing.wording import describe, reason
from bobing.wording import lines as wording_lines

NAMES = {0: "Mei", 1: "Tom"}
HANDS = list(combinations_with_replacement(range(1, 7), 6))


def told(game, lang="en"):
    return describe(game.rules, game.last, game.log[-1].act, game, NAMES, lang, dice=False)[0]


def played(*acts, rules="referee-order"):
    game = Game.new(find_sheet(rules), 2)
    for act in acts:
        game = game.play(act)
    return game


MEI, TOM = Throw(0, Roll.parse("222231")), Throw(1, Roll.parse("446123"))


@pytest.mark.parametrize(
    ("roll", "en", "zh"),
    [
        ("222231", "4 dice show 2", "4颗2点"),
        ("222241", "4 dice show 2, 1 die shows 4", "4颗2点，1颗4点"),
        ("112233", "three pairs", "三对"),
        ("111222", "two times three alike", "两组三颗相同"),
        ("444412", "4 dice show 4, with 3 on the rest", "4颗4点，带3点"),
        ("444411", "4 dice show 4, 2 dice show 1", "4颗4点，2颗1点"),
        ("112356", "nothing by these rules", "照这套规则什么也不是"),
    ],
)
def test_the_reason_names_the_dice(roll, en, zh):
    rules = rules_from_table(
        complete_table(
            {
                "extends": "referee-order",
                "hands": {"three_pairs": "any", "two_triples": "with-fours"},
                "bonus": {"sijin_yixiu": True},
            }
        )
    )
    assert (reason(rules, Roll.parse(roll), "en"), reason(rules, Roll.parse(roll), "zh-Hans")) == (en, zh)


def test_cakes_that_go_back_were_won_from_nobody():
    game = played(MEI, Undo(1), Throw(0, Roll.parse("112233")), Throw(1, Roll.parse("222231")), Undo(2))
    words = describe(game.rules, game.last, game.log[-1].act, game, NAMES, "en", dice=False)
    assert [line for line in words if "Four of a Kind" in line][1:] == ["1 × Four of a Kind back to Mei"]
    assert not any("from" in line for line in words)


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "Mei now has 1 × Four of a Kind, and Tom does not"), ("zh-Hans", "1个四进改归Mei，不归Tom")],
)
def test_what_a_correction_moves_was_won_from_nobody(lang, told):
    """There is one cake of a tier: the corrected throw leaves none to the one that came after."""
    rules = rules_from_table(complete_table({"extends": "referee-order", "cakes": {"sijin": 1}}))
    game = Game.new(rules, 2)
    for act in (Throw(0, Roll.parse("112356")), Throw(1, Roll.parse("222231")), Correct(1, MEI)):
        game = game.play(act)
    assert told in describe(game.rules, game.last, game.log[-1].act, game, NAMES, lang, dice=False)


@pytest.mark.parametrize("key", sheet_keys())
def test_the_dice_that_count_are_enough_to_win(key):
    """The same is won by some throw whose other dice show neither a 4 nor the face of which there are most."""
    rules = find_sheet(key)
    for hand in HANDS:
        row, places = read_hand(hand, rules), counting(hand, rules)
        assert bool(places) == (row.combination != "none"), hand
        made = tuple(hand[place] for place in places)
        fillers = [face for face in range(1, 7) if face not in (4, max(hand, key=hand.count))]
        throws = (made + other for other in combinations_with_replacement(fillers, 6 - len(made)))
        read = (read_hand(tuple(sorted(throw)), rules) for throw in throws)
        assert any((one.combination, one.bonus) == (row.combination, row.bonus) for one in read), hand


def test_a_pattern_of_the_rule_file_counts_with_its_own_dice():
    rules = rules_from_table(complete_table({"extends": "minnan", "wins": {"yixiu": ["1166xx"]}}))
    assert counting((6, 1, 2, 6, 1, 6), rules) == (0, 1, 3, 4)


@pytest.mark.parametrize(
    ("acts", "en"),
    [
        ([MEI], "Mei throws Four of a Kind: takes 1 × Four of a Kind"),
        ([Throw(0, Roll.parse("112356"))], "Mei throws nothing that wins"),
        ([MEI, Undo(1)], "taken back: Mei's throw 222231 (Four of a Kind)"),
        ([MEI, TOM, Undo(1)], "taken back: Mei's throw 222231 (Four of a Kind), and 1 entry after it"),
        ([Spill(0), Undo(1)], "taken back: “Mei: a die left the bowl, the throw is void”"),
        ([MEI, Undo(1), Undo(2)], "brought back: Mei's throw 222231 (Four of a Kind)"),
        ([MEI, Undo(1), Undo(2), Undo(3)], "the change to Mei's throw 222231 (Four of a Kind) is itself taken back"),
        (
            [MEI, TOM, Correct(1, Throw(0, Roll.parse("446123")))],
            "Mei's throw 222231 (Four of a Kind) is corrected to: Mei throws Two Fours",
        ),
        (
            [MEI, TOM, Correct(1, Throw(0, Roll.parse("446123"))), Undo(1)],
            "taken back: Mei's throw 446123 (Two Fours), and 2 entries after it",
        ),
        (
            [MEI, Correct(1, Throw(0, Roll.parse("446123"))), Undo(2)],
            "no longer corrected: Mei's throw 222231 (Four of a Kind)",
        ),
        (
            [MEI, Correct(1, Cocked(0))],
            "Mei's throw 222231 (Four of a Kind) is corrected to: Mei: a die leans; all six are thrown again",
        ),
    ],
)
def test_the_trail_says_whose_throw_was_changed(acts, en):
    assert told(played(*acts)) == en


def test_what_stands_beside_a_picture_of_the_dice_is_said_once_for_all_dice():
    """Only then is a sentence that was said before found again."""
    deeds = []
    for roll in ("441236", "632144"):
        game = played(Throw(0, Roll.parse(roll)))
        deeds.append(telling.deeds(telling.Teller(game.rules, NAMES, dice=False), game.last, game.log[-1].act, game))
    assert deeds[0] == deeds[1]
    assert wording_lines(deeds[0], "en") == ["Mei throws Two Fours: takes 1 × Two Fours"]


def test_phrases_of_different_kinds_are_never_taken_for_each_other():
    kinds = [Phrase("game.comma"), Listed((), "game.comma"), InEach("a", "b", "c"), "game.comma", 1, "1"]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize(("lang", "between"), [("en", "; taken back"), ("zh-Hans", "；收回"), ("zh-Hant", "；收回")])
def test_a_correction_that_takes_back_what_follows_says_both_in_one_sentence(lang, between):
    game = played(MEI, TOM, Throw(0, Roll.parse("112233")), Correct(1, Throw(0, Roll.parse("444444")), cut=True))
    assert between in told(game, lang)


def ended_by(*acts, rules):
    game = Game.new(rules, 2)
    for act in acts:
        game = game.play(act)
    assert game.finished
    return describe(rules, game.last, game.log[-1].act, game, NAMES, "en", dice=False)


ONE_TITLE = 'extends = "minnan"\n[ending]\nwhen = "champion"\nfinish = "at-once"\n'
DICE = 'extends = "minnan"\n[ending]\nminutes = 9\nundecided = "three-dice"\n'


def test_the_champion_of_the_last_throw_is_told_once_with_it():
    said = " | ".join(ended_by(Throw(0, Roll.parse("444412")), rules=read_rules(ONE_TITLE)))
    assert said.count("444412") == 1, said
    assert "Mei is the champion, with Four Fours" in said
    assert "leads for the title" not in said


def test_a_title_that_is_taken_at_the_end_is_not_told_again_with_its_throw():
    last = 'extends = "minnan"\n[ending]\nwhen = "throws"\nthrows_each = 1\n'
    said = ended_by(Throw(0, Roll.parse("444412")), Throw(1, Roll.parse("444456")), rules=read_rules(last))
    assert " | ".join(said).count("444456") == 1, said
    assert said[-1] == "Tom is the champion"


def test_a_champion_by_three_dice_is_told_once_with_them():
    rules = read_rules(DICE)
    said = ended_by(TimeUp(), RollOff(0, (1, 2, 3)), RollOff(1, (4, 5, 6)), rules=rules)
    assert said[-1] == "Tom is the champion, with three dice (456)"
    assert not [line for line in said if "wins it with" in line]
    kept = 'extends = "minnan"\n[ending]\nwhen = "throws"\nthrows_each = 1\n'
    said = ended_by(Throw(0, Roll.parse("444456")), Throw(1, Roll.parse("444412")), rules=read_rules(kept))
    assert said[-1] == "Mei is the champion"
    plain = ended_by(Throw(0, Roll.parse("444456")), Throw(1, Roll.parse("122356")), rules=read_rules(kept))
    assert plain[-1].startswith("Mei is the champion, with Four Fours")
