"""The record: what is written is read back, and nothing that was changed is."""

import json
import re
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from bobing.core import record_lines as lines_module
from bobing.core.acts import Back, Close, Cocked, Correct, Join, Leave, Spill, Throw, Undo
from bobing.core.canonical import canonical_json
from bobing.core.catalogue import find_sheet, sheet_keys
from bobing.core.chain import ZERO, link
from bobing.core.dice import Roll
from bobing.core.errors import ActRefused, RecordError
from bobing.core.game import Game
from bobing.core.record import (
    LINE_MAX,
    PROVED,
    VERSION,
    CutLineError,
    Draws,
    act_line,
    header_line,
    name_line,
    read_record,
    record_lines,
)
from golden_games import GAMES

ROOT = Path(__file__).parents[3]
SAMPLE = GAMES["minnan-undo-correct"].lines()


def refused(lines):
    with pytest.raises(RecordError) as caught:
        read_record(lines)
    return caught.value.code, caught.value.line


def values_of(lines):
    return [json.loads(line) for line in lines]


def rechained(values):
    """Lines for these values with hashes that fit: what a forger would write, from the format's description alone."""
    lines, previous = [], bytes(32)
    for value in values:
        text = json.dumps(
            {k: v for k, v in value.items() if k != "h"}, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        if "name" in value:
            lines.append(text.encode() + b"\n")
            continue
        body = text.encode()
        previous = sha256(b"bobing/1/ev\0" + previous + len(body).to_bytes(4, "big") + body).digest()
        lines.append(canonical_json({**value, "h": previous.hex()}) + b"\n")
    return lines


# ---- the chain and the lines ----------------------------------------------------------------------------------------


def test_the_chain_gives_the_published_vectors():
    opened = b'{"T0":"e2e4b39a0c6e352376a45ee723df6e2c340be06e9bd98458f99518e8d89df1c2","n":1,"t":"open"}'
    rolled = '{"faces":"166242","k":1,"n":2,"seat":1,"t":"roll","who":"小明"}'.encode()
    first = link(ZERO, opened)
    assert first.hex() == "8a648aab720517e54c92035e96eed5f19afd9bac1c9aa916fb06abfc21ff7b58"
    assert link(first, rolled).hex() == "6e66cd722e530ee7fb138562df7879c5b0ffc30275059711e710bd52707ea503"


def test_every_line_is_chained_as_the_format_says():
    assert rechained(values_of(SAMPLE)) == SAMPLE


def test_a_header_holds_the_rules_in_full():
    game = Game.new(find_sheet("S12"), 4, 2)
    header = json.loads(header_line(game).data)
    assert header["rules"] == json.loads(canonical_json(game.rules.to_table()))
    assert header["rules_hash"] == game.rules.digest
    assert (header["bobing"], header["seats"], header["start"]) == ("record/1", 4, 2)


def test_writing_act_by_act_and_all_at_once_is_the_same():
    game = read_record(SAMPLE).game
    names = {0: "阿明", 1: "小红", 2: "Tan"}
    assert list(record_lines(game, names)) == SAMPLE


def test_an_act_that_was_not_played_has_no_line():
    game = Game.new(find_sheet(), 2)
    for n in (None, 0, 1):
        with pytest.raises(IndexError):
            act_line(game, ZERO.hex(), n)


def random_game(sheet, seed, acts=120):
    """A game of random acts, many of them changes of earlier ones."""
    draw, game = Random(seed), Game.new(find_sheet(sheet), 3)
    while len(game.log) < acts:
        try:
            game = game.play(random_act(draw, game))
        except ActRefused:
            continue
    return game


def random_act(draw, game):
    seat, kind = game.next_seat, draw.random()
    if seat is None or kind < 0.05:
        return Undo(draw.randint(max(1, len(game.log) - 8), len(game.log) + 1))
    if kind < 0.10:
        n = draw.randint(1, len(game.log) + 1)
        return Correct(n, random_throw(draw, game, draw.randrange(3)), draw.random() < 0.3)
    if kind < 0.15:
        return draw.choice([Spill(seat), Cocked(seat), Leave(seat), Back(draw.randrange(3)), Join(draw.randrange(3))])
    return random_throw(draw, game, seat)


def random_throw(draw, game, seat):
    few = draw.choice([(4,), (4, 1), (2, 3, 4), (1, 2, 3, 4, 5, 6)])
    roll = Roll(tuple(draw.choice(few) for _ in range(6)))
    needed = game.grab_for(roll)
    there = [other for other in game.state.order if other not in game.state.away]
    grab = needed and {
        tier: tuple(draw.choice(there) for _ in range(cakes)) for tier, cakes in reversed(needed.items())
    }
    return Throw(seat, roll, grab=grab or None)


@pytest.mark.parametrize("sheet", sheet_keys())
def test_random_games_of_every_sheet_are_read_back(sheet):
    game = random_game(sheet, seed=sheet)
    written = list(record_lines(game))
    record = read_record(written)
    assert list(record_lines(record.game)) == written
    assert record.game.state == game.state
    assert record.game.struck == game.struck
    assert record.last_hash == json.loads(written[-1])["h"]


# ---- golden games ---------------------------------------------------------------------------------------------------

GOLDEN = sorted((ROOT / "vectors" / "games").glob("*.jsonl"))


def test_every_golden_game_has_its_record():
    assert {path.stem for path in GOLDEN} == set(GAMES)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_is_replayed_byte_for_byte(path):
    with path.open("rb") as file:
        record = read_record(file)
    assert b"".join(record_lines(record.game, record.names)) == path.read_bytes()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_ends_as_was_worked_out_by_hand(path):
    golden = GAMES[path.stem]
    record = read_record(path.read_bytes().splitlines(keepends=True))
    state = record.game.state
    assert [state.holding(seat) for seat in sorted(state.order)] == golden.final
    assert (state.title, state.finished) == (golden.champion, golden.ended)
    assert record.names == golden.names


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_told_the_same_under_the_sheet_of_today(name):
    """Apart from the header, which also holds what a sheet says about itself, and the hashes after it."""
    told = values_of((ROOT / "vectors" / "games" / f"{name}.jsonl").read_bytes().splitlines()[1:])
    today = values_of(GAMES[name].lines()[1:])
    for value in (*told, *today):
        value.pop("h", None)
    assert told == today


# ---- names ----------------------------------------------------------------------------------------------------------


def test_names_may_be_erased_changed_and_added_anywhere():
    whole = read_record(SAMPLE)
    bare = [line for line in SAMPLE if not line.startswith(b'{"name"')]
    assert len(bare) == len(SAMPLE) - 3
    for lines, names in (
        (bare, {}),
        ([*SAMPLE, name_line(0, "Ming"), name_line(0, "明")], {0: "明", 1: "小红", 2: "Tan"}),
        ([*bare[:5], name_line(1, "👨‍👩‍👧 e\u0301"), *bare[5:]], {1: "👨‍👩‍👧 e\u0301"}),
    ):
        record = read_record(lines)
        assert record.names == names
        assert record.hashes == whole.hashes


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (0, ""),
        (0, " \u3000"),
        (0, "a" * 97),
        (0, "明" * 33),
        (0, "a\nb"),
        (0, "a\x1b[2J"),
        (0, "a\x7f"),
        (0, "a\x9b2J"),
        (0, "a\u2028b"),
        (0, "a\u202eb"),
        (0, "a\u2066b"),
        (0, 5),
        (0, None),
        (-1, "a"),
        (500, "a"),
        (True, "a"),
        ("0", "a"),
    ],
)
def test_a_bad_name_is_neither_written_nor_read(seat, text):
    with pytest.raises(RecordError) as caught:
        name_line(seat, text)
    assert caught.value.code == "record/bad_name"
    line = canonical_json({"name": {"seat": seat, "text": text}}) + b"\n"
    assert refused([*SAMPLE, line]) == ("record/bad_name", len(SAMPLE) + 1)


