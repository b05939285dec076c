"""What is printed: read back out of the PDF, for every sheet and language."""

import io
import random
from typing import Any, cast

import pytest
import zxingcpp
from PIL import Image
from pypdf import PdfReader

from bobing.core.catalogue import find_sheet, read_rules, sheet_keys
from bobing.i18n import LANGUAGES
from bobing.i18n.settings import point_title
from bobing.naming import combination_name, rules_name, tier_name
from bobing.paper import rules_paper
from bobing.paper.press import FONTS, PIXELS_PER_INCH, pictures, printed, qr_svg, words
from bobing.paper.rule_card import rule_card
from bobing.paper.score_sheet import ROWS, score_sheet
from bobing.paper.slips import slips

HOSTILE = (
    "#strong[x]", "$1^2$", "*bold*", "_it_", "@ref", "<label>", "`raw`", "//c", "/*c*/", "\\n", '#import "/etc/passwd"',
    "{{7*7}}", "%s", "=cmd", "- x", "[x](y)", "'; DROP TABLE", "&lt;", "~", "---",
)  # fmt: skip
LONG = "Bartholomew Maximilian Featherstonehaugh"
HOUSE = """
extends = "S12"
[[prizes.duitang]]
name = "#eval(1) *杯子*"
count = 2
"""


def read(data):
    return PdfReader(io.BytesIO(data))


def said(data):
    """All text of a PDF, without spaces, for lines may break anywhere."""
    return "".join("".join(page.extract_text() for page in read(data).pages).split())


def some_cards():
    """Every sheet once, in languages that change, and each language often."""
    chosen = random.Random(1)
    return [(key, chosen.choice(LANGUAGES)) for key in sheet_keys()]


@pytest.mark.parametrize(("key", "lang"), some_cards())
def test_the_rule_card_of_every_sheet_is_one_page_that_names_all_that_wins(key, lang):
    rules = find_sheet(key)
    data = rules_paper("rules", rules, lang, "http://192.168.1.7:8063/rules/S12")
    assert len(read(data).pages) == 1
    text = said(data)
    for name in [tier_name(rules, tier, lang) for tier in rules.cakes]:
        assert "".join(name.split()) in text, name
    for form in (form for group in rules.ranks.order for form in group):
        assert "".join(combination_name(rules, form, lang).split()) in text, form


@pytest.mark.deep
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", sheet_keys())
def test_rule_cards_are_one_page_in_every_language(key, lang):
    assert len(read(rules_paper("rules", find_sheet(key), lang)).pages) == 1


def test_fonts_are_ours_and_go_with_the_paper():
    for what in ("rules", "score", "prizes"):
        fonts = [
            font.get_object()
            for page in read(rules_paper(what, find_sheet("S12"), "zh-Hans")).pages
            for font in cast("Any", page)["/Resources"]["/Font"].values()
        ]
        assert fonts
        for font in fonts:
            inner = font["/DescendantFonts"][0].get_object()
            assert "BobingPaper" in font["/BaseFont"] or "Libertinus" in font["/BaseFont"]
            assert {"/FontFile2", "/FontFile3"} & inner["/FontDescriptor"].get_object().keys(), "not embedded"
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_again_is_the_same_file(lang):
    assert rules_paper("score", find_sheet(), lang) == rules_paper("score", find_sheet(), lang)


def test_a_house_rule_is_told_with_its_prizes_as_they_are_written():
    text = said(rules_paper("rules", read_rules(HOUSE), "zh-Hans"))
    assert "#eval(1)*杯子*" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_card_of_house_rules_says_of_which_sheet_and_what_differs(lang):
    rules, sheet = read_rules('extends = "S12"\n[cakes]\nyixiu = 40\n[ending]\nminutes = 45'), find_sheet("S12")
    card = rule_card(rules, lang)
    assert card["title"] == rules_name(rules, lang) != rules_name(sheet, lang)
    assert rules_name(sheet, lang) in card["title"]
    assert "house" not in card["about"]
    assert all(point_title(lang, point) in card["differs"] for point in ("K1", "K2", "N1"))
    assert [point["title"] for point in card["points"] if point["house"]] == [point_title(lang, "N1")]
    assert rule_card(sheet, lang)["differs"] == "", "a printed sheet differs from nothing"
    assert rules_name(rules, lang) in (score_sheet(rules, lang)["title"], slips(rules, lang)["title"])
    mine = read_rules('key = "mine"\nextends = "S12"\n[cakes]\nyixiu = 40')
    assert rules_name(mine, lang) == "mine", "who gives a key has named it"


