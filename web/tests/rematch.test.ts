import { describe, expect, it } from "vitest";
import { nextTable, playOn } from "../src/lib/rematch";
import type { RulesView, View } from "../src/protocol";

const seat = (name: string, away = false) => ({ name, held: {}, away });
const view = {
  phase: "over",
  seats: [seat("Ming"), seat("Hong", true), seat(""), seat("Tom")],
  order: [3, 0, 1, 2],
  table: {},
  settings: { dice: "real", joining: "closed" },
} satisfies View;
const rules = { choice: { sheet: "S12", house: { cakes: { yixiu: 2 } } } } as unknown as RulesView;

describe("the next game", () => {
  it("has those who stayed, in the order in which they sat at the end", () => {
    expect(playOn(view)).toEqual([3, 0, 2]);
    expect(nextTable(view, rules, "中秋").players).toEqual(["Tom", "Ming", "#3"]);
  });

  it("has its host at the same seat, where the host plays one that goes on", () => {
    const host = (seat: number | null) => nextTable({ ...view, host: seat }, rules, "");
    expect(host(0)).toMatchObject({ host: 1 });
    for (const seat of [1, null]) expect(host(seat)).not.toHaveProperty("host");
  });

  it("has the same rules and dice, and takes everybody in", () => {
    const { rules: choice, settings, title } = nextTable(view, rules, "中秋");
    expect({ choice, settings, title }).toEqual({ choice: rules.choice, settings: { dice: "real", joining: "open" }, title: "中秋" });
  });
});