def test_half_a_surrogate_pair_is_no_name():
    with pytest.raises(RecordError):
        name_line(0, "\ud83d")


@pytest.mark.parametrize("name", ["x", [0, "x"], {"seat": 0}, {"seat": 0, "text": "x", "age": 7}])
def test_a_name_line_of_another_form_is_refused(name):
    assert refused([*SAMPLE, canonical_json({"name": name}) + b"\n"])[0] == "record/bad_name"


def test_a_name_line_has_no_other_key():
    line = canonical_json({"name": {"seat": 0, "text": "x"}, "h": "00"}) + b"\n"
    assert refused([*SAMPLE, line]) == ("record/unknown_key", len(SAMPLE) + 1)


def test_a_name_is_for_a_seat_that_there_was():
    assert refused([*SAMPLE[:4], name_line(3, "x"), *SAMPLE[4:]]) == ("record/bad_name", 5)
    game = Game.new(find_sheet(), 2).play(Join()).play(Undo(1))
    assert read_record(record_lines(game, {2: "x"})).names == {2: "x"}


# ---- a line that is cut, or missing ---------------------------------------------------------------------------------


def test_a_cut_last_line_is_told_apart_and_the_rest_is_whole():
    whole = read_record(SAMPLE[:-1])
    last = SAMPLE[-1]
    for length in (1, len(last) // 2, len(last) - 1):
        with pytest.raises(CutLineError) as caught:
            read_record([*SAMPLE[:-1], last[:length]])
        cut = caught.value
        assert (cut.code, cut.line) == ("record/cut_line", len(SAMPLE))
        assert cut.whole == len(b"".join(SAMPLE[:-1]))
        assert cut.record is not None
        assert cut.record.hashes == whole.hashes
        game = cut.record.game.play(Close())
        assert act_line(game, cut.record.last_hash).data == last, "play goes on from what is whole"


def test_a_cut_header_leaves_nothing():
    with pytest.raises(CutLineError) as caught:
        read_record([SAMPLE[0][:-1]])
    assert (caught.value.record, caught.value.whole) == (None, 0)


def test_damage_before_a_cut_is_damage():
    assert refused([SAMPLE[0], SAMPLE[5], SAMPLE[6][:9]])[0] == "record/wrong_number"


def test_a_line_without_line_feed_is_cut_only_when_it_is_the_last():
    assert refused([SAMPLE[0][:-1], SAMPLE[1]])[0] == "record/bad_line"


def test_nothing_is_no_record():
    assert refused([]) == ("record/empty", 0)


# ---- refusals -------------------------------------------------------------------------------------------------------


def changed(index, key, value):
    def change(values):
        values[index][key] = value

    return change


def removed(index, key):
    return lambda values: values[index].pop(key)


HEADER, ACT = 0, 6  # of the sample: the sijin with a bonus


@pytest.mark.parametrize(
    ("change", "code", "line"),
    [
        (removed(HEADER, "bobing"), "record/no_header", 1),
        (changed(HEADER, "bobing", "record/3"), "record/unknown_version", 1),
        (changed(HEADER, "bobing", 1), "record/unknown_version", 1),
        (changed(HEADER, "made", "today"), "record/unknown_key", 1),
        (removed(HEADER, "start"), "record/missing_key", 1),
        (changed(HEADER, "seats", "3"), "record/bad_header", 1),
        (changed(HEADER, "seats", True), "record/bad_header", 1),
        (changed(HEADER, "start", None), "record/bad_header", 1),
        (changed(HEADER, "start", 3), "record/bad_header", 1),
        (changed(HEADER, "seats", 501), "record/bad_header", 1),
        (changed(HEADER, "rules", []), "record/bad_header", 1),
        (lambda values: values[0]["rules"].update(total=63), "record/bad_header", 1),
        (lambda values: values[0]["rules"].update(luck=1), "record/bad_rules", 1),
        (lambda values: values[0]["rules"]["cakes"].update(yixiu=31), "record/rules_changed", 1),
        (changed(HEADER, "rules_hash", "00"), "record/rules_changed", 1),
        (changed(ACT, "at", "noon"), "record/unknown_key", ACT + 1),
        (removed(ACT, "notes"), "record/missing_key", ACT + 1),
        (changed(ACT, "n", 2), "record/wrong_number", ACT + 1),
        (changed(ACT, "n", "3"), "record/wrong_number", ACT + 1),
        (changed(ACT, "act", {"seat": 2, "roll": "33334"}), "record/bad_act", ACT + 1),
        (changed(ACT, "act", {"seat": 2, "roll": "３33345"}), "record/bad_act", ACT + 1),
        (changed(ACT, "act", "333345"), "record/bad_act", ACT + 1),
        (changed(ACT, "act", {"seat": 1, "roll": "333345"}), "record/act_refused", ACT + 1),
        (changed(ACT, "act", {"seat": 2, "roll": "333345", "item": {}}), "record/not_canonical", ACT + 1),
        (changed(ACT, "combination", "sihong"), "record/other_consequence", ACT + 1),
        (changed(ACT, "finished", 0), "record/other_consequence", ACT + 1),
        (changed(ACT, "next", None), "record/other_consequence", ACT + 1),
        (changed(ACT, "next", False), "record/other_consequence", ACT + 1),
        (changed(ACT, "skipped", [0]), "record/other_consequence", ACT + 1),
        (changed(ACT, "struck", [1]), "record/other_consequence", ACT + 1),
        (changed(ACT, "notes", []), "record/other_consequence", ACT + 1),
        (changed(ACT, "title", {"seat": 2, "roll": "444412"}), "record/other_consequence", ACT + 1),
        (changed(ACT, "moves", []), "record/other_consequence", ACT + 1),
        (lambda values: values[ACT]["moves"].reverse(), "record/other_consequence", ACT + 1),
        (lambda values: values[ACT]["moves"][0].update(to=1), "record/other_consequence", ACT + 1),
    ],
)
def test_a_forgery_whose_hashes_fit_is_refused(change, code, line):
    values = values_of(SAMPLE)
    change(values)
    assert refused(rechained(values)) == (code, line)


@pytest.mark.parametrize(("index", "old", "new"), [(0, b'"seats":3', b'"seats":4'), (ACT, b"333345", b"333346")])
def test_a_change_without_a_new_hash_breaks_the_chain(index, old, new):
    assert old in SAMPLE[index]
    lines = [line.replace(old, new) if i == index else line for i, line in enumerate(SAMPLE)]
    assert refused(lines) == ("record/broken_chain", index + 1)


def test_a_new_hash_breaks_the_chain_in_the_line_after():
    values = values_of(SAMPLE)
    changed(ACT, "act", {"seat": 2, "roll": "333346"})(values)
    lines = [*SAMPLE[:ACT], rechained(values)[ACT], *SAMPLE[ACT + 1 :]]
    assert refused(lines) == ("record/broken_chain", ACT + 2)


def test_other_dice_with_the_same_consequences_and_hashes_that_fit_make_another_record():
    """Only the hash that somebody kept tells the two apart; so the last hash is shown, and can be asked for."""
    values = values_of(SAMPLE)
    changed(ACT, "act", {"seat": 2, "roll": "333346"})(values)
    assert read_record(rechained(values)).last_hash != read_record(SAMPLE).last_hash


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\n", "record/bad_json"),
        (b"{}\n", "record/missing_key"),
        (b"[]\n", "record/bad_line"),
        (b"7\n", "record/bad_line"),
        (b"null\n", "record/bad_line"),
        (b"\xff\n", "record/bad_json"),
        (b"\xef\xbb\xbf{}\n", "record/bad_json"),
        (b'{"n":1.0}\n', "record/bad_json"),
        (b'{"n":1e2}\n', "record/bad_json"),
        (b'{"n":-0}\n', "record/bad_json"),
        (b'{"n":NaN}\n', "record/bad_json"),
        (b'{"n":Infinity}\n', "record/bad_json"),
        (b'{"n":' + b"9" * 5000 + b"}\n", "record/bad_json"),
        (b'{"n":1,"n":1}\n', "record/bad_json"),
        (b'{"n":"\\ud800"}\n', "record/bad_json"),
        (b"[" * 100_000 + b"\n", "record/bad_json"),
        (b'{"a":' * 60 + b"1" + b"}" * 60 + b"\n", "record/bad_json"),
        (b'{"n": 1}\n', "record/not_canonical"),
        (b'{"n":1}\r\n', "record/not_canonical"),
        (b'{"n":1} \n', "record/not_canonical"),
        (b'{"z":1,"a":1}\n', "record/not_canonical"),
        (b'{"name":{"seat":0,"text":"\\u660e"}}\n', "record/not_canonical"),
        (b"x" * (LINE_MAX + 1), "record/line_too_long"),
        (b"[" * 10_000_000 + b"\n", "record/line_too_long"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value,
)
def test_a_line_that_is_no_sound_json_is_refused_with_its_number(line, code):
    assert refused([*SAMPLE, line]) == (code, len(SAMPLE) + 1)
    assert refused([line]) == ("record/no_header" if code == "record/missing_key" else code, 1)


def test_a_second_header_is_refused():
    assert refused([SAMPLE[0], SAMPLE[0]]) == ("record/unknown_key", 2)


def test_a_line_that_could_not_be_read_is_not_written(monkeypatch):
    monkeypatch.setattr(lines_module, "LINE_MAX", 1000)
    with pytest.raises(RecordError) as caught:
        header_line(Game.new(find_sheet(), 2))
    assert caught.value.code == "record/line_too_long"


# ---- mutations ------------------------------------------------------------------------------------------------------


def byte_mutation(draw, lines):
    """Change, insert, remove or swap single bytes of a line of the chain."""
    index = draw.choice([i for i, line in enumerate(lines) if not line.startswith(b'{"name"')])
    line, i = bytearray(lines[index]), draw.randrange(len(lines[index]))
    kind = draw.randrange(5)
    if kind == 0:
        line[i] = draw.choice(b'0123456789abcdef{}[]",: truefalsn\n')
    elif kind == 1:
        line[i] ^= 1 << draw.randrange(8)
    elif kind == 2:
        line.insert(i, draw.choice(b'0123456789{}[]",: \n\r\t\x00'))
    elif kind == 3:
        del line[i : i + draw.choice([1, 1, 1, 2, 5, 40])]
    else:
        line[i : i + 2] = line[i : i + 2][::-1]
    return [*lines[:index], bytes(line), *lines[index + 1 :]]


def line_mutation(draw, lines):
    """Remove, double, move, swap or cut lines of the chain."""
    chain = [i for i, line in enumerate(lines) if not line.startswith(b'{"name"')]
    kind, (a, b) = draw.randrange(5), sorted(draw.sample(chain, 2))
    mutated = list(lines)
    if kind == 0:
        del mutated[draw.choice(chain[:-1])]
    elif kind == 1:
        mutated.insert(b, lines[a])
    elif kind == 2:
        mutated[a], mutated[b] = mutated[b], mutated[a]
    elif kind == 3:
        mutated.insert(a, mutated.pop(b))
    else:
        return [*lines[:a], lines[a][: draw.randrange(1, len(lines[a]))]]
    return mutated


def key_mutation(draw, lines):
    """Remove, add, rename or change a key somewhere in a line, keeping the form canonical, with or without hashes."""
    values = values_of(lines)
    value = draw.choice([value for value in values if "name" not in value])
    inner = [entry for entry in value.values() if isinstance(entry, dict) and entry]
    table = draw.choice([value, *inner])
    key, kind = draw.choice(sorted(table)), draw.randrange(4)
    if kind == 0:
        del table[key]
    elif kind == 1:
        table[f"{key}x"] = table[key]
    elif kind == 2:
        table[f"{key}x"] = table.pop(key)
    else:
        table[key] = draw.choice([None, True, 0, 1, -1, "", "x", [], {}, [[]], 10**15])
    return [canonical_json(value) + b"\n" for value in values]


@pytest.mark.exhaustive  # hundreds of records: quick, but not under a tracer
@pytest.mark.parametrize("mutation", [byte_mutation, line_mutation, key_mutation])
@pytest.mark.parametrize("sample", ["minnan-undo-correct", "fallback-choice"])
def test_no_mutation_outside_the_names_is_accepted(mutation, sample):
    draw, lines, tried = Random(f"{mutation.__name__} {sample}"), GAMES[sample].lines(), 0
    while tried < 150:
        mutated = b"".join(mutation(draw, lines))
        if mutated == b"".join(lines):
            continue
        tried += 1
        code, _ = refused(re.findall(rb"[^\n]*\n|[^\n]+$", mutated))
        assert code.startswith("record/"), mutated


def test_a_record_cut_between_lines_lacks_the_last_hash():
    """Whole lines missing at the end cannot be seen in the record itself, only with the hash that somebody kept."""
    whole = read_record(SAMPLE)
    for end in range(4, len(SAMPLE)):
        assert whole.last_hash not in read_record(SAMPLE[:end]).hashes


@pytest.mark.exhaustive
def test_mutated_rules_with_hashes_that_fit_crash_nothing():
    """The forger recomputes everything: what he gets is refused, or another sound record with other hashes."""
    draw, genuine, outcomes = Random(7), canonical_json(values_of(SAMPLE)[0]["rules"]), set[str]()
    for _ in range(300):
        values = values_of(SAMPLE)
        section = draw.choice(sorted(values[0]["rules"]))
        table = values[0]["rules"]
        if isinstance(table[section], dict) and table[section] and draw.random() < 0.8:
            table, section = table[section], draw.choice(sorted(table[section]))
        table[section] = draw.choice([None, True, 0, 1, -1, 5, "", "x", "erju", [], ["erju"], {}, [[]], {"x": []}])
        values[0]["rules_hash"] = sha256(canonical_json(settings_of(values[0]["rules"]))).hexdigest()
        if canonical_json(values[0]["rules"]) == genuine:
            continue
        try:
            record = read_record(rechained(values))
            outcomes.add("sound" if record.last_hash != values_of(SAMPLE)[-1]["h"] else "the same")
        except RecordError as bad:
            outcomes.add(bad.code)
    assert outcomes == {"sound", "record/bad_rules", "record/bad_header", "record/other_consequence"}


def settings_of(rules):
    return {
        key: value
        for key, value in rules.items()
        if key not in ("key", "aliases", "names", "source", "extends", "origins")
    }


# ---- the document ---------------------------------------------------------------------------------------------------


def test_the_document_names_every_code_and_no_other():
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "bobing" / "core").glob("*.py"))
    codes = set(re.findall(r'"(record/[a-z_]+)"', source))
    documented = set(
        re.findall(r"^\| `(record/[a-z_]+)` \|", (ROOT / "docs" / "record.md").read_text("utf-8"), re.MULTILINE)
    )
    assert documented == codes


