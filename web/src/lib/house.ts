/** What somebody changes of a rule sheet at set-up, and the house rule table that comes of it. The server judges it. */
import type { Words } from "../protocol";
import { LANGUAGES } from "./texts.svelte";

export interface Option {
  readonly value: string | number | boolean;
  readonly words: Words;
}

export interface Setting {
  readonly path: string;
  readonly kind: "choice" | "count" | "list" | "tiers" | "order";
  readonly low?: number;
  readonly high?: number;
  readonly options?: readonly Option[];
}

/** A point of difference with its settings, as GET /api/settings tells them. */
export interface Point {
  readonly id: string;
  readonly title: Words;
  readonly group: Words;
  readonly settings: readonly Setting[];
}

export interface Item {
  name: string;
  count: number;
  price?: number;
}

export interface House {
  /** Settings by dotted path, such as `spill.next_turn`. */
  changes: Record<string, unknown>;
  cakes: Record<string, number>;
  /** Points of one cake, by tier. */
  points: Record<string, number>;
  /** What tiers are called here, in every language alike. */
  names: Record<string, string>;
  prizes: Record<string, Item[]>;
  /** What the cakes should add up to; 0: not said. */
  total: number;
  /** What a rule file said beside all that, as it stood there. */
  rest: Record<string, unknown>;
}

export function noHouse(): House {
  return { changes: {}, cakes: {}, points: {}, names: {}, prizes: {}, total: 0, rest: {} };
}

type Table = Readonly<Record<string, unknown>>;

/** The table that is laid on the sheet; nothing but what was changed. */
export function houseTable({ changes, cakes, points, names, prizes, total, rest }: House): Record<string, unknown> {
  const table: Record<string, unknown> = { ...rest };
  for (const [path, value] of Object.entries(changes)) {
    const [section = "", key = ""] = path.split(".");
    table[section] = { ...(table[section] as Table | undefined), [key]: value };
  }
  const lay = (section: string, more: Table) => {
    if (Object.keys(more).length) table[section] = { ...(rest[section] as Table | undefined), ...more };
  };
  lay("cakes", cakes);
  lay("points", points);
  lay("tier_names", mapped(filled(names), (name) => Object.fromEntries(LANGUAGES.map((lang) => [lang, name]))));
  const named = mapped(prizes, (items) => items.filter((item) => item.name.trim()).map((item) => ({ ...item, count: item.count || 1 })));
  lay("prizes", Object.fromEntries(Object.entries(named).filter(([, items]) => items.length)));
  if (total) table.total = total;
  return table;
}

/** What a rule file changes, parted as the forms show it; `paths` are the settings that have a form. */
export function houseOf(table: Table, paths: ReadonlySet<string>, cakesOf: (tier: string) => number): House {
  const house = noHouse();
  for (const [section, value] of Object.entries(table)) {
    if (section === "cakes" || section === "points") house[section] = { ...(value as Record<string, number>) };
    else if (section === "total") house.total = Number(value);
    else if (section === "tier_names" && alike(value as Record<string, Words>)) house.names = mapped(value as Record<string, Words>, (words) => words.en ?? "");
    else if (section === "prizes") house.prizes = { ...(value as House["prizes"]) };
    else if (typeof value === "object" && value !== null && Object.keys(value).every((key) => paths.has(`${section}.${key}`)))
      for (const [key, one] of Object.entries(value)) house.changes[`${section}.${key}`] = one;
    else house.rest[section] = value;
  }
  for (const [tier, items] of Object.entries(house.prizes))
    house.prizes[tier] = items.map((item) => ({ ...item, count: item.count ?? house.cakes[tier] ?? cakesOf(tier) }));
  return house;
}

/** Whether every tier has one name in all languages, as the form makes it. */
function alike(names: Readonly<Record<string, Words>>): boolean {
  return Object.values(names).every((words) => LANGUAGES.every((lang) => words[lang] && words[lang] === words.en));
}

