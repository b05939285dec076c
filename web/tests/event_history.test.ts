/** The record of an event: each act says who did what to whom. */
import { beforeAll, expect, test, vi } from "vitest";
import { about, canTakeBack, doer } from "../src/event/history";
import type { EventState } from "../src/event/state";
import { setLanguage, useTexts } from "../src/lib/texts.svelte";

const guest = (name: string) => ({ name, session: 1, status: "listed" as const });
const state = {
  view: { sessions: {}, stages: { 2: { name: "Grand final", called: { "zh-Hans": "Grand final", "zh-Hant": "Grand final", en: "Grand final" } } } },
  guests: Object.fromEntries(["Ann", "Bo", "Cai", "Dan", "Eve", "Fay"].map((name, i) => [i + 1, guest(name)])),
  tables: { 1: { session: 1, seats: [3, 1], status: "closed" } },
  vouchers: { 7: { guest: 2, tier: "duitang", state: "open", item: "Kettle", table: 1 }, 8: { guest: 1, tier: "sijin", state: "open", item: "白鹅绒被 95% 220×240 cm 加厚冬被 酒店级", table: 1 } },
} as unknown as EventState;

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await setLanguage("en");
  await useTexts("desk", "event", "table");
});

test.each([
  [{ do: "hand", vouchers: [7], desk: "A", to: 3 }, ["#7 Kettle (Bo) → Cai", "A"]],
  [{ do: "absent", vouchers: [7, 99] }, ["#7 Kettle (Bo)", "#99"]],
  [{ do: "absent", vouchers: [8] }, ["#8 白鹅绒被 95% 220×240 cm… (Ann)"]],
  [{ do: "again", voucher: 7, guest: 4, new: 8, seed: "ab" }, ["#7 Kettle (Bo) → Dan", "ab"]],
  [{ do: "close", table: 1, won: [], champion: 1, vouchers: 1, how: "results" }, ["1", "Ann"]],
  [{ do: "merge", table: 1, into: 4 }, ["1", "4"]],
  [{ do: "split", table: 1, new: 5, guests: [1, 2] }, ["5", "Ann", "Bo"]],
  [{ do: "draw", session: 1, seed: "moon", tables: [1, 2, 3] }, ["3", "moon"]],
  [{ do: "trade", guests: [1, 2] }, ["Ann ⇄ Bo"]],
  [{ do: "role", table: 1, role: "head", guest: 2 }, ["1", "Bo"]],
  [{ do: "guests", first: 1, guests: [{}, {}, {}, {}, {}, {}] }, ["Ann", "Dan", "2"]],
  [{ do: "substitute", stage: 2, out: 1, guest: 2 }, ["Grand final", "Ann → Bo"]],
  [{ do: "final", stage: 2, guest: 1, faces: "666" }, ["Grand final", "Ann", "666"]],
  [{ do: "hand_off", to: "laptop B" }, ["laptop B"]],
  [{ do: "sit", guest: 6, table: 1 }, ["Fay", "1"]],
  [{ do: "correct", n: 12, act: { do: "final", stage: 2, guest: 1, faces: "665" } }, ["#12", "Ann", "665"]],
])("%o", (act, said) => {
  const told = about(state, act);
  for (const part of said) expect(told).toContain(part);
  expect(told).not.toContain("undefined");
  expect(told).not.toMatch(/desk\.|event\.|table\./);
});

test("a post is named, and what is none is left out", () => {
  expect(doer("prizes")).toBe("Prizes");
  expect(doer("prizes")).not.toBe(doer("desk"));
  expect(doer("x9")).toBe("");
});

test("what cannot be taken back is not offered: a table that begun, a hand-over, people sent to a table that plays", () => {
  const tables = { 4: { session: 1, seats: [1], status: "waiting" }, 5: { session: 1, seats: [2], status: "open" } };
  const now = { ...state, tables } as unknown as EventState;
  const offered = (act: Record<string, unknown>) => canTakeBack(now, 9, act);
  expect([{ do: "open", table: 5 }, { do: "hand_off", to: "B" }, { do: "take_over", machine: "A" }, { do: "merge", table: 1, into: 5 }].map(offered)).toEqual([false, false, false, false]);
  expect([{ do: "merge", table: 1, into: 4 }, { do: "hand", vouchers: [7] }].map(offered)).toEqual([true, true]);
  expect(canTakeBack(now, 1, { do: "plan" })).toBe(false);
});
