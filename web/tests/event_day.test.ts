/** What the pages of an event's day work out: vouchers found and summed, guests at the door, calls of champions. */
import { describe, expect, test, vi } from "vitest";
import type { BoardRow, GuestView, VoucherView } from "../src/event_protocol";
import { choices } from "../src/event/choosing";
import { atDoor } from "../src/event/door";
import { asListed, byGuest, byPrize, firstWhole, found, isDue, listed, passedOn, sums } from "../src/event/prizes";
import { broken, calls, filling, finalRows, fitting, grid, linesOf, onTwoLines, paged, seatLists, seeking, tablesOn, type TableOn } from "../src/event/screen/pages";
import type { EventState } from "../src/event/state";
import { setLanguage, useTexts } from "../src/lib/texts.svelte";

const voucher = (guest: number, state: string, more: Partial<VoucherView> = {}): VoucherView => ({ guest, tier: "yixiu", state, table: 1, ...more });
const guest = (name: string, more: Partial<GuestView> = {}): GuestView => ({ name, session: 1, status: "listed", ...more });
const table = (status: "waiting" | "open" | "closed", seats: number[]) => ({ session: 1, seats, status });
const words = (name: string) => ({ "zh-Hans": name, "zh-Hant": name, en: name });

function event(more: Partial<EventState> = {}): EventState {
  return {
    code: "ABCD2345",
    n: 1,
    you: { role: "prizes" },
    view: { stages: {} } as EventState["view"],
    guests: { 1: guest("小明", { phone: "···1234" }), 2: guest("小红", { here: true }), 12: guest("Tom") },
    tables: {},
    vouchers: {
      1: voucher(1, "open"),
      2: voucher(1, "handed", { price: 500 }),
      3: voucher(2, "absent", { table: 2 }),
      4: voucher(2, "recalled", { price: 700 }),
      5: voucher(12, "void"),
    },
    board: {},
    ...more,
  };
}

const numbers = (words: string, table: number | null = null, all = false) => found(event(), { words, table, all }).map((one) => one.number);

test("a guest is chosen by number or letters, among those who may be", () => {
  const some = event({ guests: { 1: guest("Ann"), 2: guest("Anna", { status: "withdrawn" }), 11: guest("Bo"), 12: guest("anne") } });
  const chosen = (words: string, more = {}) => choices(some, words, more).map((one) => one.number);
  expect(chosen("")).toEqual([]);
  expect(chosen("an")).toEqual([1, 12]);
  expect(chosen("1")).toEqual([1]);
  expect(chosen("an", { not: 1 })).toEqual([12]);
  expect(chosen("an", { among: [2, 12] })).toEqual([2, 12]);
  expect(choices(event({ guests: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i + 1, guest("Ann")])) }), "a")).toHaveLength(6);
});

