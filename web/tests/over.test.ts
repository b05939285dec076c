import { expect, it } from "vitest";
import { changeFirst, changesFirst, startOver, startsOver } from "../src/table/over";

it("starts over once, at the table that was ended for it and no later one", () => {
  startOver("AAAA", 1000);
  expect(startsOver("AAAA", 2000)).toBe(true);
  expect(startsOver("AAAA", 2000)).toBe(false);
  startOver("AAAA", 1000);
  expect(startsOver("BBBB", 2000)).toBe(false);
  startOver("AAAA", 1000);
  expect(startsOver("AAAA", 60_000)).toBe(false);
});

it("changes the rules of the next table first, once", () => {
  changeFirst("CCCC");
  expect([changesFirst("DDDD"), changesFirst("CCCC"), changesFirst("CCCC")]).toEqual([false, true, false]);
});
