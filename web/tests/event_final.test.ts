/** What desk and hall make of a stage of the final: who stands where, which throws are shown, who is called as its winner. */
import { describe, expect, test } from "vitest";
import type { GroupView, StageThrow, StageView } from "../src/event_protocol";
import { callable, counting, decided, finalists, isThrow, NOTHING_TYPED, shortened, turnOf, typedFor, winners } from "../src/event/final";
import { calls } from "../src/event/screen/pages";
import type { EventState } from "../src/event/state";

const thrown = (guest: number, faces: string | null, more: Partial<StageThrow> = {}): StageThrow => ({ guest, faces, ...more });
const words = (name: string) => ({ "zh-Hans": name, "zh-Hant": name, en: name });
const stage = (...groups: GroupView[]): StageView => ({ name: "", called: words("总决赛"), format: "sum", source: "champions", places: [{ count: 1, item: "手机" }], groups, laps: 1 });

/** 1 and 3 threw 15, 2 threw 6: 1 and 3 throw again, 1 has. */
const tie: GroupView = {
  guests: [1, 2, 3],
  throws: [thrown(1, "654", { sum: 15, counts: true }), thrown(2, "222", { sum: 6, counts: true }), thrown(3, "654", { sum: 15, counts: true }), thrown(1, "111", { sum: 3, again: 1, counts: true })],
  due: 3,
  dice: 3,
  again: 1,
  tied: [1, 3],
  ahead: [1],
};
const over: GroupView = { guests: [1, 2, 3], throws: [...tie.throws, thrown(3, "222", { sum: 6, again: 1, counts: true })], places: [[3]] };

test("who may be called to a final has a place and a name, and was there where the door checks in", () => {
  const guest = (more: object) => ({ name: "x", session: 1, status: "listed" as const, ...more });
  const guests = { 1: guest({ here: true }), 2: guest({}), 3: guest({ table: 7 }), 4: guest({ table: 8 }), 5: guest({ here: true, name: "" }), 6: guest({ here: true, status: "waiting" }), 7: guest({ session: 2 }) };
  const tables = { 7: { status: "open" }, 8: { status: "waiting" } };
  expect(callable({ guests, tables } as unknown as EventState)).toEqual([1, 3, 7]);
});

describe("finalists", () => {
  test("come as they are wanted: who throws, who leads, the others; with their throws apart for each tie", () => {
    const all = finalists(tie);
    expect(all.map((one) => [one.guest, one.due, one.leads, one.tied])).toEqual([[3, true, false, true], [1, false, true, true], [2, false, false, false]]);
    expect(all[1]?.bouts.map((bout) => bout.map((one) => one.sum))).toEqual([[15], [3]]);
    expect(finalists({ ...tie, again: 0, tied: [], ahead: [], due: 1, next: 2 }).map((one) => one.next)).toEqual([false, true, false]);
  });
  test("have their places at the end, and those that are certain before", () => {
    expect([decided(tie), decided(over)]).toEqual([false, true]);
    expect(finalists(over).map((one) => [one.guest, one.place])).toEqual([[3, 1], [1, 0], [2, 0]]);
    const certain = { ...tie, places: [[2]] };
    expect(decided(certain)).toBe(false);
    expect(finalists(certain).map((one) => [one.guest, one.place])).toEqual([[3, 0], [2, 1], [1, 0]]);
  });
  test("show as many throws as there is room for, the one that counts among them", () => {
    const bout = ["111", "666", "222", "333", "444"].map((faces) => thrown(1, faces, { sum: 0, counts: faces === "666" }));
    expect(shortened(bout, 9).map((one) => one.faces)).toEqual(["666", "333", "444"]);
    expect(shortened(bout, 15)).toEqual(bout);
    expect(shortened([thrown(1, "123456"), thrown(1, "111223")], 9).map((one) => one.faces)).toEqual(["111223"]);
    expect(shortened([thrown(1, null)], 9)).toHaveLength(1);
    expect(counting(bout)?.faces).toBe("666");
    expect(shortened([], 9)).toEqual([]);
  });
});

describe("typed digits", () => {
  const before: GroupView = { ...tie, due: 1, throws: tie.throws.slice(0, 3) };

  test("are of one throw: nobody else gets them, nor the same guest for the next throw", () => {
    const typed = { turn: turnOf(before), faces: "555" };
    expect(typedFor(typed, turnOf(before))).toBe("555");
    expect(typedFor(typed, turnOf(tie))).toBe("");
    expect(typedFor(typed, turnOf({ ...before, due: 3 }))).toBe(""); // 1 has left
    expect(typedFor(typed, turnOf({ ...before, throws: [...before.throws, thrown(1, "111")] }))).toBe("");
    expect(typedFor(NOTHING_TYPED, turnOf(before))).toBe("");
  });
  test("are a throw where they are so many dice", () => {
    expect(["555", "777", "abc", "55", "5555", ""].map((faces) => isThrow(faces, 3))).toEqual([true, false, false, false, false, false]);
  });
});

describe("the final's winner", () => {
  const event = (stages: Record<string, StageView>, more: Partial<EventState> = {}): EventState =>
    ({ view: { stages } as unknown as EventState["view"], tables: {}, board: {}, guests: {}, ...more }) as EventState;

  test("is called once, with what it was won with", () => {
    const called = calls(event({ 1: stage(tie) }), event({ 1: stage(over) }), 0);
    expect(called).toEqual([{ table: null, stage: 1, guests: [3], combination: null, sum: 6 }]);
    expect(calls(event({ 1: stage(over) }), event({ 1: stage(over) }), 0)).toEqual([]);
    expect(calls(null, event({ 1: stage(over) }), 0)).toEqual([]);
  });
  test("is of the last stage alone: winners of others go on", () => {
    const last = stage({ guests: [], throws: [] });
    expect(calls(event({ 1: stage(tie), 2: last }), event({ 1: stage(over), 2: last }), 0)).toEqual([]);
  });
  test("is called again where a correction makes it somebody else", () => {
    expect(winners(stage(over), stage({ ...over, places: [[1]] }), 1).map((one) => one.guests)).toEqual([[1]]);
  });
  test("of a whole game has the title of its table", () => {
    const game = { guests: [1, 2], throws: [], table: 9 };
    const board = { 9: { left: {}, champion: 1, combination: words("六勃红"), last: -1e9 } };
    const called = calls(event({ 1: stage(game) }, { board }), event({ 1: stage({ ...game, places: [[2]] }) }, { board }), 0);
    expect(called).toEqual([{ table: 9, stage: 1, guests: [2], combination: words("六勃红"), sum: null }]);
  });
});
