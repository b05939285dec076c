/** Chances as they are read. */
import { expect, it } from "vitest";
import { chance, give, mean, money, once } from "../src/lib/numbers";

it.each([
  [46_656, /^46.?656$/],
  [46_656 / 35, /^1.?333$/],
  [46_656 / 300, /^156$/],
  [46_656 / 17_000, /^2.74$/],
])("once in %d is rounded to no coarser than one", (inSo, told) => expect(once(inSo)).toMatch(told));

it.each([
  [549_900, "CNY", "5,499.00 CNY"],
  [990, "", "9.90"],
  [59_000_00, "元", "59,000.00 元"],
])("%d hundredths of %s are written as bobing.amounts writes them", (hundredths, currency, told) => expect(money(hundredths, currency)).toBe(told));

it("what is next to nothing is not nothing, and what is next to sure not sure", () => {
  expect([0, 1e-12, 0.04, 0.05, 21.34].map(mean)).toEqual(["0", "< 0.1", "< 0.1", "0.1", "21.3"]);
  expect([0, 1e-12, 0.9999, 1].map(chance)).toEqual(["0%", "< 0.1%", "> 99.9%", "100%"]);
});

it("a standard error is told to one or two figures, of a chance in percent", () => {
  expect([give(0.0012, "percent"), give(0.0012), give(1.234)]).toEqual(["±\u00a00.1%", "±\u00a00.001", "±\u00a01.2"]);
});
