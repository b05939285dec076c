/** An event as its pages know it: what messages make of it, and what a refused act leaves of those behind it. */
import { beforeEach, expect, test } from "vitest";
import { inNeed, rowsOf, standing } from "../src/event/board";
import { EventConnection, type EventDraft } from "../src/event/connection";
import { merging } from "../src/event/merging";
import { limitOf, newSession, unset, withTier } from "../src/event/session";
import { fold, freeTable, guestName, inOrder, namesakes, plainName, type EventState } from "../src/event/state";
import type { BoardRow, EventNews, EventView, EventWelcome } from "../src/event_protocol";
import { nameOf } from "../src/lib/seats";
import { t } from "../src/lib/texts.svelte";
import type { View } from "../src/protocol";
import type { Socket } from "../src/lib/mending";
import { Queue, type Waiting } from "../src/lib/queue";

const view: EventView = {
  title: "Moon", currency: "", absent: "keep", keep_days: 30, sessions: {}, stages: {}, items: [], hall: {}, next_guest: 3, next_voucher: 1,
}; // prettier-ignore
const welcome: EventWelcome = {
  t: "event_welcome", code: "ABCD2345", n: 4, you: { role: "desk" }, view, now: 0, vouchers: {}, board: {},
  guests: { 1: { name: "小明", session: 1, status: "listed" }, 2: { name: "", session: 1, status: "listed" } },
  tables: { 7: { session: 1, seats: [1, 2], status: "waiting" } },
}; // prettier-ignore
const state = fold(null, welcome) as EventState;

test("news change what they name and nothing else", () => {
  const news: EventNews = { t: "event_news", n: 5, view: { ...view, title: "Sun" }, guests: { 3: { name: "阿美", session: 1, status: "waiting" } }, gone: { guests: [2] } };
  const after = fold(state, news) as EventState;
  expect(after.view.title).toBe("Sun");
  expect(inOrder(after.guests).map(({ number, name }) => [number, name])).toEqual([[1, "小明"], [3, "阿美"]]);
  expect(after.tables).toBe(state.tables);
  expect(fold(after, { ...news, n: 4, view })).toBe(after); // older than what is known
});

test("the board is told row by row", () => {
  const first = fold(state, { t: "board", rows: { 7: { left: { yixiu: 32 } } }, now: 1 }) as EventState;
  const second = fold(first, { t: "board", rows: { 8: { left: {} } }, now: 2 }) as EventState;
  expect(Object.keys(second.board)).toEqual(["7", "8"]);
});

test("a guest without a name is called the same at the desk and at the table, and a new table has a number of its own", () => {
  expect(guestName(state, 1)).toBe("小明");
  expect(guestName(state, 2)).toBe(t("common.guest_n", { n: 2 }));
  const seats = [{ name: "", guest: 2 }, { name: "小明", guest: 1 }, { name: "" }];
  expect(seats.map((_, seat) => nameOf({ seats } as unknown as View, seat))).toEqual([guestName(state, 2), "小明", "#3"]);
  expect(freeTable(state)).toBe(8);
});

test("who bears the name of another guest of the session is known, however it is written", () => {
  const guest = (name: string, session = 1, status: "listed" | "withdrawn" = "listed") => ({ name, session, status });
  const guests = { 1: guest("An Na"), 2: guest("ＡＮ na\u200b"), 3: guest("An Na", 2), 4: guest("An Na", 1, "withdrawn"), 5: guest(""), 6: guest("") };
  expect([...namesakes(guests)]).toEqual([[1, [2]], [2, [1]]]);
  const event = { ...state, guests } as EventState;
  expect(guestName(event, 1)).toBe(t("common.guest_called", { name: guests[1].name, n: 1 }));
  expect([guestName(event, 3), plainName(event, 1)]).toEqual(["An Na", "An Na"]);
});

test("merging tells how many go where, what room there is, and what can be taken back", () => {
  const at = (...tables: number[]) => Object.fromEntries(tables.map((table, i) => [i + 1, { name: "", session: 1, status: "listed" as const, table }]));
  const tables = { 2: { session: 1, seats: [1, 2, 9], status: "open" }, 5: { session: 1, seats: [3, 4, 5], status: "open" }, 6: { session: 1, seats: [6], status: "waiting" } };
  const event = { ...state, guests: at(2, 2, 5, 5, 5, 6, 7), tables, view: { ...view, sessions: { 1: { seats: 4 } } } } as unknown as EventState;
  expect(merging(event, 5, 2)).toEqual({ people: 3, sum: 5, seats: 4, over: 1, prizes: "open", undoable: false }); // 9 has left table 2
  expect(merging(event, 5, 6)).toEqual({ people: 3, sum: 4, seats: 4, over: 0, prizes: "open", undoable: true });
  expect(merging(event, 6, 2).prizes).toBe("waiting");
});

