/** What the hall screen of an event turns over. Pure. */
import type { BoardRow, EventTableView } from "../../event_protocol";
import { winners } from "../final";
import { inOrder, type EventState } from "../state";

export type TableOn = EventTableView & { readonly number: number; readonly row: BoardRow | undefined };

/** Cards on a page: four in a row, three rows. */
export const CARDS = 12;
/** Lists of seats on a page, side by side. */
export const LISTS = 5;

/** The tables that are shown: those of the session that plays; before any has begun, all that have guests. */
export function tablesOn(state: EventState): TableOn[] {
  const all = inOrder(state.tables).filter((table) => table.merged == null && table.seats.length > 0);
  return all.map((table) => ({ ...table, row: state.board[table.number] }));
}

/** Whether people still look for their seats: nobody has begun. */
export function seeking(tables: readonly TableOn[]): boolean {
  return tables.length > 0 && tables.every((table) => table.status === "waiting");
}

export interface SeatList {
  readonly table: TableOn;
  /** Of how many lists of this table this is which, from 1. */
  readonly part: number;
  readonly parts: number;
  readonly seats: readonly number[];
}

/** So many lines of names stand below each other. */
export const LINES = 14;
/** Words are made smaller to fit, down to this, and broken beyond. */
const LEAST = 0.7;
/** The width of a list of seats, in em. */
const WIDE = 6.8;

/** The lists of seats: a table with more names than a column holds has several, of even length. */
export function seatLists(tables: readonly TableOn[], name: (guest: number) => string): SeatList[] {
  return tables.flatMap((table) => {
    let lists: number[][];
    for (let parts = 1; ; parts++) {
      lists = paged(table.seats, Math.ceil(table.seats.length / parts));
      if (lists.every((seats) => linesOf(seats.map(name)) <= LINES) || parts >= table.seats.length) break;
    }
    return lists.map((seats, i) => ({ table, part: i + 1, parts: lists.length, seats }));
  });
}

/** How many lines names take in a list of seats, where long ones are broken between words, and long words are smaller. */
export function linesOf(names: readonly string[]): number {
  return names.reduce((all, name) => all + brokenInto(name), 0);
}

function brokenInto(name: string): number {
  let lines = 1;
  let at = 0;
  for (const word of name.split(/\s+/)) {
    const width = widthOf(word);
    if (at && at + 0.3 + width > WIDE) {
      lines++;
      at = 0;
    }
    at += (at ? 0.3 : 0) + width;
    lines += Math.max(0, Math.ceil((width * LEAST) / WIDE) - 1);
  }
  return lines;
}

/** How so many cards share the screen, and how much larger they are than twelve: few tables are told large. */
export function grid(cards: number): { columns: number; rows: number; scale: number } {
  const columns = Math.min(4, Math.max(1, cards <= 3 ? cards : cards === 4 ? 2 : cards <= 9 ? 3 : 4));
  const rows = Math.max(1, Math.ceil(cards / columns));
  return { columns, rows, scale: Math.min(4 / columns, 3 / rows, 2) };
}

/** Things in pages of so many, the last one shorter. */
export function paged<T>(things: readonly T[], size: number): T[][] {
  const pages: T[][] = [];
  for (let at = 0; at < things.length; at += size) pages.push(things.slice(at, at + size));
  return pages;
}

/** What the whole screen shows for a while: who became champion of a table, or won the final. */
export interface Call {
  /** The table; null for the final, unless it is a whole game. */
  readonly table: number | null;
  /** The stage that was won; 0 for the title of a table. */
  readonly stage: number;
  readonly guests: readonly number[];
  /** With what, in words or as a sum. */
  readonly combination: Readonly<Record<string, string>> | null;
  readonly sum: number | null;
}

const NEWS_MS = 60_000;

/** Who became champion between two states, at `at` by the server. What is old at a table is no news. */
export function calls(before: EventState | null, after: EventState, at: number): Call[] {
  if (!before) return [];
  const made: Call[] = [];
  for (const [number, row] of Object.entries(after.board)) {
    const was = before.board[number];
    const guest = row.champion == null ? undefined : after.tables[number]?.seats[row.champion];
    if (guest === undefined || !row.combination || at - (row.last ?? 0) > NEWS_MS) continue;
    if (was?.champion === row.champion && was?.combination?.en === row.combination.en) continue;
    made.push({ table: Number(number), stage: 0, guests: [guest], combination: row.combination, sum: null });
  }
  return [...made, ...finalCalls(before, after)];
}

function finalCalls(before: EventState, after: EventState): Call[] {
  const last = Math.max(0, ...Object.keys(after.view.stages).map(Number));
  const stage = after.view.stages[last];
  return winners(before.view.stages[last], stage, last).map(({ guests, thrown, table }) => {
    const combination = table === undefined ? stage?.hands?.[thrown?.hand ?? ""] : after.board[table]?.combination;
    return { table: table ?? null, stage: last, guests, combination: combination ?? null, sum: thrown?.sum ?? null };
  });
}

/** How many prizes are left at a table, and how many there were. */
export function left(row: BoardRow): number {
  return Object.values(row.left).reduce((all, count) => all + count, 0);
}

/** The size of a name in a column so wide, in em: signs of Chinese are about twice as wide as letters. */
export function fitting(name: string, most: number, wide: number, least: number): number {
  return Math.min(most, Math.max(least, wide / widthOf(name)));
}

/** The size of a name that may be broken between its words: the longest one still fits. */
export function broken(name: string, most: number, wide: number): number {
  return Math.max(LEAST, Math.min(most, ...wordsOf(name).map((word) => wide / widthOf(word))));
}

/** The parts between which a name may be broken: a Chinese sign is one. */
function wordsOf(name: string): string[] {
  return name.split(/\s+|(?<=[-\u2e80-\uffff])/).filter(Boolean);
}

/** The size of a name that has two lines of a column so wide. */
export function onTwoLines(name: string, most: number, wide: number): number {
  return Math.max(LEAST, Math.min(broken(name, most, wide), (1.7 * wide) / widthOf(name)));
}

/** The size of a text that fills a field so wide and so high, in em; some room is left for where its lines break. */
export function filling(text: string, most: number, wide: number, high: number): number {
  return Math.min(most, 0.85 * Math.sqrt((wide * high) / (1.2 * widthOf(text))));
}

/** How the finalists of a page share the screen: four or fewer have two lines each, three or fewer are told larger. */
export function finalRows(finalists: number): { rows: number; scale: number; roomy: boolean } {
  const roomy = finalists <= 4;
  return { rows: roomy ? Math.max(3, finalists) : 8, scale: finalists <= 3 ? 1.35 : 1, roomy };
}

/** About how wide a name is, in em. */
function widthOf(name: string): number {
  return [...name].reduce((all, sign) => all + (sign > "\u2e80" ? 1 : 0.62), 0);
}
