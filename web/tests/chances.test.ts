import { expect, test } from "vitest";
import { nobody } from "$lib/chances";

test("where nobody may be champion at the end, the seats leave that chance over", () => {
  expect(nobody({ champion: [0.2, 0.1, 0.1] })).toBeCloseTo(0.6);
  expect(nobody({ champion: [0.3, 0.3, 0.4 - 1e-12] })).toBe(0);
});