describe("vouchers", () => {
  test("are found by number, guest, name and table; what is done only when asked for, or by its number", () => {
    expect(numbers("")).toEqual([1, 3, 4]);
    expect(numbers("", null, true)).toEqual([1, 2, 3, 4, 5]);
    expect(numbers("2")).toEqual([2, 3, 4]);
    expect(numbers("小明")).toEqual([1]);
    expect(numbers("", 2)).toEqual([3]);
    expect(numbers("nobody", null, true)).toEqual([]);
  });
  test("stand together by guest", () => {
    expect(byGuest(found(event(), { words: "", table: null, all: true })).map(({ guest, vouchers }) => [guest, vouchers.length])).toEqual([[1, 2], [2, 2], [12, 1]]);
    expect(Object.values(event().vouchers).filter(isDue)).toHaveLength(3);
  });
  test("are shown up to a number, and no guest's are cut", () => {
    const own = [1, 4, 2].map((number) => ({ ...voucher(1, "open", { item: number === 4 ? "电饭煲" : "毛巾" }), number }));
    expect(byPrize(event(), own, "en")).toEqual([{ name: "毛巾", numbers: [1, 2] }, { name: "电饭煲", numbers: [4] }]);
    const groups = byGuest(found(event(), { words: "", table: null, all: true }));
    expect(firstWhole(groups, 5)).toHaveLength(3);
    expect(firstWhole(groups, 3)).toHaveLength(1);
    expect(firstWhole(groups, 1)).toHaveLength(1);
    expect(firstWhole(groups, 2, isDue)).toHaveLength(1);
    expect(firstWhole(groups, 3, isDue)).toHaveLength(3);
  });
  test("stay where they are while they go out: no tap hits a neighbour", () => {
    const due = { words: "", table: null, all: false };
    const before = event();
    const first = listed({ by: "", numbers: [] }, "due", found(before, due));
    expect(first.numbers).toEqual([1, 3, 4]);
    const after = event({ vouchers: { ...before.vouchers, 1: voucher(1, "handed", { desk: "B" }), 6: voucher(1, "open"), 7: voucher(12, "open"), 8: voucher(1, "open") } });
    const next = listed(first, "due", found(after, due));
    expect(next.numbers).toEqual([1, 3, 4, 6, 8, 7]);
    expect(asListed(after, next).map(({ guest, vouchers }) => [guest, vouchers.map((one) => one.number)])).toEqual([[1, [1]], [2, [3, 4]], [1, [6, 8]], [12, [7]]]);
    expect(asListed(after, next)[0]?.vouchers[0]).toMatchObject({ state: "handed", desk: "B" });
    expect(listed(next, "searched", found(after, due)).numbers).toEqual([3, 4, 6, 8, 7]);
  });
  test("are summed: void ones count nowhere, and what is out has its value", () => {
    const [[, whole]] = sums(found(event(), { words: "", table: null, all: true }), () => "") as [[string, object]];
    expect(whole).toEqual({ open: 1, handed: 1, absent: 1, waived: 0, recalled: 1, value: 1200 });
  });
});

test("the door finds by name, number and last digits, those first who are not here yet", () => {
  const names = (text: string) => atDoor(event(), text).map((one) => one.name);
  expect(names("小")).toEqual(["小明", "小红"]);
  expect(names("12")).toEqual(["Tom"]);
  expect(names("234")).toEqual(["小明"]);
  expect(names(" ")).toEqual([]);
});

