/** House changes as a rule table, names out of a pasted list, names in sentences. */
import { describe, expect, it } from "vitest";
import { endingChanges, houseTable, namesIn, noHouse } from "../src/lib/house";
import { parts, plain } from "../src/lib/words";

describe("a house table", () => {
  it("is empty where nothing was changed", () => {
    expect(houseTable(noHouse())).toEqual({});
  });

  it("holds each change in its section, cakes, named prizes and the total", () => {
    const house = {
      changes: { "spill.next_turn": "played", "ending.when": "throws", "ending.throws_each": 9 },
      cakes: { yixiu: 20 },
      prizes: { sijin: [{ name: "towel", count: 5 }, { name: " ", count: 3 }], erju: [{ name: "", count: 1 }] },
      total: 51,
    };
    expect(houseTable(house)).toEqual({
      spill: { next_turn: "played" },
      ending: { when: "throws", throws_each: 9 },
      cakes: { yixiu: 20 },
      prizes: { sijin: [{ name: "towel", count: 5 }] },
      total: 51,
    });
  });

  it("knows what the endings stand for", () => {
    expect(endingChanges("sheet", 3)).toEqual({});
    expect(endingChanges("throws", 3)).toMatchObject({ "ending.throws_each": 3 });
  });
});

it("reads names from lists as people have them", () => {
  expect(namesIn("阿明，小红、Tom\n1. Siew Ling;  \n2、大伟")).toEqual(["阿明", "小红", "Tom", "Siew Ling", "大伟"]);
});

describe("a sentence of the server", () => {
  it("comes apart at the names", () => {
    expect(parts("⟦0⟧的四红胜过⟦12⟧")).toEqual([0, "的四红胜过", 12]);
    expect(parts("no name")).toEqual(["no name"]);
  });

  it("gets its names isolated", () => {
    expect(plain("⟦1⟧ throws", () => "שרה")).toBe("\u2068שרה\u2069 throws");
  });
});
