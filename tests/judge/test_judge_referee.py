"""The judge itself is judged: small games worked out by hand, and many random ones."""

import random
from typing import Any

import pytest

from judge.referee import Act, Game, Result, final, grab_expected, net_change, new_game, play, referee
from judge.sheets import SHEETS


def roll(seat: int, faces: str, **more: Any) -> Act:
    return {"seat": seat, "roll": faces, **more}


def spill(seat: int) -> Act:
    return {"seat": seat, "spill": True}


def run(key: str, seats: int, *acts: Act, start: int = 0) -> list[Result]:
    return referee(SHEETS[key], seats, start, acts)


def in_turn(seats: int, *rolls: str) -> list[Act]:
    return [roll(i % seats, faces) for i, faces in enumerate(rolls)]


def win_all(tier: str, key: str) -> list[str]:
    """Throws that empty a tier of the sheet."""
    one = {"yixiu": "122354", "erju": "122344", "sijin": "222233", "sanhong": "444123", "duitang": "123456"}
    return [one[tier]] * SHEETS[key].cakes[tier]


NOTHING = "112235"
LOWER = ("duitang", "sanhong", "sijin", "erju", "yixiu")


def empty(key: str, *tiers: str) -> list[str]:
    return [faces for tier in tiers for faces in win_all(tier, key)]


# ---- turns, faults ------------------------------------------------------------------------------------------------


def test_a_spill_costs_the_next_turn_where_the_sheet_says_so():
    results = run("S13", 3, spill(0), roll(1, NOTHING), roll(2, NOTHING), roll(1, NOTHING))
    assert [r.get("next") for r in results] == [1, 2, 1, 2, None]
    assert [r.get("skipped") for r in results] == [[], [], [0], [], None]


def test_a_spill_is_only_void_elsewhere():
    results = run("S5", 2, {"seat": 0, "spill": True, "roll": "444444"}, roll(1, NOTHING))
    assert [r.get("next") for r in results[:2]] == [1, 0]
    assert results[0]["title"] is None
    assert results[0]["moves"] == []


def test_two_who_must_skip_never_block():  # D-54
    results = run("002", 2, spill(0), spill(1))
    assert results[1]["skipped"] == [0, 1]
    assert results[1]["next"] == 0


def test_the_last_at_the_table_skips_himself():  # D-54
    results = run("002", 2, {"seat": 1, "leave": True}, spill(0))
    assert results[1]["skipped"] == [0]
    assert results[1]["next"] == 0


def test_cocked_dice_are_thrown_again():  # D-57
    results = run("002", 2, {"seat": 0, "cocked": True}, roll(0, NOTHING))
    assert [r.get("next") for r in results[:2]] == [0, 1]


def test_refusals_change_nothing():
    results = run("002", 2, roll(1, NOTHING), roll(0, "444"), roll(5, NOTHING), roll(0, "122354"))
    assert ["refused" in r for r in results] == [True, True, True, False, False]
    assert results[3]["n"] == 1
    assert results[3]["moves"] == [{"tier": "yixiu", "cakes": 1, "from": "table", "to": 0}]


# ---- the title ----------------------------------------------------------------------------------------------------


def test_lugu():  # D-20, D-22, E-22
    acts = in_turn(2, "444466", "444463", "444423", NOTHING)
    last = run("003N", 2, *acts)
    assert [r["title"]["seat"] for r in last[:3]] == [0, 0, 1]
    best = run("002", 2, *acts)
    assert [r["title"]["seat"] for r in best[:3]] == [0, 0, 0]


def test_an_equal_last_throw_comes_later():  # D-20, D-23
    results = run("S10", 2, *in_turn(2, "444461", "444452", "444461"))
    assert [r["title"]["seat"] for r in results[:3]] == [0, 0, 1]


def test_a_leader_alone_stays():  # D-21
    results = run("S12", 2, *in_turn(2, "444466", NOTHING, "444423"))
    assert results[2]["title"] == {"seat": 0, "roll": "444423"}


