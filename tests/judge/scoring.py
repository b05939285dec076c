"""One throw under one sheet, read as a person reads it: from the highest combination down."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypedDict

from .sheets import Sheet

STRAIGHT = [1, 2, 3, 4, 5, 6]
PAIRS_IN_A_ROW = ([1, 1, 2, 2, 3, 3], [2, 2, 3, 3, 4, 4], [3, 3, 4, 4, 5, 5], [4, 4, 5, 5, 6, 6])


class Award(TypedDict):
    tier: str
    cakes: int
    bonus: bool


class Reading(TypedDict):
    combination: str
    awards: list[Award]
    strength_key: tuple[int, ...] | None  # higher wins, equal ties; only among throws of one sheet
    effects: list[str]


class Census(TypedDict):
    awards: dict[str, int]
    bonus: dict[str, int]
    none: int
    strengths: int


def score(sheet: Sheet, faces: Sequence[int]) -> Reading:
    """What `faces` (six numbers from 1 to 6, in any order) are and win, whatever is left on the table."""
    combination = combination_of(sheet, faces)
    strength = strength_of(sheet, combination, faces)
    if strength is not None:
        main = "zhuangyuan"
    elif combination in sheet.cakes:
        main = combination
    else:
        main = None
    awards: list[Award] = []
    if main:
        awards.append({"tier": main, "cakes": 1, "bonus": False})
    bonus = bonus_of(sheet, combination, faces)
    if bonus:
        awards.append({"tier": bonus, "cakes": 1, "bonus": True})
    return {
        "combination": combination,
        "awards": awards,
        "strength_key": strength,
        "effects": effects_of(sheet, combination, faces),
    }


def combination_of(sheet: Sheet, faces: Sequence[int]) -> str:
    """The name of the highest combination that the sheet sees in the throw, or `none`."""
    how_many = [faces.count(face) for face in range(7)]  # how_many[4] = number of 4s
    most_alike = max(how_many)
    fours = how_many[4]
    if sheet.only_fours:
        return {0: "none", 1: "yixiu", 2: "erju", 3: "sanhong"}.get(fours, "sihong")
    if most_alike == 6:
        return name_of_six_alike(sheet, faces[0])
    if most_alike == 5:
        return "wuhong" if fours == 5 else "wuzi"
    if fours == 4:
        with_two_ones = how_many[1] == 2
        return "chajinhua" if with_two_ones and "chajinhua" in sheet.order else "sihong"
    if is_duitang(sheet, faces):
        return "duitang"
    if fours == 3:
        return "sanhong"
    if most_alike == 4:
        return "sijin"
    return {2: "erju", 1: "yixiu", 0: "none"}[fours]


def name_of_six_alike(sheet: Sheet, face: int) -> str:
    if face == 4:
        return "liubohong"
    if face == 1:
        return sheet.six_ones_are
    return "liubohei"


def is_duitang(sheet: Sheet, faces: Sequence[int]) -> bool:
    in_order = sorted(faces)
    if in_order == STRAIGHT:
        return True
    if sheet.consecutive_pairs and in_order in PAIRS_IN_A_ROW:
        return True
    two_triples = in_order[0] == in_order[2] and in_order[3] == in_order[5]
    if sheet.two_triples == "with fours":
        return two_triples
    if sheet.two_triples == "without fours":
        return two_triples and 4 not in in_order
    return False


def strength_of(sheet: Sheet, combination: str, faces: Sequence[int]) -> tuple[int, ...] | None:
    """The place in the sheet's order, then what decides between two of the same kind. None when no zhuangyuan."""
    if combination not in sheet.order:
        return None
    place = len(sheet.order) - sheet.order.index(combination)
    if combination == "sihong":
        return (place, sum(faces) - 16) if sheet.sihong_by == "sum" else (place,)
    if combination == "wuhong":
        return (place, sum(faces) - 20)
    if combination == "wuzi":
        face = next(face for face in faces if faces.count(face) == 5)
        kicker = next(face for face in faces if faces.count(face) == 1)
        return (place, kicker) if sheet.wuzi_by == "kicker" else (place, face, kicker)
    if combination == "liubohei":
        return (place, faces[0])  # D-15, E-7
    return (place,)


def bonus_of(sheet: Sheet, combination: str, faces: Sequence[int]) -> str | None:
    """The tier that the throw wins besides its own (jiande), or None."""
    fours = faces.count(4)
    if combination == "sijin" and fours == 1 and sheet.sijin_with_one_four:
        return "yixiu"
    if combination == "sijin" and fours == 2 and sheet.sijin_with_two_fours:
        return "erju"
    if combination == "wuzi" and fours == 1 and sheet.wuzi_with_four:
        return "yixiu"
    return None


def effects_of(sheet: Sheet, combination: str, faces: Sequence[int]) -> list[str]:
    """What the throw does besides winning cakes of its tiers, in this judge's own words."""
    six_of = faces[0] if combination in ("liubohong", "biandijin", "liubohei") else None
    possible = [
        (f"takes {sheet.chajinhua_takes}", combination == "chajinhua" and sheet.chajinhua_takes != "nothing"),
        ("takes all duitang at the end with the title", combination in sheet.title_takes_duitang),
        (f"takes {sheet.liubohong_takes}", combination == "liubohong" and sheet.liubohong_takes != "nothing"),
        ("takes what is left", combination == "biandijin" and sheet.six_ones_take_what_is_left),
        ("lights out", six_of in sheet.lights_out),
        ("what is left is shared", six_of in sheet.shared),
        ("own cakes are split", combination == "liubohei" and sheet.blacks_split_own_cakes),
        ("is ranked by sum at the end", combination == "sanhong" and sheet.sanhong_by_sum),
    ]
    return [effect for effect, happens in possible if happens]


def all_throws() -> Iterator[tuple[int, ...]]:
    return product(range(1, 7), repeat=6)


def census(sheet: Sheet) -> Census:
    """Every throw scored once: how many win each tier, how many win nothing, how many strengths differ."""
    awards = dict.fromkeys(sheet.cakes, 0)
    bonus: dict[str, int] = {}
    none = 0
    strengths: set[tuple[int, ...]] = set()
    for faces in all_throws():
        reading = score(sheet, faces)
        if not reading["awards"]:
            none += 1
        for award in reading["awards"]:
            column = bonus if award["bonus"] else awards
            column[award["tier"]] = column.get(award["tier"], 0) + award["cakes"]
        if reading["strength_key"] is not None:
            strengths.add(reading["strength_key"])
    return {"awards": awards, "bonus": bonus, "none": none, "strengths": len(strengths)}