test("a session that cannot be saved yet says what is missing", () => {
  const draft = newSession(1, "Evening");
  const empty = undefined as unknown as number;
  expect([{}, { name: " " }, { tables: 0 }, { tables: empty }, { seats: 1 }, { seconds: empty }].map((change) => unset({ ...draft, ...change }))).toEqual(["", "name", "tables", "tables", "seats", "seconds"]);
});

let sent: Record<string, unknown>[];
let socket: Socket;
let shelf: readonly Waiting<EventDraft>[];
beforeEach(() => {
  sent = [];
  shelf = [];
});

test("commands go out one by one after the welcome, and what waits behind a refused one can go on", () => {
  const told: string[] = [];
  let ids = 0;
  const queue = new Queue<EventDraft>({ load: () => shelf, save: (all) => (shelf = all) }, () => `id${ids++}`);
  const world = {
    connect: () => (socket = { onopen: null, onmessage: null, onclose: null, send: (text) => sent.push(JSON.parse(text) as never), close: () => undefined }),
    later: () => () => undefined,
    now: () => 0,
    random: () => 1,
  };
  const connection = new EventConnection("ABCD2345", "token", queue, world, {
    changed: () => undefined,
    refused: (refused) => told.push(refused.code),
    done: (cmd) => told.push(cmd),
  });
  const say = (message: unknown) => socket.onmessage?.({ data: JSON.stringify(message) });
  connection.send({ t: "event_act", act: { do: "here", guests: [1] } });
  connection.send({ t: "event_act", act: { do: "here", guests: [2] } });
  connection.start();
  socket.onopen?.();
  say(welcome);
  expect(sent.map((one) => [one["t"], one["cmd"]])).toEqual([["event_hello", undefined], ["event_act", "id0"]]);
  say({ t: "refused", cmd: "id0", code: "event/no_guest", words: {}, n: 4 });
  connection.go();
  expect(sent.at(-1)?.["cmd"]).toBe("id1");
  say({ t: "ack", cmd: "id1", n: 5 });
  expect(told).toEqual(["event/no_guest", "id1"]);
  expect(shelf).toEqual([]);
});

test("a card of the board stays in its place, and what needs help is told beside it, the urgent first", () => {
  const open = { session: 1, seats: [1, 2], status: "open" as const };
  const row = (needs: BoardRow["needs"], last = 1_000_000) => ({ left: {}, last, ...(needs && { needs }) });
  const tables = { 1: open, 2: open, 3: { ...open, status: "closed" }, 4: open, 5: open } as EventState["tables"];
  const board = { 1: row(["finished"]), 2: row(undefined, 1), 3: row(["referee"]), 4: row(["referee"]), 5: row(["confirm"]) } as EventState["board"];
  const rows = rowsOf({ tables, board } as EventState, 1_000_000);
  expect(rows.map((one) => one.number)).toEqual([1, 2, 3, 4, 5]);
  expect(inNeed(rows).map((one) => [one.number, ...one.needs])).toEqual([[5, "confirm"], [4, "referee"], [2, "stalled"], [1, "finished"]]);
});

test("who came late and has no seat is counted, where the seats of the session are drawn", () => {
  const guest = (more: object) => ({ name: "A", session: 1, status: "listed", here: true, ...more });
  const guests = { 1: guest({}), 2: guest({ table: 3 }), 3: guest({ here: undefined }), 4: guest({ status: "waiting" }), 5: guest({ session: 2 }) };
  const view = { sessions: { 1: { drawn: true }, 2: { drawn: false } } };
  expect(standing({ guests, view } as unknown as EventState)).toBe(1);
});

test("a session has as many places as seats until another limit is set; what is beyond waits", () => {
  expect(limitOf(30, 30, 40)).toBe(40);
  expect(limitOf(25, 30, 40)).toBe(25);
  expect(limitOf(0, 30, 40)).toBe(0);
});

test("what is wrong with the prizes of a tier names the tier, not its key", () => {
  const tiers = [{ key: "sanhong", name: "三红" }];
  expect(withTier("各种奖品要合计 4 件（prizes.sanhong：写了 3 件）", "prizes.sanhong", tiers)).toBe("各种奖品要合计 4 件（三红：写了 3 件）");
  expect(withTier("prizes.sanhong[1].count: 1 at least", "prizes.sanhong[1].count", tiers)).toBe("三红: 1 at least");
  expect(withTier("“Prizes of Three Fours” (prizes.sanhong): 3", "prizes.sanhong", tiers)).toBe("“Prizes of Three Fours”: 3");
  expect(withTier("「三紅的獎品」prizes.sanhong：3", "prizes.sanhong", tiers)).toBe("「三紅的獎品」：3");
  expect(withTier("total: 64", "total", tiers)).toBe("total: 64");
});