def test_red_pips_settle_a_tie():
    acts = in_turn(3, "444461", "444452")
    again = {"rolloff": [{"seat": 0, "roll": "111111"}, {"seat": 1, "roll": "411222"}]}
    decided = {"rolloff": [{"seat": 0, "roll": "111111"}, {"seat": 1, "roll": "442222"}]}
    results = run("philippines", 3, *acts, roll(2, NOTHING), again, decided, roll(2, NOTHING))
    assert [r["title"]["seat"] for r in results[:2]] == [0, 0]
    assert "refused" in results[2]
    assert [r["next"] for r in (*results[:2], *results[3:6])] == [1, None, None, 2, 0]
    assert [r["title"]["seat"] for r in results[3:5]] == [0, 1]


# ---- exhausted tiers ----------------------------------------------------------------------------------------------


def test_chase_by_seat():  # D-39 to D-42
    # seat 1 and 2 hold the duitang; seat 0 looks back: 3, then 2
    results = run("000-1", 4, *in_turn(4, NOTHING, "123456", "123456", NOTHING, "123456"))
    assert results[4]["moves"] == [{"tier": "duitang", "cakes": 1, "from": 2, "to": 0}]


def test_chase_from_the_latest_winner():
    results = run("003M", 3, *in_turn(3, "123456", "123456", "123456", "123456", "123456"))
    assert [m for r in results[2:5] for m in r["moves"]] == [
        {"tier": "duitang", "cakes": 1, "from": 1, "to": 2},
        {"tier": "duitang", "cakes": 1, "from": 2, "to": 0},
        {"tier": "duitang", "cakes": 1, "from": 0, "to": 1},
    ]


def test_chase_from_the_earliest_winner():  # D-25
    results = run("S15", 4, *in_turn(4, *["123456"] * 7))
    assert [(m["from"], m["to"]) for r in results[3:7] for m in r["moves"]] == [(0, 3), (1, 0), (2, 1), (3, 2)]


def test_no_chase_from_oneself_or_a_leaver():  # D-39, E-15
    acts = [*in_turn(2, "123456", NOTHING, "123456", NOTHING, "123456"), {"seat": 0, "leave": True}]
    results = run("000-1", 2, *acts, roll(1, "123456"))
    assert results[4]["moves"] == []
    assert results[6]["moves"] == []


def test_no_chase_in_the_extra_throws():  # D-44
    rolls = empty("003M", "duitang", "sanhong", "sijin", "erju", "yixiu")
    results = run("003M", 3, *in_turn(3, *rolls, "123456", "444412"))
    assert results[-3]["moves"] == []
    assert results[-2]["finished"] is True
    assert results[-1]["finished"] is True


def test_fallback():  # D-46
    rolls = empty("S9", "sijin")
    results = run("S9", 3, *in_turn(3, *rolls), roll(2, "222233", choose="duitang"), roll(2, "222233", choose="yixiu"))
    assert "refused" in results[8]
    assert results[9]["moves"] == [{"tier": "yixiu", "cakes": 1, "from": "table", "to": 2}]
    results = run("S9", 3, *in_turn(3, *rolls, "222233"))
    assert results[8]["moves"] == [{"tier": "erju", "cakes": 1, "from": "table", "to": 2}]


def test_a_bonus_is_never_turned_into_another():  # D-1 to D-3
    rolls = [*empty("S12", "erju"), "222244", *empty("S12", "sijin"), "222234"]
    moves = [r["moves"] for r in run("S12", 2, *in_turn(2, *rolls))[:-1]]
    assert [m["tier"] for m in moves[16]] == ["sijin"]
    assert [m["tier"] for m in moves[-1]] == ["yixiu"]


# ---- effects ------------------------------------------------------------------------------------------------------


def test_chajinhua_takes_all_duitang_at_once():
    for key in ("003T", "S1", "S3"):
        results = run(key, 3, *in_turn(3, "123456", "444411", "444411"))
        assert net_change(results[1]["moves"]) == {("duitang", 1): 2, ("duitang", 0): -1, ("duitang", "table"): -1}
        assert results[2]["moves"] == []  # D-28
        assert results[2]["title"]["seat"] == 1


