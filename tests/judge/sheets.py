"""What each printed sheet says, as far as it bears on play.

The letters name the dimensions (K cakes, C combinations, Z zhuangyuan, E effects, X exhausted tiers, N end and faults)
and the decisions (B-2, D-n, E-n) by which a silent or contradictory sheet is read. A field left out has the value that
the decisions give to silent sheets.
"""

from dataclasses import dataclass, replace

# Every six of a kind, five of a kind and four 4s has a name; a sheet's `order` says which of them are zhuangyuan.
TOP_NAMES = ("chajinhua", "liubohong", "biandijin", "liubohei", "wuhong", "wuzi", "sihong")

NO_FACE: frozenset[int] = frozenset()
BLACK = frozenset({2, 3, 5, 6})
BLACK_AND_ONE = frozenset({1, 2, 3, 5, 6})

# E-21: a sheet silent on numbers has the usual 63 cakes. The tiers stand from high to low.
USUAL_CAKES = {"zhuangyuan": 1, "duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


@dataclass(frozen=True)
class Sheet:
    """One sheet. `order` runs from the highest zhuangyuan to the lowest; what is not in it is no zhuangyuan."""

    key: str
    order: tuple[str, ...]
    cakes: dict[str, int]

    # Reading a throw
    only_fours: bool = False  # S11: nothing counts but the number of 4s
    six_ones_are: str = "biandijin"  # or "liubohei", where six 1s are one of the blacks (Z3)
    two_triples: str = "no"  # "without fours", "with fours": are they duitang (C4, C3)
    consecutive_pairs: bool = False  # 112233, 223344, 334455, 445566 are duitang (D-7)
    sijin_with_one_four: bool = False  # also a yixiu (C6)
    sijin_with_two_fours: bool = False  # also an erju (C7)
    wuzi_with_four: bool = False  # also a yixiu (C8)

    # Comparing zhuangyuan
    wuzi_by: str = "face, then kicker"  # D-12, E-10; or "kicker"
    sihong_by: str = "sum"  # D-13; or "nothing"
    tie: str = "first keeps"  # D-11; or "red pips"
    own_later_throw: str = "best counts"  # E-22; or "last counts"

    # Handing out
    zhuangyuan_at_once: bool = False  # E-23
    sanhong_by_sum: bool = False  # ranked at the end (C9)
    chase: frozenset[str] = frozenset()  # tiers that may be taken from a holder when exhausted (X2)
    chase_from: str = "seat"  # or "latest", "earliest" (X3)
    fallback: bool = False  # an exhausted tier gives a lower one (X1)

    # Effects
    chajinhua_takes: str = "nothing"  # "all duitang", "unwon duitang": at once (E1)
    title_takes_duitang: frozenset[str] = frozenset()  # combinations that take all duitang at the end of the game
    liubohong_takes: str = "nothing"  # "everything", "everything but chajinhua's", "friendly", "what is left" (E3)
    six_ones_take_what_is_left: bool = False  # E6
    lights_out: frozenset[int] = NO_FACE  # faces of which six let everybody grab (E5)
    shared: frozenset[int] = NO_FACE  # faces of which six give what is left to all (E5)
    blacks_split_own_cakes: bool = False  # E7

    # Faults
    spill_skips: bool = False  # a die out of the bowl also costs the next turn (N4)


CHAJINHUA_FIRST = ("chajinhua", "liubohong", "biandijin", "liubohei", "wuhong", "wuzi", "sihong")
LIUBOHONG_FIRST = ("liubohong", "chajinhua", "biandijin", "liubohei", "wuhong", "wuzi", "sihong")
SIXES_FIRST = ("liubohong", "biandijin", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong")

# ---- 000 and 001: the encyclopaedia -----------------------------------------------------------------------------

WIKI_1 = Sheet(
    "000-1",
    # Z1, Z2: 444411 is no more than four 4s. E-10: wuzi by face, then kicker.
    order=("liubohong", "biandijin", "liubohei", "wuhong", "wuzi", "sihong"),
    # K1, K3, E-24: four of a kind stands above three 4s, with 4 cakes against 8.
    cakes={"zhuangyuan": 1, "duitang": 2, "sijin": 4, "sanhong": 8, "erju": 16, "yixiu": 32},
    two_triples="without fours",  # B-2 (1): the pair 200 and 2,500
    chase=frozenset({"duitang", "sanhong"}),  # X2
    chase_from="seat",  # E-2
    liubohong_takes="everything",  # E3
    spill_skips=True,  # N4
)
WIKI_2 = replace(WIKI_1, key="000-2", two_triples="with fours")  # B-2 (1): the pair 300 and 2,400
WIKI_PROSE = replace(WIKI_1, key="001", cakes=USUAL_CAKES, two_triples="no")  # E-1; D-17: the order of 000
PHILIPPINES = replace(
    WIKI_1,
    key="philippines",
    chase=frozenset(),
    liubohong_takes="nothing",
    tie="red pips",
)

# ---- 002 ---------------------------------------------------------------------------------------------------------

MINNAN = Sheet(
    "002",
    order=CHAJINHUA_FIRST,  # Z1
    cakes=USUAL_CAKES,
    wuzi_by="kicker",  # Z5
    sijin_with_one_four=True,  # C6, E-3
    spill_skips=True,  # N4, E-3
)
MINNAN_ALT = replace(
    MINNAN,
    key="002-alt",
    order=LIUBOHONG_FIRST,
    sijin_with_one_four=False,
    spill_skips=False,
)

# ---- 003: Xiamen -------------------------------------------------------------------------------------------------

XIAMEN_TRADITION = Sheet(
    "003T",
    # Z1; D-30: chajinhua is the highest of the ordinary ones; Z3: the blacks, six 1s included, are an event.
    order=("liubohong", "chajinhua", "wuhong", "wuzi", "sihong"),
    cakes=USUAL_CAKES,
    six_ones_are="liubohei",
    wuzi_by="kicker",  # Z5
    chajinhua_takes="all duitang",  # E1
    liubohong_takes="everything",  # E3
    lights_out=BLACK_AND_ONE,  # E5
)
XIAMEN_FRIENDLY = replace(
    XIAMEN_TRADITION,
    key="003T-f",
    # E-5: the blacks are not used: no lights out, and they were no zhuangyuan before.
    liubohong_takes="friendly",
    lights_out=NO_FACE,
)
XIAMEN_MODERN = Sheet(
    "003M",
    order=CHAJINHUA_FIRST,  # Z1, D-14
    cakes=USUAL_CAKES,
    chase=frozenset({"duitang"}),  # E-17
    chase_from="latest",  # E-17
    title_takes_duitang=frozenset({"chajinhua", "liubohong"}),  # B-2 003 (2), (3)
    liubohong_takes="what is left",  # B-2 003 (2)
)
XIAMEN_MODERN_ALT = replace(
    XIAMEN_MODERN,
    key="003M-alt",
    chase=frozenset({"duitang", "sanhong"}),
    chase_from="seat",
)
XIAMEN_NOTES = Sheet(
    "003N",
    # E-6: S12's order, but the blacks are an event.
    order=("liubohong", "chajinhua", "wuhong", "wuzi", "sihong"),
    cakes=USUAL_CAKES,
    six_ones_are="liubohei",  # E-6
    wuzi_by="kicker",  # Z5
    own_later_throw="last counts",  # Z9
    chajinhua_takes="unwon duitang",  # E1
    liubohong_takes="what is left",  # E3
    shared=BLACK_AND_ONE,  # E5
    spill_skips=True,  # N4
)
XIAMEN_NOTES_PLAIN = replace(
    XIAMEN_NOTES,
    key="003N-i",
    order=("liubohong", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong"),  # E-6, D-18
    liubohong_takes="nothing",
    shared=NO_FACE,
)

# ---- 004: the sheets S1 to S16 -----------------------------------------------------------------------------------

S1 = Sheet(
    "S1",
    order=("liubohong", "chajinhua", "wuhong", "wuzi", "sihong"),  # Z1; D-14: the other sixes win nothing
    cakes=USUAL_CAKES,
    six_ones_are="liubohei",  # Z3
    wuzi_by="kicker",  # Z5, D-12
    chajinhua_takes="all duitang",  # E1
    liubohong_takes="everything",  # E3
)
S1_PAIRS = replace(S1, key="S1-p", consecutive_pairs=True)
S2 = Sheet("S2", order=CHAJINHUA_FIRST, cakes=USUAL_CAKES)
S3 = Sheet(
    "S3",
    order=("chajinhua", "liubohong", "biandijin", "wuhong", "wuzi", "sihong"),  # D-19: the blacks are an event
    cakes=USUAL_CAKES,
    chajinhua_takes="all duitang",  # E1
    liubohong_takes="everything but chajinhua's",  # E3, E-13
    six_ones_take_what_is_left=True,  # E6, D-37
    lights_out=BLACK,  # E5
)
S5 = Sheet(
    "S5",
    order=("liubohong", "chajinhua", "wuhong", "wuzi", "sihong"),  # Z1; B-2 S5 (1): the blacks are an event
    cakes=USUAL_CAKES,
    six_ones_are="liubohei",  # Z3
    title_takes_duitang=frozenset({"chajinhua"}),  # E1, B-2 S5 (3)
    liubohong_takes="what is left",  # E3
    lights_out=BLACK_AND_ONE,  # E5
)
S6 = Sheet("S6", order=CHAJINHUA_FIRST, cakes=USUAL_CAKES)  # Z1, D-14
S7A = Sheet(
    "S7a",
    order=SIXES_FIRST,  # Z1, E-8
    cakes=USUAL_CAKES,
    liubohong_takes="everything",  # E3
    lights_out=frozenset({6}),  # D-36
)
S8 = Sheet("S8", order=LIUBOHONG_FIRST, cakes=USUAL_CAKES)  # Z1, E-9
S9 = Sheet("S9", order=CHAJINHUA_FIRST, cakes=USUAL_CAKES, fallback=True)  # Z1, X1
S10 = Sheet(
    "S10",
    order=CHAJINHUA_FIRST,  # D-17: as 003M
    cakes=USUAL_CAKES,
    own_later_throw="last counts",  # Z9
    chase=frozenset({"duitang", "sanhong", "sijin"}),  # X2
    chase_from="seat",  # B-2 S10
)
S11 = Sheet(
    "S11",
    order=("sihong",),  # Z1
    cakes={"zhuangyuan": 1, "sanhong": 2, "erju": 5, "yixiu": 10},  # K1
    only_fours=True,
    sihong_by="nothing",
    zhuangyuan_at_once=True,  # Z12
)
S12 = Sheet(
    "S12",
    order=("liubohong", "liubohei", "chajinhua", "wuhong", "wuzi", "sihong"),  # Z1
    cakes=USUAL_CAKES,
    six_ones_are="liubohei",  # Z3
    wuzi_by="kicker",  # Z5
    sijin_with_one_four=True,  # C6
    sijin_with_two_fours=True,  # C7; D-5: nothing for wuzi
    own_later_throw="last counts",  # Z9
    chajinhua_takes="unwon duitang",  # E1
    liubohong_takes="what is left",  # E3
    shared=BLACK_AND_ONE,  # E5
)
S13 = Sheet(
    "S13",
    order=CHAJINHUA_FIRST,  # D-16
    cakes=USUAL_CAKES,
    sijin_with_one_four=True,  # C6
    sijin_with_two_fours=True,  # C7
    wuzi_with_four=True,  # C8
    spill_skips=True,  # N4
)
S13_SPLIT = replace(S13, key="S13-pf", blacks_split_own_cakes=True)  # D-38
S14 = Sheet(
    "S14",
    order=CHAJINHUA_FIRST,  # Z1, D-14
    cakes=USUAL_CAKES,
    chase=frozenset({"duitang"}),  # X2
    chase_from="seat",  # B-2 S14
    title_takes_duitang=frozenset({"chajinhua", "liubohong"}),  # B-2 S14
    spill_skips=True,  # N4
)
S15 = Sheet(
    "S15",
    order=CHAJINHUA_FIRST,  # Z1, D-14
    cakes={"zhuangyuan": 1, "duitang": 3, "sanhong": 6, "sijin": 10, "erju": 20, "yixiu": 32},  # K1, E-11
    sanhong_by_sum=True,  # C9
    chase=frozenset({"duitang"}),  # X2
    chase_from="earliest",  # X3, D-25
)
S16 = Sheet("S16", order=CHAJINHUA_FIRST, cakes=USUAL_CAKES)  # Z1

SHEETS = {
    sheet.key: sheet
    for sheet in (
        *(WIKI_1, WIKI_2, WIKI_PROSE, MINNAN, MINNAN_ALT),
        *(XIAMEN_TRADITION, XIAMEN_FRIENDLY, XIAMEN_MODERN, XIAMEN_MODERN_ALT, XIAMEN_NOTES, XIAMEN_NOTES_PLAIN),
        *(S1, S1_PAIRS, S2, S3, S5, S6, S7A, S8, S9, S10, S11, S12, S13, S13_SPLIT, S14, S15, S16),
        PHILIPPINES,
    )
}
