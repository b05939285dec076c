/**
 * The secret end of this phone's chain for a seat, kept twice: browsers clear one store and leave the other. It is made
 * here and never leaves here; what it is for goes out link by link, each with the throw it belongs to.
 */
import { recall, remember } from "$lib/store";
import { hex, unhex, type Bytes } from "./bytes";
import { chain } from "./derive";

/** Which chain: of which attempt at a game, for which seat (from 1), how many throws long; how many came before it. */
export interface Which {
  readonly game: string;
  readonly seat: number;
  readonly throws: number;
  readonly lost?: number;
}

export interface Store {
  get(key: string): Promise<string | null>;
  /** Puts what becomes of what is kept, with nothing coming between, also from another page; what is kept then. */
  change(key: string, become: (kept: string | null) => string): Promise<string>;
}

const KEEP = 24; // games: an old one is over, and its record has all that was revealed
const LONG_MS = 60 * 24 * 3_600_000;

/** The secret end, and what the chain serves once that is known. */
interface Kept {
  readonly end: string;
  readonly purpose: string | null;
}

/** The links of a chain, the commitment first; null where this phone has none (any more). */
export async function findChain(which: Which, stores: readonly Store[] = STORES): Promise<Bytes[] | null> {
  const found = await find(which, stores);
  return found && linksOf(which, await settle(which, found, stores));
}

/** Has the chain serve this one purpose, for ever: false where it served another before, and may not be shown again. */
export async function claimChain(which: Which, purpose: string, stores: readonly Store[] = STORES): Promise<boolean> {
  const found = await find(which, stores);
  if (!found) return true;
  return (await settle(which, { ...found, purpose: found.purpose ?? purpose }, stores)).purpose === purpose;
}

/** The links of the chain that is there, else of a new one. */
export async function takeChain(which: Which, stores: readonly Store[] = STORES): Promise<Bytes[]> {
  const found = await find(which, stores);
  const fresh = () => ({ end: hex(crypto.getRandomValues(new Uint8Array(32))), purpose: null });
  return linksOf(which, await settle(which, found ?? fresh(), stores));
}

function linksOf({ game, seat, throws }: Which, { end }: Kept): Bytes[] {
  return chain("pc", unhex(game, 16), seat, throws + 1, unhex(end));
}

/** What one store lost comes from another; the one that knows what the chain serves is believed. */
async function find(which: Which, stores: readonly Store[]): Promise<Kept | null> {
  const texts = await Promise.all(stores.map((store) => store.get(keyOf(which)).catch(() => null)));
  const read = texts.map(keptIn);
  return read.find((one) => one?.purpose) ?? read.find((one) => one !== null) ?? null;
}

/**
 * Keeps this everywhere, unless something is kept by now: another page may have been faster, and what the first store
 * has then holds for the others, and here. Locks of the browser would not do: they are not there over plain http.
 */
async function settle(which: Which, wanted: Kept, stores: readonly Store[]): Promise<Kept> {
  let settled: Kept | null = null;
  for (const store of stores) {
    const become = (text: string | null) => written(joined(settled ? [settled, keptIn(text)] : [keptIn(text), wanted]));
    settled = keptIn(await store.change(keyOf(which), become).catch(() => null)) ?? settled;
  }
  return settled ?? wanted;
}

/** The first of them, and what it serves as far as any says so of the same chain. */
function joined(known: readonly (Kept | null)[]): Kept {
  const [first, ...others] = known.filter((one) => one !== null) as [Kept, ...Kept[]];
  return { end: first.end, purpose: first.purpose ?? others.find(({ end }) => end === first.end)?.purpose ?? null };
}

function keptIn(text: string | null): Kept | null {
  const [, end, purpose] = /^([0-9a-f]{64})(?: (.+))?$/.exec(text ?? "") ?? [];
  return end ? { end, purpose: purpose ?? null } : null;
}

function written({ end, purpose }: Kept): string {
  return purpose === null ? end : `${end} ${purpose}`;
}

function keyOf({ game, seat, throws, lost }: Which): string {
  return `${game}.${seat}.${throws}${lost ? `.${lost}` : ""}`;
}

const SHELF = "chains";

/** In localStorage, with what else the page remembers. */
const local: Store = {
  get: async (key) => recall<[string, string][]>(SHELF, []).find(([one]) => one === key)?.[1] ?? null,
  change: async (key, become) => {
    const all = recall<[string, string][]>(SHELF, []);
    const value = become(all.find(([one]) => one === key)?.[1] ?? null);
    remember(SHELF, [[key, value], ...all.filter(([one]) => one !== key)].slice(0, KEEP));
    return value;
  },
};

/** What lies in the database: when it was used last was not noted at first. */
type Lying = string | { readonly text: string; readonly used: number };

const textOf = (lying: Lying | undefined) => (typeof lying === "object" ? lying.text : (lying ?? null));

/** Of chains and when they were used last, those whose games are long over: not among the newest, and not used for two months. */
export function longOver(used: readonly (readonly [key: string, at: number])[], now: number): string[] {
  const newest = [...used].sort(([, one], [, other]) => other - one);
  return newest.slice(KEEP).flatMap(([key, at]) => (now - at > LONG_MS ? [key] : []));
}

/** In IndexedDB, whose transactions hold for all pages of this browser. */
const database: Store = {
  get: (key) => inDatabase<string | null>("readonly", (store, done, failed) => ask<Lying | undefined>(store.get(key), (kept) => done(textOf(kept)), failed)),
  change: (key, become) =>
    inDatabase<string>("readwrite", (store, done, failed) =>
      ask<Lying | undefined>(store.get(key), (kept) => {
        const text = become(textOf(kept));
        ask(store.put({ text, used: Date.now() }, key), () => done(text), failed);
        if (kept === undefined) clear(store, failed);
      }, failed),
    ),
};

/** Makes room where a chain came in; one of which nobody knows when it was used counts as used now. */
function clear(store: IDBObjectStore, failed: (error: unknown) => void): void {
  const now = Date.now();
  const used: [string, number][] = [];
  ask(store.openCursor(), (at) => {
    if (!at) return longOver(used, now).forEach((key) => store.delete(key));
    const lying = at.value as Lying;
    if (typeof lying === "string") at.update({ text: lying, used: now });
    used.push([String(at.key), typeof lying === "string" ? now : lying.used]);
    at.continue();
  }, failed);
}

/** The database first: what it says holds for all pages at once. */
export const STORES: readonly Store[] = [database, local];

type Asking<T> = (store: IDBObjectStore, done: (found: T) => void, failed: (error: unknown) => void) => void;

function ask<T>(asked: IDBRequest<T>, done: (found: T) => void, failed: (error: unknown) => void): void {
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
}

function inDatabase<T>(mode: IDBTransactionMode, work: Asking<T>): Promise<T> {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("bobing", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const found = (value: T) => {
        opening.result.close();
        done(value);
      };
      work(opening.result.transaction(SHELF, mode).objectStore(SHELF), found, failed);
    };
  });
}
