/** What somebody changes of a rule sheet at set-up, and the house rule table that comes of it. The server judges it. */
import type { Words } from "../protocol";

export interface Option {
  readonly value: string | number | boolean;
  readonly words: Words;
}

export interface Setting {
  readonly path: string;
  readonly kind: "choice" | "count" | "list" | "tiers";
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
}

export interface House {
  /** Settings by dotted path, such as `spill.next_turn`. */
  changes: Record<string, unknown>;
  cakes: Record<string, number>;
  prizes: Record<string, Item[]>;
  /** What the cakes should add up to; 0: not said. */
  total: number;
}

export function noHouse(): House {
  return { changes: {}, cakes: {}, prizes: {}, total: 0 };
}

/** The table that is laid on the sheet; nothing but what was changed. */
export function houseTable({ changes, cakes, prizes, total }: House): Record<string, unknown> {
  const table: Record<string, Record<string, unknown> | number> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [section = "", key = ""] = path.split(".");
    table[section] = { ...(table[section] as Record<string, unknown> | undefined), [key]: value };
  }
  if (Object.keys(cakes).length) table.cakes = { ...cakes };
  const named = Object.entries(prizes).map(([tier, items]) => [tier, items.filter((item) => item.name.trim())] as const);
  const filled = named.filter(([, items]) => items.length);
  if (filled.length) table.prizes = Object.fromEntries(filled);
  if (total) table.total = total;
  return table;
}

export function valueAt(settings: Readonly<Record<string, unknown>>, path: string): unknown {
  const [section = "", key = ""] = path.split(".");
  return (settings[section] as Record<string, unknown> | undefined)?.[key];
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

/** Names in what was typed or pasted: by lines, commas, or other marks that part a list. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n\r]+/)
    .map((row) => row.replace(/^\s*\d+\s*[.)、．）]\s*/, "")) // a list may be numbered
    .flatMap((row) => row.split(/[\t,，、;；]+/))
    .map((name) => name.trim())
    .filter(Boolean);
}