# ---- record/2: what proves digital dice, as plain JSON --------------------------------------------------------------

EVENTS = ((0, {"t": "first"}), (1, {"t": "between"}), (2, {"t": "last"}))
PROOFS = {1: {"k": 1}}


def proved_lines():
    game = Game.new(find_sheet("S12"), 3)
    for act in (Throw(0, Roll.parse("222241")), Throw(1, Roll.parse("111223"))):
        game = game.play(act)
    return game, list(record_lines(game, {1: "x"}, Draws(EVENTS, PROOFS)))


def test_a_record_of_proved_dice_comes_back_as_it_was():
    game, lines = proved_lines()
    record = read_record(lines)
    assert (record.version, record.draws) == (PROVED, Draws(EVENTS, PROOFS))
    assert list(record_lines(record.game, record.names, record.draws)) == lines
    values = values_of(lines)
    assert [value["proof"] for value in values if "act" in value] == [{"k": 1}, None]
    assert record.last_hash == values[-1]["h"]
    assert sorted(record.between.values()) == [0, 1, 2]
    assert (
        read_record(record_lines(game, {}, Draws())).last_hash
        == read_record(record_lines(game, {}, Draws())).hashes[-1]
    )
    assert read_record(record_lines(game)).version == VERSION


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda values: values[0].update(bobing="record/1"), "record/unknown_key"),
        (lambda values: values[0].update(bobing="record/3"), "record/unknown_version"),
        (lambda values: values[2].update(more=1), "record/unknown_key"),
        (lambda values: values[3].pop("proof"), "record/missing_key"),
        (lambda values: values.insert(3, {"proof": None}), "record/missing_key"),
    ],
)
def test_what_a_record_of_proved_dice_has_not(change, code):
    values = values_of(proved_lines()[1])
    change(values)
    assert refused(rechained(values))[0] == code


def test_events_are_in_the_chain():
    lines = proved_lines()[1]
    at = next(i for i, line in enumerate(lines) if b'"between"' in line)
    assert refused([*lines[:at], *lines[at + 1 :]])[0] == "record/broken_chain"
    assert (
        refused([*lines[:at], lines[at].replace(b"between", b"betweem"), *lines[at + 1 :]])[0] == "record/broken_chain"
    )
