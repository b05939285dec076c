/** Chances as the server tells them (`bobing.server.odds_api`); nothing is reckoned here. */
import { ask, post } from "./api";
import { isHouse, type Table } from "./houses";
import type { Said } from "./texts.svelte";

export interface Odds {
  sheet: string;
  names: Said;
  players: number;
  /** The ways in which six dice fall. */
  throws: number;
  /** Rarest first, nothing last. dice: six signs, x is any face, empty where there is no picture. */
  combinations: { key: string; names: Said; dice: string; ways: number }[];
  tiers: { key: string; names: Said; cakes: number; ways: number; beside: number }[];
  /** Null where house rules have no exact law; so are the shares where there are too many cakes. `doubt` says why. */
  length: {
    mean: number;
    sd: number;
    median: number;
    p90: number;
    p95: number;
    p99: number;
    no_champion: number;
    /** Throws, and the chance that the game is over by then. */
    curve: [number, number][];
  } | null;
  /** By tier and seat; what has no exact value is left out and named in `doubts`. */
  shares: { cakes: Record<string, number[]>; champion: number[]; doubts: Record<string, string> } | null;
  doubt: string;
  /** What codes of doubt mean. */
  reasons: Record<string, Said>;
}

/** What may still come at a table: cakes by tier and seat, the title by seat, and whether the leader keeps it. */
export interface TableOdds {
  cakes: Record<string, number[]>;
  champion: number[];
  overtaken: number | null;
  thrown: number;
  doubts: Record<string, string>;
  reasons: Record<string, Said>;
}

export const PLAYERS_LEAST = 2;
export const PLAYERS_MOST = 30;
/** Seconds that a throw takes at a usual table. */
export const PACE = 12;

export const loadOdds = (sheet: string, players: number, house: Table = {}) =>
  isHouse(house)
    ? post<Odds>(`/odds?players=${players}`, { sheet, house })
    : ask<Odds>(`/odds?rules=${encodeURIComponent(sheet)}&players=${players}`);

export const loadTableOdds = (code: string, token: string) =>
  ask<TableOdds>(`/tables/${code}/odds`, { headers: { authorization: `Bearer ${token}` } });
