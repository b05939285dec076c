/** Chances as they are read. */
import { expect, it } from "vitest";
import { money, once } from "../src/lib/numbers";

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
