/** Messages as the server sends them, with what a test needs changed. */
import type { Anew, Line, News, View, Welcome } from "../src/protocol";

export function view(more: Partial<View>): View {
  const seats = ["A", "B", "C"].map((name) => ({ name, held: {} }));
  return { phase: "play", seats, order: [0, 1, 2], table: { yixiu: 32 }, settings: {}, next: 0, ...more };
}

export function line(more: Partial<Line>): Line {
  const act = more.act ?? { seat: 0, roll: "123455" };
  const seat = (act.seat ?? null) as number | null;
  return { n: 1, act, words: { en: ["⟦0⟧ throws"] }, at: 5, seat, roll: "123455", ...more };
}

export function welcome(more: Partial<Welcome>): Welcome {
  const rules = { key: "minnan", names: {}, digest: "", tiers: [], combinations: {}, seats_min: 2, direction: "" };
  return { t: "welcome", code: "ABCD2345", n: 1, you: { role: "host" }, title: "", rules, view: view({}), lines: [], now: 1_000_500, ...more };
}

export function news(more: Partial<News>): News {
  return { t: "news", n: 2, view: view({}), ...more };
}

export function anew(more: Partial<Anew>): Anew {
  return { t: "anew", n: 3, view: view({}), lines: [], ...more };
}
