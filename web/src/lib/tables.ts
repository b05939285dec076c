/** The tables that this browser has been at, newest first, with the tokens that open them again. */
import { recall, remember } from "./store";

export interface KnownTable {
  code: string;
  /** Capability tokens of this browser for the table, by role ("host", "seat", "watch"). */
  tokens: Readonly<Record<string, string>>;
  /** When it was last open here, in milliseconds since 1970. */
  seen: number;
  name?: string;
  sheet?: string;
  finished?: boolean;
  /** Who plays, in the order of play. */
  players?: readonly string[];
  /** Who holds the title of zhuangyuan, at the end for good. */
  champion?: string;
}

const KEEP = 60;

export function knownTables(): KnownTable[] {
  const kept = recall<unknown>("tables", []);
  return Array.isArray(kept) ? (kept as KnownTable[]).filter((one) => typeof one?.code === "string") : [];
}

export function knownTable(code: string): KnownTable | undefined {
  return knownTables().find((table) => table.code === code);
}

/** Adds to what is known of a table and puts it first. */
export function keepTable(code: string, more: Partial<Omit<KnownTable, "code">>): void {
  const old = knownTable(code);
  const table: KnownTable = { seen: Date.now(), ...old, ...more, code, tokens: { ...old?.tokens, ...more.tokens } };
  remember("tables", [table, ...knownTables().filter((one) => one.code !== code)].slice(0, KEEP));
}

export function forgetTable(code: string): void {
  remember("tables", knownTables().filter((table) => table.code !== code));
}
