/** House changes as a rule table, names out of a pasted list, names in sentences. */
import { describe, expect, it } from "vitest";
import { changesIn, endingOf, ENDINGS, houseOf, houseTable, namesIn, noHouse, orderOf, raised, rowsOf, withEnding } from "../src/lib/house";
import { parts, plain } from "../src/lib/words";

describe("a house table", () => {
  it("is empty where nothing was changed", () => {
    expect(houseTable(noHouse())).toEqual({});
  });

  it("holds each change in its section, cakes, named prizes and the total", () => {
    const house = {
      ...noHouse(),
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

  it("is parted as the forms show it and put together again as it was", () => {
    const table = {
      names: { en: "Ours" },
      ranks: { order: [["sihong"], ["wuzi"]] },
      wins: { triple: ["111xxx"] },
      cakes: { triple: 10 },
      points: { yixiu: 2 },
      prizes: { erju: [{ name: "soap", count: 4, price: 350 }] },
      customs: { hat: true },
      total: 70,
    };
    const house = houseOf(table, new Set(["ranks.order"]), () => 1);
    expect(house.changes).toEqual({ "ranks.order": [["sihong"], ["wuzi"]] });
    expect(Object.keys(house.rest)).toEqual(["names", "wins", "customs"]);
    expect(houseTable(house)).toEqual(table);
    expect(changesIn(house)).toBe(4);
  });

  it("gives a prize of a file the number of its tier where it has none", () => {
    const prizes = { erju: [{ name: "soap" }], yixiu: [{ name: "towel" }] };
    const house = houseOf({ prizes, cakes: { erju: 5 } }, new Set(), () => 32);
    expect(house.prizes).toEqual({ erju: [{ name: "soap", count: 5 }], yixiu: [{ name: "towel", count: 32 }] });
  });

  it("takes a tier's one name into the form, and leaves names that differ by language as they are", () => {
    const named = (en: string, zh = en) => ({ tier_names: { yixiu: { "zh-Hans": zh, "zh-Hant": zh, en } } });
    expect(houseOf(named("Pear"), new Set(), () => 1)).toMatchObject({ names: { yixiu: "Pear" }, rest: {} });
    for (const table of [named("Pear"), named("Pear", "梨")]) expect(houseTable(houseOf(table, new Set(), () => 1))).toEqual(table);
    expect(houseOf(named("Pear", "梨"), new Set(), () => 1).names).toEqual({});
  });

  it("calls a tier the same in every language", () => {
    const house = { ...noHouse(), names: { yixiu: " 参与奖 ", erju: "  " } };
    expect(houseTable(house)).toEqual({ tier_names: { yixiu: { "zh-Hans": "参与奖", "zh-Hant": "参与奖", en: "参与奖" } } });
  });
});

describe("an ending", () => {
  it("is told by the changes it makes, and takes the place of another", () => {
    const changes = { "spill.next_turn": "lost", "ending.when": "champion" };
    expect(endingOf(changes)).toBe("own");
    for (const one of ENDINGS) {
      const made = withEnding(changes, one, 7);
      expect(endingOf(made)).toBe(one);
      expect(made["spill.next_turn"]).toBe("lost");
      expect(endingOf({ ...made, "ending.without_champion": "stop" })).toBe("own");
    }
  });
});

describe("an order with equals", () => {
  const rows = rowsOf([["a"], ["b", "c"], ["d"]]);

  it("is rows and back", () => {
    expect(rows.map((row) => row.equal)).toEqual([false, false, true, false]);
    expect(orderOf(rows)).toEqual([["a"], ["b", "c"], ["d"]]);
  });

  it("has one raised by a place, alone", () => {
    expect(orderOf(raised(rows, 2))).toEqual([["a"], ["c"], ["b"], ["d"]]);
    expect(orderOf(raised(rows, 1))).toEqual([["b"], ["a"], ["c"], ["d"]]);
    expect(orderOf(raised(rows, 0))).toEqual(orderOf(rows));
  });
});

it("reads names from lists as people have them", () => {
  expect(namesIn("阿明，小红、Tom\n1. Siew Ling;  \n2、大伟")).toEqual(["阿明", "小红", "Tom", "Siew Ling", "大伟"]);
  expect(namesIn("阿公 阿嬷　大姨, 王　小明, Tom Lee")).toEqual(["阿公", "阿嬷", "大姨", "王　小明", "Tom Lee"]);
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
