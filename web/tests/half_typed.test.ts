import { expect, test } from "vitest";
import { halfTyped, keepHalfTyped } from "../src/table/half_typed";

test("dice that were half typed in come back for the same throw alone", () => {
  keepHalfTyped("AAAA.2.7.", [4, 4, 1]);
  expect(halfTyped("AAAA.2.7.")).toEqual([4, 4, 1]);
  expect(halfTyped("AAAA.3.8.")).toEqual([]);
  expect(halfTyped("BBBB.2.7.")).toEqual([]);
  keepHalfTyped("AAAA.2.7.", []);
  expect(halfTyped("AAAA.2.7.")).toEqual([]);
});

test("a pad without a throw of its own keeps nothing", () => {
  keepHalfTyped("AAAA.2.7.", [4]);
  keepHalfTyped("", [6]);
  expect(halfTyped("")).toEqual([]);
  expect(halfTyped("AAAA.2.7.")).toEqual([4]);
});
