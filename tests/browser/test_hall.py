"""The hall screen is read from the back of a hall: large letters, nothing cut, players page by page."""

import asyncio

import pytest
from playwright.sync_api import expect

from bobing.i18n import LANGUAGES, text
from browser.staging import wait_for_large
from server.live import line, new_table, serving

PEOPLE = [
    *(
        "阿明",
        "小红",
        "老王",
        "美兰",
        "Thomas",
        "志强",
        "林老师",
        "阿婆",
        "Siew Ling Tan",
        "欧阳震华",
        "Alexander the Great",
    ),
    *(f"玩家{n}" for n in range(9)),
]
THROWS = ("222231", "446123", "412335", "444412", "123456", "444223", "335512", "444415")
WHOLE = """() => [...document.querySelectorAll('.board, .players li, .ledger li, .champion, footer, .verdict')]
  .every((one) => {
    const { right, bottom } = one.getBoundingClientRect();
    return one.scrollHeight <= one.clientHeight + 3 && right <= innerWidth && bottom <= innerHeight;
  })"""


@pytest.fixture(scope="module")
def hall():
    """The address of a server and the code of a table of twenty, some laps into its game."""
    with serving(*THROWS * 5) as base:
        code, token = new_table(base, *PEOPLE, settings={"dice": "digital", "speed": 3}, title="中秋晚会")

        async def play():
            async with line(base, code, token) as host:
                await host.do("begin")
                for n in range(len(THROWS) * 5):
                    await host.do("throw", seat=n % len(PEOPLE))

        asyncio.run(play())
        yield base, code


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_it_is_read_from_the_back_and_nothing_is_cut(hall, visit, lang, size):
    base, code = hall
    one = visit(lang, base=base, size=size)
    page = one.page
    page.goto(f"{base}/hall/{code}")
    names = page.locator(".players bdi")
    expect(names.first).to_be_visible()
    page.wait_for_function(WHOLE)
    assert one.overflow() <= 0
    wait_for_large(page, ".players bdi", 0.025)
    for spot, least in (
        (".turn bdi", 0.05),
        (".name", 0.05),
        (".champion b", 0.04),
        (".code", 0.04),
        (".ledger b", 0.04),
    ):
        wait_for_large(page, spot, least)
    pages = page.locator(".pages")
    rows = names.count()
    expect(pages).to_have_text(text(lang, "table.hall_page", page=1, pages=-(-len(PEOPLE) // rows)))
    assert one.faults("serious", "critical") == []


def test_it_turns_over_by_itself(hall, visit):
    base, code = hall
    page = visit("en", base=base, size=(1920, 1080)).page
    page.clock.install()
    page.goto(f"{base}/hall/{code}")
    names = page.locator(".players bdi")
    expect(names.first).to_be_visible()
    first = names.all_inner_texts()
    page.clock.run_for(10_000)
    expect(names.first).not_to_have_text(first[0])
    assert not set(first) & set(names.all_inner_texts())
