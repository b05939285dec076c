/** What a plain undo takes back, and for whom it is there. */
import { describe, expect, it } from "vitest";
import { mayUndo, undoable } from "../src/lib/seats";
import { line } from "./samples";

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

  it("takes nobody's seat away", () => {
    const lines = [thrown, line({ n: 2, act: { join: true } })];
    expect(undoable(lines)).toBeUndefined();
    expect(mayUndo({ role: "host" }, lines)).toBe(false);
    expect(undoable([...lines, line({ n: 3, act: { seat: 1, roll: "112233" } })])?.n).toBe(3);
  });
});
