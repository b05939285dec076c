/** The planner: what is asked, as the query of a link, and what the server answers (`/api/plan`). */
import { ask, post } from "./api";
import { isHouse, type Table } from "./houses";
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

interface Few {
  median: number;
  p90: number;
  p99: number;
}

export interface Alternative {
  code: string;
  values: Readonly<Record<string, unknown>>;
  minutes: Few;
  no_champion: number;
  left: number;
  in_time: number | null;
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
  evening: {
    exact: boolean;
    throws: Few;
    minutes: Few;
    no_champion: number;
    left: Readonly<Record<string, { chance: number; mean: number }>>;
    waited: Readonly<Record<string, number>>;
    /** `length` where all of this is, else the tiers of which what is left is. */
    simulated: readonly string[];
  };
  curve: readonly (readonly [number, number])[];
  /** One table; all of them. */
  done_in_time: number | null;
  all_done_in_time: number | null;
  some_without_champion: number;
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

/** The wish of a query; what it lacks or gets wrong is as usual. */
export function wishOf(search: string, house: Table = {}): Wish {
  const query = new URLSearchParams(search);
  const number = (name: string, usual: number) => {
    const value = Number(query.get(name) ?? usual);
    return Number.isFinite(value) && value >= 0 ? value : usual;
  };
  const prices = (query.get("prices") ?? "").split(",").filter(Boolean);
  return {
    people: number("people", USUAL.people),
    tables: number("tables", USUAL.tables),
    rules: query.get("rules") ?? USUAL.rules,
    house,
    sets: number("sets", USUAL.sets),
    minutes: number("minutes", USUAL.minutes),
    seconds: number("seconds", USUAL.seconds),
    ending: ENDINGS.find((one) => one === query.get("ending")) ?? USUAL.ending,
    throwsEach: number("throws_each", USUAL.throwsEach),
    threeDice: query.get("three_dice") === "1",
    prices: Object.fromEntries(prices.map((entry) => entry.split(":", 2) as [string, string]).filter(([, price]) => price)),
    pot: query.get("pot") ?? "",
    budget: query.get("budget") ?? "",
    currency: query.get("currency") ?? "",
  };
}

/** What comes of a wish; `signal` gives up waiting. */
export function loadPlan(wish: Wish, signal?: AbortSignal): Promise<Plan> {
  const path = `/plan?${queryOf(wish)}`;
  const given = signal ? { signal } : {};
  return isHouse(wish.house) ? post<Plan>(path, { sheet: wish.rules, house: wish.house }, undefined, given) : ask<Plan>(path, given);
}
