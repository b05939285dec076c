/** The planner: what is asked, as the query of a link, and what the server answers (`/api/plan`). */
import { ask, post } from "./api";
import { isHouse, type Table } from "./houses";
import { numberIn, type Span } from "./spans";
import type { Said } from "./texts.svelte";

export const ENDINGS = ["sheet", "all-gone", "champion", "throws", "time"] as const;
export type Ending = (typeof ENDINGS)[number];

export interface Wish {
  people: number;
  /** 0: as many as are needed. */
  tables: number;
  rules: string;
  /** What is laid on that sheet. */
  house: Table;
  sets: number;
  /** 0: any number. */
  minutes: number;
  seconds: number;
  ending: Ending;
  throwsEach: number;
  threeDice: boolean;
  /** By tier, as typed. */
  prices: Readonly<Record<string, string>>;
  pot: string;
  budget: string;
  currency: string;
}

export const USUAL: Wish = {
  people: 40,
  tables: 0,
  rules: "minnan",
  house: {},
  sets: 1,
  minutes: 60,
  seconds: 12,
  ending: "sheet",
  throwsEach: 6,
  threeDice: false,
  prices: {},
  pot: "",
  budget: "",
  currency: "",
};

/** What is taken here, of the numbers in a wish; the server says the same (`bobing.server.plan_api`). */
export const SPANS = {
  people: { least: 2, most: 100_000 },
  tables: { least: 0, most: 10_000 },
  sets: { least: 1, most: 3 },
  minutes: { least: 0, most: 1440 },
  seconds: { least: 1, most: 600, parts: true },
  throwsEach: { least: 1, most: 60 },
} as const satisfies Partial<Record<keyof Wish, Span>>;
type Counted = keyof typeof SPANS;

/** What an address says that does not count: `said` under `name`; the usual `field` of a wish holds in its place, if any. */
export interface Unread {
  name: string;
  said: string;
  field?: Counted | "ending" | "rules";
}

interface Few {
  median: number;
  p90: number;
  p99: number;
}

/** Whether figures are simulated: `length` where all are, else the tiers of which what is left is; of so many games. */
export interface Doubted {
  simulated: readonly string[];
  games: number;
}

/** Whether how long it takes is simulated, and all else with it. */
export const isSimulated = ({ simulated }: Doubted) => simulated.includes("length");

export interface Alternative extends Doubted {
  code: string;
  values: Readonly<Record<string, unknown>>;
  minutes: Few;
  no_champion: number;
  left: number;
  in_time: number | null;
  /** Standard errors, 0 where it is exact; here and below. */
  errors: { minutes: Few; no_champion: number; left: number; in_time: number };
}

export interface Plan {
  /** The key of the sheet. */
  rules: string;
  names: Said;
  tables: readonly { seats: number; tables: number }[];
  games: number;
  /** What was asked: minutes in all, 0 for any number. */
  minutes_there: number;
  currency: string;
  evening: Doubted & {
    sets: number;
    throws: Few;
    minutes: Few;
    no_champion: number;
    left: Readonly<Record<string, { chance: number; mean: number; mean_error: number }>>;
    waited: Readonly<Record<string, number>>;
    errors: { minutes: Few; no_champion: number; waited: Readonly<Record<string, number>> };
  };
  curve: readonly (readonly [number, number])[];
  /** One table; all of them. */
  done_in_time: number | null;
  all_done_in_time: number | null;
  some_without_champion: number;
  errors: { done_in_time: number; all_done_in_time: number; some_without_champion: number };
  prizes: number;
  shopping: readonly { tier: string; item: string; pieces: number; price: number; cost: number }[];
  bowls: number;
  dice: number;
  cost: { tiers: Readonly<Record<string, number>>; table: number; head: number; all: number };
  pot: Readonly<Record<string, readonly { pieces: number; each: number }[]>>;
  findings: readonly { code: string; values: Readonly<Record<string, number>>; serious: boolean }[];
  alternatives: readonly Alternative[];
  tier_names: Readonly<Record<string, Said>>;
}

/** The query of a wish; what is as usual is left out. */
export function queryOf(wish: Wish): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number, usual: string | number) => {
    if (String(value) !== String(usual)) query.set(name, String(value));
  };
  query.set("people", String(wish.people));
  put("tables", wish.tables, USUAL.tables);
  put("rules", wish.rules, USUAL.rules);
  put("sets", wish.sets, USUAL.sets);
  query.set("minutes", String(wish.minutes));
  put("seconds", wish.seconds, USUAL.seconds);
  put("ending", wish.ending, USUAL.ending);
  if (wish.ending === "throws") query.set("throws_each", String(wish.throwsEach));
  if (wish.threeDice && (wish.ending === "throws" || wish.ending === "time")) query.set("three_dice", "1");
  const prices = Object.entries(wish.prices).filter(([, price]) => price.trim());
  if (prices.length) query.set("prices", prices.map(([tier, price]) => `${tier}:${price.trim()}`).join(","));
  for (const name of ["pot", "budget", "currency"] as const) put(name, wish[name].trim(), "");
  return query.toString();
}

const NAMES: Readonly<Record<string, Counted>> = {
  people: "people",
  tables: "tables",
  sets: "sets",
  minutes: "minutes",
  seconds: "seconds",
  throws_each: "throwsEach",
};
const TEXTS = ["rules", "prices", "pot", "budget", "currency"] as const;

/** The wish of a query, and what of the query does not count. */
export function readWish(search: string, house: Table = {}): { wish: Wish; unread: readonly Unread[] } {
  const unread: Unread[] = [];
  const wish = { ...USUAL, house };
  const query = new Map([...new URLSearchParams(search)].map(([name, said]) => [name, said.trim()] as const).filter(([, said]) => said));
  const ending = query.get("ending");
  const limited = ending === "throws" || ending === "time";
  for (const [name, said] of query) {
    const field = NAMES[name];
    if (field && (field !== "throwsEach" || ending === "throws")) {
      const found = numberIn(said, SPANS[field]);
      if (found === null) unread.push({ name, said, field });
      else wish[field] = found;
    } else if (name === "ending") {
      const found = ENDINGS.find((one) => one === said);
      if (found) wish.ending = found;
      else unread.push({ name, said, field: "ending" });
    } else if (name === "three_dice" && limited && ["0", "1"].includes(said)) {
      wish.threeDice = said === "1";
    } else if (name === "prices") {
      wish.prices = pricesIn(said, (entry) => unread.push({ name, said: entry }));
    } else if (TEXTS.some((one) => one === name)) {
      wish[name as Exclude<(typeof TEXTS)[number], "prices">] = said;
    } else {
      unread.push({ name, said });
    }
  }
  return { wish, unread };
}

/** Prices as they are typed, by tier; `wrong` hears of what is none. */
function pricesIn(said: string, wrong: (entry: string) => void): Readonly<Record<string, string>> {
  const prices: Record<string, string> = {};
  for (const entry of said.split(",").filter(Boolean)) {
    const [tier, price, ...more] = entry.split(":");
    if (tier && price && !more.length) prices[tier] = price;
    else wrong(entry);
  }
  return prices;
}

/** What comes of a wish; `signal` gives up waiting. */
export function loadPlan(wish: Wish, signal?: AbortSignal): Promise<Plan> {
  const path = `/plan?${queryOf(wish)}`;
  const given = signal ? { signal } : {};
  return isHouse(wish.house) ? post<Plan>(path, { sheet: wish.rules, house: wish.house }, undefined, given) : ask<Plan>(path, given);
}
