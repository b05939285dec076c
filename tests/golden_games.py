"""The games of vectors/games: throws written down by hand, with what must come of them. Run it to write the records.

    .venv/bin/python tests/golden_games.py

A throw stands as its six dice and is made by the seat whose turn it is; "spill", "cocked", "pass" and "leave" are acts
of that seat too; everything else is written as its JSON object. `final` was worked out by hand from the rule sheet.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bobing.core.act_json import act_from_json
from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.game import Game
from bobing.core.record import Line, act_line, header_line, name_line

FOLDER = Path(__file__).parents[1] / "vectors" / "games"
TIERS = ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu")


@dataclass(frozen=True)
class Golden:
    """One game: its rules (a sheet, or the text of a house file), its acts, and the cakes of each seat at the end."""

    rules: str
    seats: int
    acts: list[Any]
    final: list[dict[str, int]]
    champion: int | None
    ended: str | None
    names: dict[int, str] = field(default_factory=dict)
    start: int = 0

    def new(self) -> Game:
        rules = read_rules(self.rules) if "\n" in self.rules else find_sheet(self.rules)
        return Game.new(rules, self.seats, self.start)

    def lines(self) -> list[bytes]:
        game = self.new()
        line = header_line(game)
        lines = [line.data, *(name_line(seat, text) for seat, text in self.names.items())]
        for written in self.acts:
            game = game.play(act_from_json(self._spelled_out(game, written)))
            line: Line = act_line(game, line.h)
            lines.append(line.data)
        return lines

    def _spelled_out(self, game: Game, written: str | dict[str, Any]) -> dict[str, Any]:
        if isinstance(written, str) and written.isdigit():
            return {"seat": game.next_seat, "roll": written}
        if isinstance(written, str):
            return {"seat": game.next_seat, written: True}
        return {"seat": game.next_seat, **written} if "roll" in written else written


WHOLE = """
    436563 241343 646525 165243 232152 156364 111652 144164 253552 615251 454654 454516 612633 364631 323335
    552144 151264 142515 221631 434356 615432 334464 224532 262513 322151 251355 213636 125544 633646 243513
    356646 263531 616125 342224 415556 314451 425533 664521 662111 452416 323366 545512 556645 214331 632616
    336266 643212 454421 653423 121333 264325 256325 445562 441245 645646 115563 361343 632242 523414 334653
    453223 616544 456334 444422 231351 666363 232615 311222 263223 515136 452415 162454 634364 451631 243616
    454531 231214 111211 665566 615254 624346 532416 531632 314526 312214 463433 544325 655312 343552 564633
    341165 642352 555343 333355 412542 353532 333664 153651 651324 163242 316222 361625 246342 444443 362255
    645666 563343 211634 634265 453234 412141 532221 545435 122245 353222 512315 541455 256143 144341 155455
    451534 213156 533234 356451 661363 633161 112152 255225 324162 345463 231344 221533 315434 331535 555135
    532132 566211 152646 331423 331636 642251 164425 264546 326256 254642 126422 351346 451464 225626 521562
    636562 124646 221456 552242 355525
