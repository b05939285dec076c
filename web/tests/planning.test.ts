import { describe, expect, it } from "vitest";
import { queryOf, readWish, USUAL, type Wish } from "$lib/planning";
import { pathOf, routeOf } from "$lib/routes";

const PARTY: Wish = {
  ...USUAL,
  people: 100,
  tables: 9,
  rules: "S12",
  sets: 2,
  minutes: 0,
  seconds: 8,
  ending: "throws",
  throwsEach: 12,
  threeDice: true,
  prices: { zhuangyuan: "299.50", yixiu: "3" },
  pot: "5000",
  budget: "60",
  currency: "CNY",
};

describe("a link holds the wish", () => {
  it.each([USUAL, PARTY, { ...PARTY, ending: "time" as const, throwsEach: 6 }, { ...PARTY, seconds: 7.5 }])("there and back", (wish) => {
    expect(readWish(`?${queryOf(wish)}`)).toEqual({ wish, unread: [] });
  });

  it("leaves out what is as usual", () => {
    expect(queryOf(USUAL)).toBe("people=40&minutes=60");
  });

  it("reads full-width digits, and what is empty as usual", () => {
    expect(readWish("?people=２０&minutes=&tables=+3+")).toEqual({ wish: { ...USUAL, people: 20, tables: 3 }, unread: [] });
  });

  it.each(["NaN", "-3", "1", "1e9", "0x10", "40.5", "100001", "999999999999", "forty", "²"])("people=%s is told and the usual number taken", (said) => {
    expect(readWish(`?people=${encodeURIComponent(said)}`)).toEqual({ wish: USUAL, unread: [{ name: "people", said, field: "people" }] });
  });

  it("tells whatever else does not count", () => {
    const { wish, unread } = readWish("?minutes=1e9&ending=never&sets=4&prices=,a,b:,yixiu:3&three_dice=1&throws_each=5&peopel=7");
    expect(wish).toEqual({ ...USUAL, prices: { yixiu: "3" } });
    expect(unread).toEqual([
      { name: "minutes", said: "1e9", field: "minutes" },
      { name: "ending", said: "never", field: "ending" },
      { name: "sets", said: "4", field: "sets" },
      { name: "prices", said: "a" },
      { name: "prices", said: "b:" },
      { name: "three_dice", said: "1" },
      { name: "throws_each", said: "5" },
      { name: "peopel", said: "7" },
    ]);
  });

  it("stands at /plan", () => {
    expect(routeOf("/plan")).toEqual({ page: "plan" });
    expect(pathOf({ page: "plan" })).toBe("/plan");
    expect(routeOf("/plan/more").page).toBe("lost");
  });
});