describe("a hall screen", () => {
  const row = (champion: number | null, last: number): BoardRow => ({ left: { yixiu: 3 }, last, champion, combination: champion === null ? null : words("五红") });
  const open = { tables: { 3: table("open", [1, 2]) } };
  const before = event({ ...open, board: { 3: row(null, 0) } });
  test("calls a champion that is new, also of a table it had not heard of", () => {
    const after = event({ ...open, board: { 3: row(1, 1_000) } });
    expect(calls(before, after, 2_000)).toEqual([{ table: 3, stage: 0, guests: [2], combination: words("五红"), sum: null }]);
    expect(calls(event(open), after, 2_000)).toHaveLength(1);
    expect(calls(after, after, 2_000)).toEqual([]);
    expect(calls(null, after, 2_000)).toEqual([]);
    expect(calls(before, after, 100_000)).toEqual([]);
  });
  test("shows seats until a table begins, and pages", () => {
    expect(seeking(tablesOn(event({ tables: { 1: table("waiting", [1]) } })))).toBe(true);
    expect(seeking(tablesOn(before))).toBe(false);
    expect(tablesOn(event({ tables: { 1: table("waiting", []) } }))).toEqual([]);
    expect(paged([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  });
  test("makes long names smaller, to a limit", () => {
    expect(fitting("小明", 1.5, 8, 1)).toBe(1.5);
    expect(fitting("一二三四五六", 1.5, 8, 1)).toBeCloseTo(8 / 6);
    expect(fitting("a".repeat(24), 1.5, 8, 1)).toBe(1);
  });
  test("breaks long names between words, and makes them smaller before it breaks a word", () => {
    expect(broken("María José Fernández R.", 1, 8.4)).toBe(1);
    expect(broken("Maximiliana Vandenberghe", 1, 6.8)).toBeCloseTo(6.8 / (12 * 0.62));
    expect(broken("Jean-Baptiste Desrosiers", 1, 6.8)).toBe(1);
    expect(broken("滨海社区居委会陈志明主任", 1, 8.4)).toBe(1);
    expect(broken("A".repeat(24), 1, 6.8)).toBe(0.7);
  });
  test("writes calls and announcements smaller before they run off the screen", () => {
    expect(onTwoLines("林志明", 5, 38)).toBe(5);
    expect(30 * onTwoLines("欧".repeat(30), 1.5, 12), "a name of thirty signs has room on two lines of a final").toBeLessThanOrEqual(24);
    expect(onTwoLines("A".repeat(20) + " " + "B".repeat(19), 5, 38)).toBeCloseTo((1.7 * 38) / (40 * 0.62));
    expect(onTwoLines("A".repeat(13) + " " + "B".repeat(26), 1.5, 8.4)).toBe(0.7);
    expect(filling("开饭了", 2.6, 40, 19)).toBe(2.6);
    for (const signs of [60, 120, 200]) {
      const size = filling("字".repeat(signs), 2.6, 40, 19);
      expect(Math.ceil((signs * size) / 40) * 1.2 * size).toBeLessThanOrEqual(19);
    }
  });
  test("tells few finalists large, and never more than fit", () => {
    expect([1, 3, 4, 5, 8].map((n) => finalRows(n))).toEqual([
      { rows: 3, scale: 1.35, roomy: true },
      { rows: 3, scale: 1.35, roomy: true },
      { rows: 4, scale: 1, roomy: true },
      { rows: 8, scale: 1, roomy: false },
      { rows: 8, scale: 1, roomy: false },
    ]);
  });
});

test("a table with more names than a column holds has two lists of even length, and few tables are told large", () => {
  const table = (number: number, seats: number) => ({ number, seats: Array.from({ length: seats }, (_, i) => i + 1), session: 1, status: "waiting", row: undefined }) as unknown as TableOn;
  const lists = seatLists([table(1, 14), table(2, 15), table(3, 30)], String);
  expect(lists.map((list) => [list.table.number, list.part, list.parts, list.seats.length])).toEqual([[1, 1, 1, 14], [2, 1, 2, 8], [2, 2, 2, 7], [3, 1, 3, 10], [3, 2, 3, 10], [3, 3, 3, 10]]);
  expect(lists.flatMap((list) => list.seats)).toHaveLength(59);
  expect(linesOf(["陈志明", "Maria Concepción 10", "A".repeat(24)])).toBe(1 + 3 + 2);
  expect(seatLists([table(1, 8)], () => "Maria Concepción 10").map((list) => list.seats.length)).toEqual([4, 4]);
  expect([1, 3, 4, 6, 9, 12].map((cards) => grid(cards))).toMatchObject([{ columns: 1, rows: 1 }, { columns: 3, rows: 1 }, { columns: 2, rows: 2 }, { columns: 3, rows: 2 }, { columns: 3, rows: 3 }, { columns: 4, rows: 3, scale: 1 }]);
});

test("a prize that went on names its guest at both vouchers", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await setLanguage("en");
  await useTexts("day");
  const voucher = (guest: number, more: object) => ({ guest, tier: "yixiu", state: "open", item: "", ...more });
  const now = { guests: { 1: { name: "Ann" }, 2: { name: "Bo" } }, vouchers: { 4: voucher(1, { state: "again", after: 21 }), 21: voucher(2, { before: 4 }) } } as unknown as EventState;
  expect([4, 21].map((number) => passedOn(now, now.vouchers[number]!))).toEqual([["went to Bo, voucher 21"], ["instead of voucher 4 (Ann)"]]);
});