"""

GAMES: dict[str, Golden] = {
    # 003M: a duitang is chased from who got one last; six 4s sweep the table and end the game, but the chajinhua keeps
    # the title, and with it all duitang move at the end.
    "xiamen-modern-chase": Golden(
        rules="003M",
        seats=4,
        acts=[
            {"start": {"seat": 0, "dice": "35"}},  # 8 pips from seat 0 on: seat 3
            "123456",
            "435621",  # both duitang are gone
            "651234",  # seat 1 chases that of seat 0
            "444411",
            "555555",  # a lower zhuangyuan
            "654321",  # seat 0 chases it back
            "441235",
            "cocked",
            "222213",
            "444444",
        ],
        final=[
            {},
            {"erju": 1},
            {"zhuangyuan": 1, "duitang": 2, "sijin": 1},
            {"sanhong": 4, "sijin": 7, "erju": 15, "yixiu": 32},
        ],
        champion=2,
        ended="effect",
    ),
    # 003T: chajinhua takes every duitang at once; six black dice, lights out, and all grab.
    "xiamen-tradition-grab": Golden(
        rules="003T",
        seats=3,
        names={0: "阿明", 1: "Mei", 2: "陈伯"},
        acts=[
            "123456",
            "444456",
            "444411",
            "442356",
            {
                "roll": "222222",
                "grab": {
                    "sanhong": [1, 1, 0, 2],
                    "sijin": [2, 2, 2, 0, 1, 1, 1, 1],
                    "erju": [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0],
                    "yixiu": [0] * 10 + [1] * 12 + [2] * 10,
                },
            },
        ],
        final=[
            {"sanhong": 1, "sijin": 1, "erju": 8, "yixiu": 10},
            {"sanhong": 2, "sijin": 4, "erju": 4, "yixiu": 12},
            {"zhuangyuan": 1, "duitang": 2, "sanhong": 1, "sijin": 3, "erju": 4, "yixiu": 10},
        ],
        champion=2,
        ended="effect",
    ),
    # S12: both bonuses, the unwon duitang for a chajinhua, lugu (the last throw counts), and six black dice for all.
    "referee-order-lugu": Golden(
        rules="S12",
        seats=3,
        acts=[
            "222241",
            "555544",
            "123456",
            "444411",
            "444423",
            "spill",
            "444413",  # 1+3 is less than 2+3: seat 1 leads, the duitang stays
            "555551",
            "666666",
        ],
        final=[
            {"duitang": 1, "sijin": 1, "yixiu": 1},
            {"sijin": 1, "erju": 1},
            {"zhuangyuan": 1, "duitang": 1},
        ],
        champion=2,
        ended="effect",
    ),
    # S11, a whole game of 18 prizes: only 4s count, the first zhuangyuan has his cake at once.
    "fours-only-whole": Golden(
        rules="S11",
        seats=3,
        acts=[
            {"start": {"seat": 1, "dice": "23"}},  # 5 pips from seat 1 on: seat 2
            *("123556", "411235", "441256", "444123", "444412"),
            *("444445", "123456", "442233", "444555", "444123"),  # too late; yixiu; erju; the last sanhong; none left
            *("222222", "412356", "443356", "145566", "441111"),
            *("446611", "442356", "433561", "411111", "333324"),
            *("453216", "155264", "661534"),
        ],
        final=[
            {"zhuangyuan": 1, "erju": 1, "yixiu": 4},
            {"sanhong": 1, "erju": 2, "yixiu": 3},
            {"sanhong": 1, "erju": 2, "yixiu": 3},
        ],
        champion=0,
        ended="all-gone",
    ),
    # S15 with few cakes: sanhong are ranked by the other three dice when all is over (18, then 10, the earlier of two).
    "sum-ranked-small": Golden(
        rules="""\
key = "small-ranked"
extends = "S15"
[cakes]
duitang = 1
sanhong = 2
sijin = 1
erju = 2
yixiu = 3
""",
        seats=3,
        acts=[
            *("444123", "444666", "444136"),
            *("123456", "441235", "654321"),  # seat 2 takes the duitang from seat 0
            *("222213", "441122", "411235"),
            *("423366", "444631", "411111"),
            "145566",
        ],
        final=[
            {"sijin": 1, "yixiu": 2},
            {"sanhong": 1, "erju": 2},
            {"zhuangyuan": 1, "duitang": 1, "sanhong": 1, "yixiu": 1},
        ],
        champion=2,
        ended="all-gone",
    ),
    # Philippines: equal throws are settled by red pips, at first equal too (10 against 10, then 6 against 4).
    "philippines-rolloff": Golden(
        rules="philippines",
        seats=4,
        acts=[
            "444412",
            "222333",  # two triples: the 2nd prize
            "444421",
            {"seat": 0, "rolloff": "441123"},
            {"seat": 2, "rolloff": "442115"},
            {"seat": 2, "rolloff": "423562"},
            {"seat": 0, "rolloff": "111111"},
            "444123",
            "412356",
            {"close": True},
        ],
        final=[{"zhuangyuan": 1, "duitang": 1}, {"duitang": 1}, {}, {"sanhong": 1}],
        champion=0,
        ended="closed",
    ),
    # 002: undo; correction of an award, of a title and (cutting what cannot follow) of a lost turn; undo of one.
    "minnan-undo-correct": Golden(
        rules="002",
        seats=3,
        names={0: "阿明", 1: "小红", 2: "Tan"},
        acts=[
            "235623",
            "444412",
            "333345",  # sijin with a 4
            "444456",
            "441256",
            {"undo": 4},  # and 5 with it
            "441236",
            "spill",  # seat 1 will sit out
            "442213",
            "412235",
            {"correct": 3, "act": {"seat": 2, "roll": "555544"}},  # no yixiu
            "444444",
            {"correct": 12, "act": {"seat": 2, "roll": "444441"}},
            {"undo": 13},
            {"correct": 8, "act": {"seat": 1, "roll": "123456"}, "cut": True},  # then act 12 was not seat 2's
            "123345",
            {"close": True},
        ],
        final=[
            {"erju": 1, "yixiu": 1},
            {"zhuangyuan": 1, "duitang": 1, "yixiu": 1},
            {"sijin": 1, "erju": 1},
        ],
        champion=1,
        ended="closed",
    ),
    # 002: a late joiner, a leaver who comes back, two who change places, a turn that goes by, a prize waived.
    "minnan-seating": Golden(
        rules="minnan",
        seats=3,
        names={0: "阿明", 1: "小红", 2: "Tan", 3: "表弟"},
        acts=[
            "441562",
            {"join": {"after": 0}},
            "leave",  # seat 1
            "444422",
            "155623",
            {"swap": [3, 2]},
            "pass",  # seat 2 sits in the place of seat 3 now
            "412222",
            {"seat": 1, "back": True},
            "123455",
            "333312",
            "444423",
            "leave",  # seat 3
            {"roll": "444123", "waive": ["sanhong"]},
            {"close": True},
        ],
        final=[{"erju": 1, "yixiu": 1}, {"zhuangyuan": 1}, {"sijin": 1}, {"sijin": 1, "yixiu": 1}],
        champion=1,
        ended="closed",
    ),
    # S9 with few prizes of several kinds: a throw whose tier is gone takes a lower prize, the highest or by choice.
    "fallback-choice": Golden(
        rules="""\