/** How many things were changed beside cakes and prizes. */
export function changesIn({ changes, rest }: House): number {
  return Object.keys(changes).length + Object.keys(rest).length;
}

function mapped<A, B>(table: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, make(value)]));
}

function filled(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).flatMap(([key, name]) => (name.trim() ? [[key, name.trim()]] : [])));
}

export function valueAt(settings: Table, path: string): unknown {
  const [section = "", key = ""] = path.split(".");
  return (settings[section] as Table | undefined)?.[key];
}

export const ENDINGS = ["sheet", "turns", "lap", "throws", "minutes"] as const;
export type Ending = (typeof ENDINGS)[number];

/** The settings that an ending stands for; `number` is the throws of each or the minutes. */
export function endingChanges(ending: Ending, number: number): Record<string, unknown> {
  switch (ending) {
    case "turns":
      return { "ending.when": "all-gone", "ending.finish": "equal-turns" };
    case "lap":
      return { "ending.when": "champion", "ending.finish": "extra-lap" };
    case "throws":
      return { "ending.when": "throws", "ending.throws_each": number };
    case "minutes":
      return { "ending.minutes": number, "ending.undecided": "three-dice" };
    default:
      return {};
  }
}

const ENDS = /^ending\./;

/** The ending that these changes make: one of the usual, or `own` where they are put together point by point. */
export function endingOf(changes: Readonly<Record<string, unknown>>): Ending | "own" {
  const made = Object.entries(changes).filter(([path]) => ENDS.test(path));
  const same = (one: Ending) => {
    const meant = endingChanges(one, Number(changes["ending.throws_each"] ?? changes["ending.minutes"]));
    return made.length === Object.keys(meant).length && made.every(([path, value]) => meant[path] === value);
  };
  return ENDINGS.find(same) ?? "own";
}

/** The changes with another ending. */
export function withEnding(changes: Readonly<Record<string, unknown>>, ending: Ending, number: number): Record<string, unknown> {
  const others = Object.entries(changes).filter(([path]) => !ENDS.test(path));
  return { ...Object.fromEntries(others), ...endingChanges(ending, number) };
}

/** An order of equal groups as rows: each entry, and whether it equals the one above. */
export interface Row {
  readonly key: string;
  readonly equal: boolean;
}

export function rowsOf(order: readonly (string | readonly string[])[]): Row[] {
  return order.flatMap((group) => [group].flat().map((key, i) => ({ key, equal: i > 0 })));
}

export function orderOf(rows: readonly Row[]): string[][] {
  const order: string[][] = [];
  for (const { key, equal } of rows) {
    const last = order.at(-1);
    if (equal && last) last.push(key);
    else order.push([key]);
  }
  return order;
}

/** The rows with one of them a place higher; it and the one it passes are equal to none then, nor is what it left below. */
export function raised(rows: readonly Row[], at: number): Row[] {
  const here = rows[at];
  const above = rows[at - 1];
  if (!here || !above) return [...rows];
  const [below, ...rest] = rows.slice(at + 1);
  const left = below ? [{ ...below, equal: below.equal && here.equal && above.equal }] : [];
  return [...rows.slice(0, at - 1), { ...here, equal: false }, { ...above, equal: false }, ...left, ...rest];
}

/** A Chinese name; a single sign is a surname set apart, as in 王　小明. */
const HAN_NAME = /^\p{Script=Han}{2,}$/u;

/** Names in what was typed or pasted: by lines, commas, or other marks that part a list; Chinese ones by spaces too. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n\r]+/)
    .map((row) => row.replace(/^\s*\d+\s*[.)、．）]\s*/, "")) // a list may be numbered
    .flatMap((row) => row.split(/[\t,，、;；]+/))
    .flatMap(apart)
    .filter(Boolean);
}

function apart(part: string): string[] {
  const words = part.trim().split(/\s+/);
  return words.every((word) => HAN_NAME.test(word)) ? words : [part.trim()];
}
