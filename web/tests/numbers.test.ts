/** Chances as they are read. */
import { expect, it } from "vitest";
import { once } from "../src/lib/numbers";

it.each([
  [46_656, /^46.?656$/],
  [46_656 / 35, /^1.?333$/],
  [46_656 / 300, /^156$/],
  [46_656 / 17_000, /^2.74$/],
])("once in %d is rounded to no coarser than one", (inSo, told) => expect(once(inSo)).toMatch(told));