key = "few-prizes"
extends = "S9"
[cakes]
duitang = 1
sanhong = 1
sijin = 1
erju = 2
yixiu = 3
[prizes]
erju = [{ name = "灯笼", count = 1 }, { name = "茶", count = 1 }]
yixiu = [{ name = "月饼", count = 2 }, { name = "柚子", count = 1 }]
""",
        seats=2,
        acts=[
            "123456",
            {"roll": "441235", "item": {"erju": "茶"}},
            {"roll": "165432", "choose": "yixiu", "item": {"yixiu": "柚子"}},
            "213456",  # the sanhong in its place
            "444446",
            "222213",
            "442356",
            "441256",  # a yixiu in its place
            "412356",  # and this is the last
        ],
        final=[
            {"zhuangyuan": 1, "duitang": 1, "erju": 1, "yixiu": 2},
            {"sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 1},
        ],
        champion=0,
        ended="all-gone",
    ),
    # 002: a whole game of 63 cakes with throws as they fell; its end was worked out by the judge of tests/judge.
    "minnan-whole": Golden(
        rules="002",
        seats=5,
        names={0: "阿明", 1: "小红", 2: "Tan", 3: "表弟", 4: "外婆"},
        acts=WHOLE.split(),
        final=[
            {"duitang": 1, "sanhong": 1, "sijin": 2, "erju": 3, "yixiu": 6},
            {"sanhong": 1, "erju": 4, "yixiu": 7},
            {"sanhong": 2, "erju": 4, "yixiu": 6},
            {"zhuangyuan": 1, "duitang": 1, "sijin": 2, "erju": 2, "yixiu": 6},
            {"sijin": 4, "erju": 3, "yixiu": 7},
        ],
        champion=3,
        ended="all-gone",
    ),
    # Time runs out without a champion: three dice each, at first equal.
    "time-up": Golden(
        rules="""\
key = "an-hour"
extends = "002"
[ending]
minutes = 60
undecided = "three-dice"
""",
        seats=2,
        acts=[
            "235623",
            "441256",
            {"time_up": True},
            {"seat": 0, "rolloff": "654"},
            {"seat": 1, "rolloff": "663"},
            {"seat": 0, "rolloff": "111"},
            {"seat": 1, "rolloff": "112"},
        ],
        final=[{}, {"zhuangyuan": 1, "erju": 1}],
        champion=1,
        ended="time",
    ),
}


def write() -> None:
    """Write every record anew."""
    for name, golden in GAMES.items():
        (FOLDER / f"{name}.jsonl").write_bytes(b"".join(golden.lines()))


if __name__ == "__main__":
    write()
