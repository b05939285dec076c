/** What a message makes of a table, and what it gives to see. */
import { describe, expect, it } from "vitest";
import { fold, lastAct, plan, ROLL_MS, type TableState } from "../src/lib/live";
import { anew, line, news, view, welcome } from "./samples";

const start = fold(null, welcome({ n: 2 })) as TableState;

describe("fold", () => {
  it("takes everything from a welcome", () => {
    expect(start).toMatchObject({ code: "ABCD2345", n: 2, you: { role: "host" }, lines: [] });
  });

  it("adds the line of a news once", () => {
    const message = news({ n: 3, line: line({ n: 1 }), view: view({ next: 1 }) });
    const once = fold(start, message) as TableState;
    expect(once).toMatchObject({ n: 3, view: { next: 1 } });
    expect(fold(once, message)?.lines).toHaveLength(1);
    expect(lastAct(once)).toBe(1);
  });

  it("does not go back to an older version", () => {
    const later = fold(start, news({ n: 9 })) as TableState;
    expect(fold(later, news({ n: 4, view: view({ next: 2 }) }))).toBe(later);
    expect(fold(later, anew({ n: 4 }))).toBe(later);
  });

  it("puts all lines in the place of the old ones when the history changed", () => {
    const thrown = fold(start, news({ n: 3, line: line({ n: 1 }) })) as TableState;
    const lines = [line({ n: 1, struck: true }), line({ n: 2, act: { undo: 1 }, roll: null })];
    expect(fold(thrown, anew({ n: 4, lines }))?.lines).toEqual(lines);
  });

  it("keeps what it was told of its event over a welcome", () => {
    const told = { t: "at_event", event: "ABCD2345", title: "Moon", table: 3, closed: true } as const;
    const closed = fold(start, told) as TableState;
    expect(closed.event).toEqual(told);
    expect(fold(closed, welcome({ n: 5 }))?.event).toEqual(told);
    expect(start.event).toBeNull();
  });

  it("keeps the rules unless others come", () => {
    expect(fold(start, news({}))?.rules).toBe(start.rules);
    const other = { ...start.rules, key: "porcelain" };
    expect(fold(start, news({ rules: other }))?.rules.key).toBe("porcelain");
  });

  it("says who is there", () => {
    const seen = fold(start, { t: "presence", online: [1] });
    expect(seen?.view.seats.map((seat) => seat.online)).toEqual([false, true, false]);
  });

  it("leaves the table as it is for an answer", () => {
    expect(fold(start, { t: "ack", cmd: "x", n: 5 })).toBe(start);
    expect(fold(null, news({}))).toBeNull();
  });
});

describe("plan", () => {
  it("rolls digital dice before they tell, by the speed of the table", () => {
    const thrown = line({ n: 1, digital: true });
    for (const speed of [0, 1, 2, 3] as const)
      expect(plan(start, news({ line: thrown, view: view({ settings: { speed } }) }))).toEqual({ show: "roll", line: thrown, ms: ROLL_MS[speed] });
  });

  it("tells at once what was typed in", () => {
    expect(plan(start, news({ line: line({ n: 1 }) }))).toMatchObject({ show: "verdict" });
  });

  it("shows nothing anew for what it has seen, and nothing at the first sight of a table", () => {
    const thrown = news({ n: 3, line: line({ n: 1, digital: true }) });
    const after = fold(start, thrown);
    expect(plan(after, thrown)).toEqual({ show: "still" });
    expect(plan(null, welcome({ lines: [line({ digital: true })] }))).toEqual({ show: "still" });
    expect(plan(after, welcome({ n: 3 }))).toEqual({ show: "still" });
  });

  it("shows the taking back", () => {
    const undo = line({ n: 2, act: { undo: 1 }, roll: null });
    expect(plan(start, anew({ lines: [line({ struck: true }), undo] }))).toEqual({ show: "anew", line: undo });
  });
});
