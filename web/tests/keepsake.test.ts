import { expect, it } from "vitest";
import { broken } from "../src/table/keepsake";

it("puts what somebody won into as few lines as it fits into, and breaks no part", () => {
  const fits = (line: string) => line.length <= 20;
  expect(broken(["Straight 1", "Two Fours 2", "One Four 3"], fits)).toEqual(["Straight 1", "Two Fours 2", "One Four 3"]);
  expect(broken(["对堂 1", "二举 2（茶叶）", "一秀 3"], fits)).toEqual(["对堂 1   二举 2（茶叶）", "一秀 3"]);
  expect(broken(["a prize with a very long name 1", "b 1"], fits)).toEqual(["a prize with a very long name 1", "b 1"]);
  expect(broken([], fits)).toEqual(["—"]);
});
