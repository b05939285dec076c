"""Papers over HTTP: of sheets, of house rules, and of an event from the table cards to the certificate."""

import io

import httpx
from pypdf import PdfReader

from bobing.server import event_http
from bobing.server.event_papers import Order
from server.live import serving
from server.test_events import at_event, give_pass, new_event, prepared, run

HERE = "http://192.168.1.7:8063"
TITLE = {"seat": 0, "tier": "zhuangyuan", "cakes": 1}


def pages(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return ["".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(answer.content)).pages]


def printed(base, event, what, lang="en", **query):
    headers = {"authorization": f"Bearer {event['token']}"}
    body = {"lang": lang, "address": HERE, **query}
    return httpx.post(f"{base}/api/events/{event['code']}/{what}.pdf", json=body, headers=headers)


def test_a_sheet_and_house_rules_are_printed():
    with serving() as base:
        (page,) = pages(httpx.get(f"{base}/api/sheets/s12/rules.pdf?lang=en"))
        assert "Refereerules" in page
        house = {"sheet": "S12", "house": {"cakes": {"yixiu": 60}, "total": 91}}
        (page,) = pages(httpx.post(f"{base}/api/rules/rules.pdf?lang=en", json=house))
        assert "×60" in page
        assert len(pages(httpx.get(f"{base}/api/sheets/S12/prizes.pdf"))) == 8
        for wrong, code in (
            ("S99/rules.pdf", "rules/unknown_sheet"),
            ("S12/nothing.pdf", "table/bad_message"),
            ("S12/rules.pdf?lang=fr", "table/bad_message"),
            ("S12/rules.pdf?address=javascript:x", "table/bad_message"),
        ):
            assert httpx.get(f"{base}/api/sheets/{wrong}").json()["code"] == code


def test_a_public_address_stands_before_what_the_page_says():
    with serving(public_url="https://table.example") as base:
        found = httpx.get(f"{base}/api/sheets/S12/rules.pdf?lang=en&address={HERE}")
        assert pages(found)


def test_every_paper_of_an_event_is_printed_for_its_desk_alone():
    async def story(base):
        event, desk = await prepared(base)
        assert len(pages(printed(base, event, "cards"))) == 3
        assert len(pages(printed(base, event, "cards", tables=[2]))) == 1
        assert len(pages(printed(base, event, "score"))) == 6
        assert len(pages(printed(base, event, "prizes", tables=[1]))) == 8
        (seating,) = pages(printed(base, event, "seating", "zh-Hans"))
        assert all(guest["name"] in seating for guest in desk.known["guests"].values())
        await desk.act(do="stage", stage=1, name="Final", format="sum", places=[{"count": 1, "item": "TV"}])
        await desk.do("open_tables", tables=[1])
        await desk.do("close_tables", tables=[1])
        await desk.act(
            do="close",
            table=2,
            won=[{"seat": 0, "tier": "zhuangyuan", "cakes": 1}],
            champion=0,
            vouchers=1,
            how="results",
        )
        champion = desk.known["guests"][str(desk.known["tables"]["2"]["seats"][0])]["name"]
        assert [champion in page for page in pages(printed(base, event, "vouchers"))] == [True]
        (ticket,) = pages(printed(base, event, "tickets"))
        assert champion in ticket
        assert "Final" in ticket
        (poster,) = pages(printed(base, event, "results"))
        assert champion in poster
        (certificate,) = pages(printed(base, event, "certificates"))
        assert champion in certificate
        assert "Championoftable2" in certificate
        (signed,) = pages(printed(base, event, "signoff"))
        assert champion in signed
        (rules,) = pages(printed(base, event, "rules"))
        assert "Refereerules" in rules
        other = {**event, "token": give_pass(base, event, "hall")}
        assert printed(base, other, "cards").json()["code"] == "table/forbidden"
        assert printed(base, {**event, "token": "x" * 32}, "cards").json()["code"] == "table/unknown_token"
        assert printed(base, event, "cards", tables=["x"]).json()["code"] == "table/bad_message"
        assert printed(base, event, "elsewhere").json()["code"] == "table/bad_message"
        fresh = new_event(base)
        assert printed(base, fresh, "rules").json()["code"] == "table/not_begun"
        for paper in (
            "cards",
            "score",
            "seating",
            "prizes",
            "vouchers",
            "tickets",
            "results",
            "certificates",
            "signoff",
        ):
            empty = printed(base, fresh, paper)
            assert (empty.status_code, empty.json()["code"]) == (409, "paper/nothing"), paper

    run(story)


def test_the_qr_of_a_table_card_opens_that_table(monkeypatch):
    orders = list[Order]()
    monkeypatch.setattr(event_http, "event_paper", lambda _room, _what, order: orders.append(order) or b"")

    async def story(base):
        event, _ = await prepared(base)
        assert printed(base, event, "cards", tables=[2]).status_code == 200
        (link,) = orders[0].links.values()
        place, _, token = link.partition("#k=")
        assert place == f"{HERE}/events/{event['code']}"
        tablet = await at_event(base, event["code"], token)
        assert tablet.welcome["you"] == {"role": "table", "table": 2}

    run(story)
