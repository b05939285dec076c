/** What a plain undo takes back, and for whom it is there. */
import { describe, expect, it } from "vitest";
import { Queue } from "../src/lib/queue";
import { goesWith, mayUndo, seatAfter, undoable } from "../src/lib/seats";
import { line, view } from "./samples";

const thrown = line({ n: 1 });

describe("a plain undo", () => {
  it.each([{ spill: true }, { cocked: true }, { pass: true }, { rolloff: "111" }])("takes back %o", (act) => {
    expect(undoable([thrown, line({ n: 2, act: { seat: 1, ...act } })])?.n).toBe(2);
  });

  it("takes back a correction, and what was taken back already no more", () => {
    const correction = { correct: 1, act: { seat: 0, roll: "123456" } };
    expect(undoable([thrown, line({ n: 2, act: correction })])?.n).toBe(2);
    expect(undoable([thrown, line({ n: 2, act: correction, struck: true }), line({ n: 3, act: { undo: 2 } })])?.n).toBe(1);
  });

  it.each([{ seat: 0, leave: true }, { seat: 0, back: true }, { swap: [0, 1] }])("passes over %o", (act) => {
    expect(undoable([thrown, line({ n: 2, act })])?.n).toBe(1);
    expect(undoable([line({ n: 1, act })])).toBeUndefined();
  });

  it("reaches behind who came since, and says what goes with it", () => {
    const lines = [thrown, line({ n: 2, act: { join: true } }), line({ n: 3, act: { swap: [0, 1] }, struck: true }), line({ n: 4, act: { undo: 3 } })];
    expect(undoable(lines)?.n).toBe(1);
    expect(mayUndo({ role: "host" }, lines)).toBe(true);
    expect(mayUndo({ role: "seat", seat: 0 }, lines)).toBe(false);
    expect(goesWith(lines, 1).map((one) => one.n)).toEqual([2]);
    expect(goesWith(lines, 4)).toEqual([]);
  });

  it("that brings something back takes along what was done since, corrections too, but for undos of what goes anyway", () => {
    const undone = [thrown, line({ n: 2, struck: true }), line({ n: 3, act: { undo: 2 } })];
    const since = [line({ n: 4 }), line({ n: 5, struck: true }), line({ n: 6, act: { undo: 5 } })];
    const earlier = [line({ n: 7, act: { correct: 1, act: { seat: 0, roll: "123456" } } })];
    expect(goesWith(undone, 3)).toEqual([]);
    expect(goesWith([...undone, ...since, ...earlier], 3).map((one) => one.n)).toEqual([4, 7]);
  });
});

describe("without a connection", () => {
  it("the next throw is of whoever sits next and is there", () => {
    const seats = ["A", "B", "C"].map((name, i) => ({ name, held: {}, away: i === 1 }));
    const at = view({ seats, next: 2 });
    expect([0, 1, 2].map((turns) => seatAfter(at, turns))).toEqual([2, 0, 2]);
  });

  it("what was typed in last can be taken out, until it was sent", () => {
    let ids = 0;
    const queue = new Queue({ load: () => [], save: () => undefined }, () => String(ids++));
    for (const seat of [0, 1]) queue.add({ t: "do", act: { seat, roll: "123456" } });
    queue.next(7);
    expect(queue.withdraw()).toBe(true);
    expect(queue.withdraw()).toBe(false);
    expect(queue.waiting.map((one) => one.cmd)).toEqual(["0"]);
  });
});