@pytest.mark.parametrize("template", ["score", "slips", "cards", "certificate", "seating", "results", "signoff"])
def test_what_people_wrote_is_text_and_never_markup(template):
    names = [*HOSTILE, LONG, "欧阳娜娜", "黃餅狀", "Nguyễn Thị"]
    text = said(printed(template, papers_of(names)[template], "zh-Hans"))
    for name in names:
        assert "".join(name.split()) in text.replace("\u00ad", ""), name


def papers_of(names, title="Moon #1"):
    seats = [{"name": name, "role": ""} for name in names]
    slip = {"about": "", "dice": "", "place": "", "number": "1"}
    return {
        "score": {"title": title, "sheets": [score_sheet(find_sheet(), "zh-Hans", names, title=title)]},
        "slips": {"title": title, "kind": "x", "slips": [{"what": "x", **slip, "name": name} for name in names]},
        "cards": {
            "title": title,
            "cards": [{"number": "1", "label": "1", "session": "", "qr": "", "rules": "", "seats": seats}],
        },
        "certificate": {"title": title, "certificates": [{"name": name, "what": "", "dice": ""} for name in names]},
        "seating": {"title": title, "tables": [{"label": "1", "session": "", "seats": seats}]},
        "results": {
            "title": title,
            "stages": [{"name": "x", "places": [{"place": "1", "name": name, "prize": ""} for name in names]}],
            "champions": [],
            "totals": "",
        },
        "signoff": {
            "title": title,
            "heads": list("abcdefgh"),
            "rows": [["1", "x", "7", name, "", "", "✓ A", ""] for name in names],
        },
    }


def test_a_name_of_any_length_leaves_the_number_of_pages():
    for name, pages in (("王", 1), ("很长的名字" * 5, 1), ("W" * 80, 1)):
        for template in ("cards", "certificate", "seating", "results"):
            assert len(read(printed(template, papers_of([name])[template], "en")).pages) == pages, (template, name)
        assert len(read(printed("score", papers_of([name] * 12)["score"], "en")).pages) == 2


def test_a_score_sheet_has_two_pages_whatever_its_event_and_session_are_called():
    for title in ("Moon", "中秋博饼" * 20):
        sheet = score_sheet(find_sheet(), "en", ["Ann"] * 14, title=title, session=title, table="110")
        assert len(read(printed("score", {"title": title, "sheets": [sheet]}, "en")).pages) == 2


@pytest.mark.parametrize(
    ("template", "margin"),
    [
        ("results", (292, 2, 296, 418)),
        ("certificate", (291, 2, 296, 208)),
        ("slips", (99.5, 2, 104, 72)),
        ("signoff", (200, 2, 209, 295)),
    ],
)
def test_nothing_that_people_wrote_runs_over_the_edge(template, margin):
    """margin: what stays white at the right of the page, or of a slip; in millimetres."""
    word = "BCD-602WGHTD7D14U1" * 4
    data = papers_of([word], title=word)[template]
    for one in (one for stage in data.get("stages", ()) for one in stage["places"]):
        one["prize"] = word
    for one in data.get("slips", ()):
        one["what"] = word
    for row in data.get("rows", ()):
        row[1] = word
    (page,) = pictures(template, data, "en")
    picture = Image.open(io.BytesIO(page)).convert("L")
    left, top, right, bottom = (round(mm / 25.4 * PIXELS_PER_INCH) for mm in margin)
    assert picture.crop((left, top, right, bottom)).getextrema() == (255, 255)