def test_chajinhua_takes_unwon_duitang():  # D-27, D-29
    for key in ("003N", "S12"):
        results = run(key, 2, *in_turn(2, "123456", "444411"))
        assert net_change(results[1]["moves"]) == {("duitang", 1): 1, ("duitang", "table"): -1}
    results = run("003N-i", 2, *in_turn(2, "222222", "444411"))
    assert results[1]["title"]["seat"] == 0
    assert net_change(results[1]["moves"]) == {("duitang", 1): 2, ("duitang", "table"): -2}


def test_chajinhua_takes_duitang_at_the_end():
    for key in ("003M", "S5", "S14"):
        rolls = ["444411", *empty(key, *LOWER)]
        results = run(key, 3, *in_turn(3, *rolls))
        assert results[0]["moves"] == []
        assert results[-1]["seats"][0]["duitang"] == 2
        assert results[-1]["champion"] == 0


def test_six_fours_in_modern_xiamen():  # D-30, B-2
    results = run("003M", 3, *in_turn(3, "444411", "123456", "444444"))
    assert results[-1]["champion"] == 0
    assert results[-1]["seats"][0] == {"zhuangyuan": 1, "duitang": 2, "sanhong": 0, "sijin": 0, "erju": 0, "yixiu": 0}
    assert results[-1]["seats"][2]["yixiu"] == 32
    results = run("003M", 3, *in_turn(3, "444466", "123456", "444444"))
    assert sum(results[-1]["seats"][2].values()) == 63


def test_six_fours_take_everything_but_from_a_leaver():  # E-15
    acts = [*in_turn(3, "123456", "122354", NOTHING), {"seat": 0, "leave": True}, roll(1, NOTHING), roll(2, "444444")]
    results = run("001", 3, *acts)
    assert results[-1]["finished"]
    assert sum(results[-1]["seats"][2].values()) == 62
    assert results[-1]["seats"][0]["duitang"] == 1


def test_six_fours_of_s3_spare_chajinhua():  # E-13
    results = run("S3", 3, *in_turn(3, "122354", "123456", NOTHING, "444411", "122354", "444444"))
    assert results[-1]["champion"] == 0
    assert results[-1]["seats"][0] == {"zhuangyuan": 1, "duitang": 2, "sanhong": 0, "sijin": 0, "erju": 0, "yixiu": 0}
    assert sum(results[-1]["seats"][2].values()) == 60


def test_friendly_six_fours():  # D-31, E-5
    results = run("003T-f", 3, *in_turn(3, "123456", "444444"))
    final_seats = results[-1]["seats"]
    assert final_seats[1] == {"zhuangyuan": 1, "duitang": 2, "sanhong": 0, "sijin": 0, "erju": 0, "yixiu": 0}
    assert (final_seats[0]["yixiu"], final_seats[2]["yixiu"]) == (16, 16)
    assert results[-1]["finished"]


