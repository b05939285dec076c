"""An event made ready over its own wire, for pages to look at. Without asyncio, which rests while Playwright runs."""

import json
import secrets
from contextlib import ExitStack

import httpx
from websockets.sync.client import connect

CHOICE = {"sheet": "S12", "house": {}}
REAL = {"dice": "real", "confirm": "none", "joining": "closed"}
ITEMS = {
    "yixiu": "毛巾",
    "erju": "洗衣液",
    "sijin": "食用油",
    "sanhong": "电饭煲",
    "duitang": "羽绒被",
    "zhuangyuan": "手机",
}
SURNAMES = "陈林黄张李王吴刘蔡杨许郑谢洪郭邱曾廖赖徐"
GIVEN = ["志明", "春娇", "建国", "美玲", "思远", "佳怡", "大伟", "小红", "文博", "雅婷", "子轩", "欣怡"]

LARGE = """([spots, least]) => {
  const seen = [...document.querySelectorAll(spots)].filter((one) => one.getClientRects().length);
  return seen.length && seen.every((one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight > least);
}"""


def wait_for_large(page, spots, least):
    """Wait until what a selector finds is written larger than this part of the screen's height, all in one moment."""
    page.wait_for_function(LARGE, arg=[spots, least])


def name_of(n):
    """A name for the n-th guest, of his own up to the 240th; now and then a long or foreign one."""
    if n % 11 == 10:
        return f"Maria Concepción {n}"
    return SURNAMES[n % len(SURNAMES)] + GIVEN[n // len(SURNAMES) % len(GIVEN)]


class Wire:
    """A connection of one role, or of a device of a table, that waits for the answer to each command."""

    def __init__(self, base, path, hello):
        self.stack = ExitStack()  # open until the process ends, or nobody knows the connection any more
        self.socket = self.stack.enter_context(connect(base.replace("http", "ws") + path))
        self.n, self.kept = 0, []
        self.socket.send(json.dumps(hello))
        self.welcome = self._read()

    def _read(self):
        message = json.loads(self.socket.recv(timeout=60))
        self.n = max(self.n, message.get("n", 0))
        self.kept.append(message)
        return message

    def get(self, kind):
        """The next message of a kind."""
        while (message := self._read())["t"] != kind:
            pass
        return message

    def do(self, kind, **values):
        cmd = secrets.token_hex(12)
        self.socket.send(json.dumps({"t": kind, "cmd": cmd, "at": self.n, **values}))
        while (message := self._read()).get("cmd") != cmd:
            pass
        assert message["t"] == "ack", message
        self.n = max(self.n, message["n"])

    def act(self, **act):
        self.do("event_act", act=act)


class Staged:
    """An event with its desk, and short words for what people do there."""

    def __init__(self, base, title="中秋博饼之夜"):
        self.base = base
        made = httpx.post(f"{base}/api/events", json={"title": title}).json()
        self.code, self.token = made["code"], made["token"]
        self.desk = self.at(self.token)

    def at(self, token):
        return Wire(self.base, "/ws/event", {"t": "event_hello", "code": self.code, "token": token})

    def pass_for(self, role, **more):
        headers = {"authorization": f"Bearer {self.token}"}
        answer = httpx.post(f"{self.base}/api/events/{self.code}/passes", json={"role": role, **more}, headers=headers)
        return answer.json()["token"]

    def link(self, role, place="", **more):
        return f"{self.base}/events/{self.code}{place}#k={self.pass_for(role, **more)}"

    def session(self, tables, seats=10, **more):
        """A session whose prizes have names and prices."""
        items = {key: [{"name": name, "price": 5000 * (at + 1)}] for at, (key, name) in enumerate(ITEMS.items())}
        counts = dict(zip(ITEMS, (32, 16, 8, 4, 2, 1), strict=True))
        house = {"prizes": {key: [{**items[key][0], "count": counts[key]}] for key in ITEMS}}
        choice = {"sheet": "S12", "house": more.pop("house", house)}
        told = {"settings": REAL, "name": "晚场", "choice": choice, **more}
        self.desk.do("session_settings", session=1, tables=tables, seats=seats, **told)

    def guests(self, count):
        people = [{"name": name_of(n), "phone": f"138{n:08d}"} for n in range(count)]
        self.desk.do("enter_guests", guests=people)
        self.desk.act(do="here", guests=list(range(1, count + 1)))

    def draw(self, tables):
        self.desk.act(do="draw", session=1, seed="moon", tables=list(range(1, tables + 1)))

    def open(self, table):
        """The table begins; a connection with the right of its own device."""
        device = self.at(self.pass_for("table", table=table))
        self.desk.do("open_tables", tables=[table])
        seated = device.get("seated")
        return Wire(self.base, "/ws", {"t": "hello", "code": seated["code"], "token": seated["token"]})

    def hand_over(self, to):
        """The event goes on at another machine."""
        headers = {"authorization": f"Bearer {self.token}"}
        answer = httpx.post(f"{self.base}/api/events/{self.code}/handover", json={"to": to}, headers=headers)
        assert answer.status_code == 200, answer.text

    def throw(self, device, *rolls):
        for roll in rolls:
            view = next(m["view"] for m in reversed(device.kept) if "view" in m)
            device.do("do", act={"seat": view["next"], "roll": roll})
            while not any("line" in m and m["n"] == device.n for m in device.kept):
                device._read()