def seating_of(tables, seats):
    seat = {"name": "陈小明", "role": ""}
    listed = [{"label": str(n), "session": "", "seats": [seat] * seats} for n in range(1, tables + 1)]
    return {"title": "Moon", "tables": listed}


def sizes_of(page):
    """The sizes of all names on a page."""
    sizes = list[float]()
    page.extract_text(visitor_text=lambda text, _cm, _tm, _font, size: sizes.append(size) if "陈" in text else None)
    return sizes


def test_a_seating_list_is_as_large_as_its_page_allows_and_goes_on_over_several():
    printed_ones = [
        read(printed("seating", seating_of(tables, seats), "zh-Hans")).pages
        for tables, seats in ((3, 4), (9, 10), (110, 12))
    ]
    assert [len(pages) > 1 for pages in printed_ones] == [False, False, True]
    small, middle, large = (max(sizes_of(pages[0])) for pages in printed_ones)
    assert small > middle > large


def test_one_long_name_does_not_make_a_whole_seating_list_small():
    data = seating_of(9, 6)
    (alone,) = read(printed("seating", data, "en")).pages
    data["tables"][3]["seats"][2] = {"name": "Maria Concepción Fernández de la Cruz III", "role": ""}
    (together,) = read(printed("seating", data, "en")).pages
    assert max(sizes_of(together)) > 0.7 * max(sizes_of(alone))


def test_the_signatures_of_a_sign_off_sheet_stand_on_their_lines():
    heads = ["voucher", "prize", "no.", "name", "won at", "price", "handed over", "signature"]
    row = ["1", "Cup", "7", "Ann", "table 1", "", "", ""]
    alone = 0
    for rows in range(32, 44):
        data = {"title": "Moon", "heads": heads, "rows": [row] * rows}
        last = read(printed("signoff", data, "en")).pages[-1]
        if "Ann" not in last.extract_text():
            alone += 1
            drawn = cast("Any", last.get_contents()).get_data()
            assert drawn.count(b" l\n") == 3, "words without the lines that they are about"
    assert alone, "no sheet of these begins another page"


def test_signs_that_turn_or_hide_others_are_not_printed():
    text = said(printed("certificate", papers_of(["a\u202eb\u200bc\0d"])["certificate"], "en"))
    assert "abcd" in text


def test_a_score_sheet_has_two_pages_and_a_row_for_every_seat():
    data = rules_paper("score", find_sheet("S12"), "en")
    front, back = (page.extract_text() for page in read(data).pages)
    assert str(ROWS) in front.split()
    assert "Four of a Kind" in front
    assert back.split().count("22") == 1, "laps are counted"


def test_there_is_a_slip_for_every_prize_eight_to_a_page():
    data = rules_paper("prizes", find_sheet("S12"), "zh-Hans")
    assert len(read(data).pages) == 8
    assert said(data).count("一秀") == 32


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_of_the_papers_is_there_in_every_language(lang):
    assert all(words(lang).values())


def decoded(picture):
    return [found.text for found in zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))]


def test_the_qr_of_a_rule_card_is_read_from_its_picture():
    address = "http://192.168.1.7:8063/rules/S12"
    (page,) = pictures("rules", rule_card(find_sheet(), "en", address), "en")
    assert decoded(page) == [address]
    (page,) = pictures("rules", rule_card(find_sheet(), "en"), "en")
    assert decoded(page) == []


def test_the_qr_of_a_table_card_is_read_from_its_picture():
    link = "http://192.168.1.7:8063/events/ABCDEFGH#k=" + "x" * 32
    card = {"number": "110", "label": "Table 110", "session": "", "rules": "", "seats": [], "qr": qr_svg(link)}
    (page,) = pictures("cards", {"title": "Moon", "cards": [card]}, "en")
    assert decoded(page) == [link]
