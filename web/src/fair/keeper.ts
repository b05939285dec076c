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
  set(key: string, value: string): Promise<void>;
}

const KEEP = 24; // games: an old one is over, and its record has all that was revealed

/** The links of a chain, the commitment first; null where this phone has none (any more). */
export async function findChain(which: Which, stores: readonly Store[] = STORES): Promise<Bytes[] | null> {
  const kept = await find(which, stores);
  return kept && chain("pc", unhex(which.game, 16), which.seat, which.throws + 1, unhex(kept.end));
}

/** Has the chain serve this one purpose, for ever: false where it served another before, and may not be shown again. */
export async function claimChain(which: Which, purpose: string, stores: readonly Store[] = STORES): Promise<boolean> {
  const kept = await find(which, stores);
  if (kept && kept.purpose === null) await keep(keyOf(which), `${kept.end} ${purpose}`, stores);
  return !kept || (kept.purpose ?? purpose) === purpose;
}

/** The links of the chain that is there, else of a new one. */
export async function takeChain(which: Which, stores: readonly Store[] = STORES): Promise<Bytes[]> {
  const found = await findChain(which, stores);
  if (found) return found;
  const end = crypto.getRandomValues(new Uint8Array(32));
  await keep(keyOf(which), hex(end), stores);
  return chain("pc", unhex(which.game, 16), which.seat, which.throws + 1, end);
}

/** What is kept: the secret end, and what the chain serves once that is known. What one store lost comes from the other. */
async function find(which: Which, stores: readonly Store[]): Promise<{ end: string; purpose: string | null } | null> {
  const key = keyOf(which);
  const found = await Promise.all(stores.map((store) => store.get(key).catch(() => null)));
  const read = found.map((text) => /^([0-9a-f]{64})(?: (.+))?$/.exec(text ?? ""));
  const [text, end, purpose] = read.find((one) => one?.[2]) ?? read.find(Boolean) ?? [];
  if (!text || !end) return null;
  await keep(key, text, stores.filter((_, i) => found[i] !== text));
  return { end, purpose: purpose ?? null };
}

function keyOf({ game, seat, throws, lost }: Which): string {
  return `${game}.${seat}.${throws}${lost ? `.${lost}` : ""}`;
}

async function keep(key: string, text: string, stores: readonly Store[]): Promise<void> {
  await Promise.allSettled(stores.map((store) => store.set(key, text)));
}

const SHELF = "chains";

/** In localStorage, with what else the page remembers. */
const local: Store = {
  get: async (key) => recall<[string, string][]>(SHELF, []).find(([one]) => one === key)?.[1] ?? null,
  set: async (key, value) => {
    const others = recall<[string, string][]>(SHELF, []).filter(([one]) => one !== key);
    remember(SHELF, [[key, value], ...others].slice(0, KEEP));
  },
};

/** In IndexedDB. */
const database: Store = {
  get: (key) => inDatabase<string | undefined>("readonly", (store) => store.get(key)).then((found) => found ?? null),
  set: (key, value) => inDatabase("readwrite", (store) => store.put(value, key)).then(() => undefined),
};

export const STORES: readonly Store[] = [local, database];

function inDatabase<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("bobing", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const asked = ask(opening.result.transaction(SHELF, mode).objectStore(SHELF));
      asked.onerror = () => failed(asked.error);
      asked.onsuccess = () => {
        opening.result.close();
        done(asked.result as T);
      };
    };
  });
}
