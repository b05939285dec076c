import { describe, expect, test } from "vitest";
import { flickOf, shakenFlick } from "../src/lib/flick";
import { placeOf, toldOf } from "../src/lib/told";
import { line, view } from "./samples";

/** A finger that moves evenly for so many milliseconds. */
const way = (dx: number, dy: number, ms: number) => Array.from({ length: 9 }, (_, i) => ({ x: (dx * i) / 8, y: (dy * i) / 8, at: (ms * i) / 8 }));

describe("a flick", () => {
  test("throws where it points", () => {
    expect(flickOf(way(0, -150, 100))?.aim).toBe(0);
    expect(flickOf(way(120, -120, 100))?.aim).toBe(45);
    expect(flickOf(way(-120, -120, 100))?.aim).toBe(-45);
    expect(flickOf(way(120, 120, 100))?.aim).toBe(45);
    expect(flickOf(way(150, 0, 100))?.aim).toBe(90);
  });

  test("throws the harder the faster it is, from 0 to 100", () => {
    const strengths = [40, 100, 200, 290, 900].map((far) => flickOf(way(0, -far, 100))?.strength ?? -1);
    expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
    expect(strengths[0]).toBeLessThan(10);
    expect(strengths.at(-1)).toBe(100);
  });

  test("is none when slow, short, or when the finger stopped first", () => {
    expect(flickOf(way(0, -20, 200))).toBeNull();
    expect(flickOf(way(0, -8, 10))).toBeNull();
    expect(flickOf([...way(0, -200, 100), { x: 0, y: -200, at: 300 }, { x: 0, y: -200, at: 400 }])).toBeNull();
    expect(flickOf([])).toBeNull();
  });

  test("after shaking is the harder the longer it was shaken", () => {
    expect(shakenFlick(0)).toEqual({ strength: 25, aim: 0 });
    expect(shakenFlick(800).strength).toBeGreaterThan(40);
    expect(shakenFlick(99_999).strength).toBe(100);
  });
});

describe("what the bowl is told", () => {
  const four = view({ seats: Array.from({ length: 4 }, (_, i) => ({ name: `${i}`, held: {}, device: i !== 3 })), order: [0, 2, 1, 3] });
  const thrown = line({ n: 5, act: { seat: 2, roll: "444411" }, seat: 2, roll: "444411", digital: true, strength: 80, aim: 30 });

  test("seats sit round the table in the order of play", () => {
    expect([0, 2, 1, 3].map((seat) => Math.round((placeOf(four, seat, "anticlockwise") * 180) / Math.PI))).toEqual([0, 90, 180, 270]);
    expect(placeOf(four, 2, "clockwise")).toBeCloseTo(-Math.PI / 2);
  });

  test("everybody is told the same throw, from their own side", () => {
    const from = (you: Parameters<typeof toldOf>[3]) => toldOf("ABCD2345", thrown, four, you, "anticlockwise")!;
    const degrees = (you: Parameters<typeof toldOf>[3]) => Math.round((from(you).side * 180) / Math.PI);
    expect(degrees({ role: "seat", seat: 2 })).toBe(-30);
    expect(degrees({ role: "seat", seat: 0 })).toBe(60);
    expect(degrees({ role: "watch" })).toBe(60);
    expect(degrees({ role: "seat", seat: 1 })).toBe(-120);
    const { side: _, ...mine } = from({ role: "seat", seat: 2 });
    const { side: __, ...theirs } = from({ role: "watch" });
    expect(mine).toEqual(theirs);
    expect(mine.faces).toEqual([4, 4, 4, 4, 1, 1]);
    expect([mine.n, mine.strength, mine.spill]).toEqual([5, 80, false]);
  });

  test("a player without a device throws from the side of the host, who holds it", () => {
    const of = { ...thrown, seat: 3, act: { seat: 3, roll: "444411" }, aim: 0 };
    expect(toldOf("ABCD2345", of, four, { role: "host", seat: 0 }, "anticlockwise")!.side).toBe(0);
  });

  test("the motion hangs on table and act, not on the dice; without dice there is nothing to show", () => {
    const you = { role: "watch" } as const;
    const seed = (code: string, n: number, roll: string) => toldOf(code, { ...thrown, n, roll }, four, you, "anticlockwise")!.seed;
    expect(seed("ABCD2345", 5, "444411")).toBe(seed("ABCD2345", 5, "123456"));
    expect(seed("ABCD2345", 6, "444411")).not.toBe(seed("ABCD2345", 5, "444411"));
    expect(seed("WXYZ2345", 5, "444411")).not.toBe(seed("ABCD2345", 5, "444411"));
    expect(toldOf("ABCD2345", line({ n: 5, act: { seat: 1, pass: true }, roll: null }), four, you, "anticlockwise")).toBeNull();
    const spilled = { ...thrown, act: { seat: 2, spill: true, roll: "444411" } };
    expect(toldOf("ABCD2345", spilled, four, you, "anticlockwise")!.spill).toBe(true);
  });
});
