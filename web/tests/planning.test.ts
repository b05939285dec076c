import { describe, expect, it } from "vitest";
import { queryOf, USUAL, wishOf, type Wish } from "$lib/planning";
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
  it.each([USUAL, PARTY, { ...PARTY, ending: "time" as const, throwsEach: 6 }])("there and back", (wish) => {
    expect(wishOf(`?${queryOf(wish)}`)).toEqual(wish);
  });

  it("leaves out what is as usual", () => {
    expect(queryOf(USUAL)).toBe("people=40&minutes=60");
  });

  it("reads nonsense as usual", () => {
    expect(wishOf("?people=-3&minutes=x&ending=never&prices=,a,b:")).toEqual(USUAL);
  });

  it("stands at /plan", () => {
    expect(routeOf("/plan")).toEqual({ page: "plan" });
    expect(pathOf({ page: "plan" })).toBe("/plan");
    expect(routeOf("/plan/more").page).toBe("lost");
  });
});
