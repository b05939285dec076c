import { expect, test } from "vitest";
import { facesOf, pipsOf } from "../src/lib/pips";

test.each([1, 2, 3, 4, 5, 6])("a face has as many pips as it says: %i", (face) => {
  const pips = pipsOf(face);
  expect(new Set(pips.map(String)).size).toBe(face);
  for (const [x, y] of pips) expect(Math.min(x, y) > 20 && Math.max(x, y) < 80).toBe(true);
});

test("a pattern has dice that may show anything", () => {
  expect(facesOf("44xxxx")).toEqual([4, 4, 0, 0, 0, 0]);
});
