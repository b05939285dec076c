/** Rule sheets as the server tells them (`bobing.server.sheets_api`), kept for when it cannot be reached. */
import type { RulesChoice } from "../protocol";
import { ask, post, Unreachable } from "./api";
import type { Point as Known } from "./house";
import { isHouse } from "./houses";
import { recall, remember } from "./store";
import type { Said } from "./texts.svelte";

export interface SheetBrief {
  key: string;
  aliases: string[];
  names: Said;
  source: string;
  default: boolean;
  cakes: number;
  seats: { min: number; usual: number };
  /** On how many points it differs from the default sheet. */
  differs: number;
}

export interface Tier {
  key: string;
  names: Said;
  /** What the sheet itself prints for it. */
  own: string[];
  cakes: number;
  points: number;
  titles: Said[];
  /** Pictures of what wins it: faces, with x for any. */
  dice: string[];
  /** How many of the 46,656 throws win it. */
  throws: number;
  items: { name: string; count: number; price: number }[];
}

export interface Form {
  key: string;
  names: Said;
  own: string[];
  dice: string;
  throws: number;
  /** What decides between two of the same kind. */
  ties: Said | null;
  /** What else it does. */
  effects: Said[];
}

export interface Point {
  id: string;
  group: string;
  title: Said;
  value: Readonly<Record<keyof Said, string[]>>;
  origin: { kind: "stated" | "resolved" | "decided" | "practice" | "default" | "house"; where: string; words: Said };
  differs: boolean;
}

export interface Sheet extends SheetBrief {
  extends: string;
  tiers: Tier[];
  /** Champion throws, high to low; those in one group are equal. */
  ranks: Form[][];
  unranked: Form[];
  nothing: number;
  groups: { id: string; title: Said }[];
  points: Point[];
  /** All settings, in the form of a rule file. */
  settings: Record<string, unknown>;
}

export interface Scored {
  roll: string;
  combination: string;
  awards: { tier: string; cakes: number; bonus: boolean }[];
  lines: Readonly<Record<keyof Said, string[]>>;
}

export const DEFAULT_SHEET = "minnan";
export const THROWS = 6 ** 6;
const asked = new Map<string, Promise<unknown>>();

export const loadSheets = () => kept<SheetBrief[]>("/sheets");
export const loadSheet = (key: string) => kept<Sheet>(`/sheets/${encodeURIComponent(key)}`);
/** Rules as they stand, with what is changed of a sheet. */
export const loadRules = ({ sheet, house }: RulesChoice) =>
  isHouse(house ?? {}) ? post<Sheet>("/rules/sheet", { sheet, house }) : loadSheet(sheet ?? DEFAULT_SHEET);

/** A sheet, and the default one beside it where it is another. */
export async function loadBoth(key: string): Promise<{ sheet: Sheet; beside: Sheet | undefined }> {
  const [sheet, beside] = await Promise.all([loadSheet(key), loadSheet(DEFAULT_SHEET)]);
  return { sheet, beside: sheet.key === beside.key ? undefined : beside };
}

/** What can be set at all, point by point. */
export const loadSettings = () => kept<Known[]>("/settings");

/** Reads what the pages need that can be read without the server, so that it is there. */
export async function keepSheets(): Promise<void> {
  await Promise.allSettled([loadSheets(), loadSheet(DEFAULT_SHEET), loadSettings()]);
}

export const scoreRoll = (roll: string, key: string) =>
  ask<Scored>(`/score?roll=${roll}&rules=${encodeURIComponent(key)}`);

/** Asked once; where the server is out of reach, what it said last time. */
function kept<T>(path: string): Promise<T> {
  const running = asked.get(path) as Promise<T> | undefined;
  if (running) return running;
  const asking = fetchOrRecall<T>(path);
  asked.set(path, asking);
  asking.catch(() => asked.delete(path));
  return asking;
}

async function fetchOrRecall<T>(path: string): Promise<T> {
  try {
    const fresh = await ask<T>(path);
    remember(`kept${path}`, fresh);
    return fresh;
  } catch (error) {
    const old = error instanceof Unreachable ? recall<T | null>(`kept${path}`, null) : null;
    if (old === null) throw error;
    setTimeout(() => asked.delete(path)); // asked anew next time
    return old;
  }
}

/** The points on which two sheets say different things, by id. */
export function differing(left: Sheet, right: Sheet): Set<string> {
  const others = new Map(right.points.map((point) => [point.id, point]));
  const same = (point: Point) => others.get(point.id)?.value.en.join("\n") === point.value.en.join("\n");
  return new Set(left.points.filter((point) => !same(point)).map((point) => point.id));
}