def test_lights_out():  # D-33, D-34, E-12
    left = {"sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32, "duitang": 1}
    grab = {tier: [2] * cakes for tier, cakes in left.items()}
    acts = in_turn(3, "123456", "444411")
    results = run("S5", 3, *acts, roll(2, "111111"), roll(2, "111111", grab={**grab, "zhuangyuan": [0]}))
    assert all("refused" in r for r in results[2:4])
    results = run("S5", 3, *acts, roll(2, "111111", grab=grab))
    assert results[-1]["champion"] == 1
    assert (results[-1]["seats"][1]["duitang"], results[-1]["seats"][2]["yixiu"]) == (2, 32)


def test_lights_out_with_only_the_zhuangyuan_cake_left():  # E-19
    rolls = empty("003T", *LOWER)
    results = run("003T", 2, *in_turn(2, *rolls), roll(0, "333333", grab={"zhuangyuan": [1]}))
    assert results[-1]["champion"] is None
    assert results[-1]["seats"][1]["zhuangyuan"] == 1
    assert results[-1]["finished"]


def test_only_six_sixes_of_s7a():  # D-36
    results = run("S7a", 2, *in_turn(2, "222222", "666666"))
    assert "refused" in results[1]
    grab = {"duitang": [0, 0], "sanhong": [0] * 4, "sijin": [0] * 8, "erju": [0] * 16, "yixiu": [0] * 32}
    results = run("S7a", 2, roll(0, "222222"), roll(1, "666666", grab=grab))
    assert results[-1]["champion"] == 1
    assert results[-1]["seats"][1]["zhuangyuan"] == 1


def test_shared():  # D-34, D-35
    results = run("S12", 2, *in_turn(2, "123456", "111111"))
    assert results[1]["title"]["seat"] == 1
    assert {"tier": "zhuangyuan", "cakes": 1, "from": "table", "to": 1} in results[1]["moves"]
    assert {"tier": "duitang", "cakes": 1, "from": "table", "to": "pool"} in results[1]["moves"]
    results = run("003N", 2, *in_turn(2, "123456", "111111"))
    assert {"tier": "zhuangyuan", "cakes": 1, "from": "table", "to": "pool"} in results[1]["moves"]
    assert results[-1]["champion"] is None


def test_pingfen():  # D-38, E-14
    rolls = ["123456", NOTHING, NOTHING, "122354", NOTHING, NOTHING, "122354", NOTHING, NOTHING, "122354"]
    results = run("S13-pf", 3, *in_turn(3, *rolls, NOTHING, NOTHING, "666666"))
    assert net_change(results[12]["moves"]) == {
        ("duitang", 0): -1,
        ("duitang", 1): 1,
        ("yixiu", 0): -2,
        ("yixiu", 2): 1,
        ("yixiu", 1): 1,
    }
    assert results[12]["title"]["seat"] == 0
    assert not results[12]["finished"]


def test_sanhong_by_sum():  # D-24, E-11
    rolls = ["444123", "444665", "444112", "444566", "444123", "444123", "444356", *empty("S15", "duitang", "sijin")]
    rolls += empty("S15", "erju", "yixiu")
    extra = ["444333", "444412"]
    results = run("S15", 3, *in_turn(3, *rolls, *extra))
    assert all(r["moves"] == [] for r in results[:7])
    # sums: 6 17 4 17 6 6 14, then 9: the best six are 17 17 14 9 6 6
    assert [(m["from"], m["to"]) for m in results[-2]["moves"] if m["tier"] == "sanhong"] == [
        ("table", 1),
        ("table", 0),
    ]
    assert sum(seat["sanhong"] for seat in results[-1]["seats"]) == 6
    assert results[-1]["seats"][2]["sanhong"] == 0


def test_first_come_in_s11():  # D-53
    results = run("S11", 2, *in_turn(2, "444412", "444444", "444441"))
    assert results[0]["moves"] == [{"tier": "zhuangyuan", "cakes": 1, "from": "table", "to": 0}]
    assert [r["moves"] for r in results[1:3]] == [[], []]
    assert results[-1] == {
        "final": True,
        "finished": False,
        "seats": [{"zhuangyuan": 1, "sanhong": 0, "erju": 0, "yixiu": 0}, dict.fromkeys(SHEETS["S11"].cakes, 0)],
        "champion": 0,
    }


def test_the_end():  # D-49 to D-52
    rolls = empty("S2", *LOWER)
    results = run("S2", 2, *in_turn(2, *rolls))
    assert not results[-1]["finished"]
    results = run("S2", 2, *in_turn(2, *rolls, "444444", NOTHING))
    assert results[-3]["finished"]
    assert results[-3]["next"] is None
    assert "refused" in results[-2]
    results = run("S2", 2, *in_turn(2, "444412", *rolls))
    assert results[-2]["finished"]
    assert results[-2]["moves"][-1] == {"tier": "zhuangyuan", "cakes": 1, "from": "table", "to": 0}


# ---- undo and correction ------------------------------------------------------------------------------------------


def test_undo_gives_back_turn_skip_and_cakes():
    acts = [spill(0), roll(1, "122354"), roll(1, "122344"), {"undo": 1}, roll(0, "123456"), {"undo": 2}]
    results = run("002", 2, *acts)
    assert results[3]["n"] == 4
    assert results[3]["next"] == 0
    assert net_change(results[3]["moves"]) == {
        ("yixiu", 1): -1,
        ("yixiu", "table"): 1,
        ("erju", 1): -1,
        ("erju", "table"): 1,
    }
    assert results[4]["n"] == 5
    assert "refused" in results[5]


def test_correction():
    acts = [*in_turn(2, "123456", "122354", "444444"), {"correct": 1, "act": roll(0, "122344")}]
    results = run("002", 2, *acts)
    assert net_change(results[3]["moves"]) == {
        ("duitang", 0): -1,
        ("duitang", "table"): 1,
        ("erju", 0): 1,
        ("erju", "table"): -1,
    }
    assert results[3]["title"] == {"seat": 0, "roll": "444444"}


def test_a_correction_that_makes_a_later_act_impossible():
    acts = in_turn(2, "123456", "122354", "122354", "122354")
    over = {"correct": 2, "act": roll(1, "444444")}
    results = run("001", 2, *acts, over, {**over, "take_back": True})
    assert "act 3" in results[4]["refused"]
    assert results[5]["finished"]
    assert sum(results[-1]["seats"][1].values()) == 63
    results = run("001", 2, *acts, {"correct": 2, "act": roll(0, NOTHING)}, {"correct": 9, "act": roll(0, NOTHING)})
    assert all("refused" in r for r in results[4:6])


# ---- random games -------------------------------------------------------------------------------------------------


def random_act(game: Game, dice: random.Random) -> Act:
    seat = game.turn
    if game.tie_between:
        return {"rolloff": [{"seat": s, "roll": random_roll(dice)} for s in game.tie_between]}
    assert seat is not None
    if dice.random() < 0.03:
        return dice.choice(({"seat": seat, "spill": True}, {"seat": seat, "cocked": True}))
    if dice.random() < 0.003 and len(game.left) < game.seats - 1:
        return {"seat": dice.choice([s for s in range(game.seats) if s not in game.left]), "leave": True}
    faces = random_roll(dice) if dice.random() < 0.99 else dice.choice(("444411", "444444", "222222", "111111"))
    left = grab_expected(game, seat, [int(digit) for digit in faces])
    here = [s for s in range(game.seats) if s not in game.left]
    grab = {tier: [dice.choice(here) for _ in range(cakes)] for tier, cakes in left.items()}
    return roll(seat, faces, **({"grab": grab} if grab else {}))


def random_roll(dice: random.Random) -> str:
    return "".join(dice.choice("123456") for _ in range(6))


def random_game(key: str, seed: int) -> tuple[int, list[Act], Game]:
    dice = random.Random(f"{key} {seed}")
    seats = dice.randint(2, 6)
    game = new_game(SHEETS[key], seats)
    acts: list[Act] = []
    while not game.finished:
        acts.append(random_act(game, dice))
        play(game, acts[-1])
    return seats, acts, game


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", SHEETS)
def test_random_games_end_and_keep_their_cakes(key: str):
    cakes = SHEETS[key].cakes
    for seed in range(10):
        seats, acts, game = random_game(key, seed)
        results = referee(SHEETS[key], seats, 0, acts)
        assert results[-1] == final(game)
        assert [r["finished"] for r in results[:-1]] == [False] * (len(acts) - 1) + [True]
        total = dict(game.table)
        for tier in cakes:
            total[tier] += game.pool[tier] + sum(seat[tier] for seat in results[-1]["seats"])
        assert total == cakes
        moved = net_change([m for r in results[:-1] for m in r["moves"]])
        for seat, held in enumerate(results[-1]["seats"]):
            assert {tier: moved.get((tier, seat), 0) for tier in cakes} == held
        champion = results[-1]["champion"]
        if champion is not None:
            assert results[-1]["seats"][champion]["zhuangyuan"] == 1
        stays = {tier for tier, n in game.table.items() if n}
        assert stays <= ({"sanhong"} if key == "S15" else set())


@pytest.mark.parametrize("key", ["003M", "S12", "S13-pf"])
def test_undo_and_redo_of_random_games(key: str):
    seats, acts, game = random_game(key, 7)
    middle = len(acts) // 2
    results = referee(SHEETS[key], seats, 0, [*acts, {"undo": middle}, *acts[middle - 1 :]])
    assert results[-1] == final(game)
    same = {"correct": middle, "act": acts[middle - 1]}
    results = referee(SHEETS[key], seats, 0, [*acts, same])
    assert results[-2]["moves"] == []
    assert results[-1] == final(game)
