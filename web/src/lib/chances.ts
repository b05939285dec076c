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
  /** Null where there is no exact law (`doubt` says why) and nothing was simulated. */
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
    /** How many games were simulated, 0 where this is exact, and the standard error of the mean then. */
    games: number;
    error: number;
  } | null;
  shares: Shares;
  doubt: string;
  /** What codes of doubt mean. */
  reasons: Record<string, Said>;
  /** The command that installs what simulates, where that is missing. */
  install: string;
}

/** By tier and seat. What has no exact value is named in `doubts`: simulated, with standard errors, or left out where
 *  no `games` were. */
export interface Shares {
  cakes: Record<string, number[]>;
  champion: number[];
  doubts: Record<string, string>;
  games: number;
  errors: Record<string, number[]>;
}

/** What may still come at a table: cakes by tier and seat, the title by seat, and whether the leader keeps it. */
export interface TableOdds extends Shares {
  overtaken: number | null;
  thrown: number;
  reasons: Record<string, Said>;
  install: string;
}

/** Seconds that a throw takes at a usual table. */
export const PACE = 12;

/** `simulated`: with what has no exact value, which takes a while; without, at once. */
export const loadOdds = (sheet: string, players: number, house: Table, simulated: boolean) => {
  const query = `players=${players}&simulate=${Number(simulated)}`;
  return isHouse(house)
    ? post<Odds>(`/odds?${query}`, { sheet, house })
    : ask<Odds>(`/odds?rules=${encodeURIComponent(sheet)}&${query}`);
};

export const loadTableOdds = (code: string, token: string, simulated: boolean) =>
  ask<TableOdds>(`/tables/${code}/odds?simulate=${Number(simulated)}`, { headers: { authorization: `Bearer ${token}` } });

/** The largest standard error of what was simulated, of the title or a tier; 0 where it is exact. */
export const errorOf = ({ errors }: Shares, name: string) => Math.max(0, ...(errors[name] ?? []));

const LOST = 1e-9;

/** The chance that nobody is champion at the end; 0 where it is no more than what is lost in adding up. */
export function nobody({ champion }: Pick<Shares, "champion">): number {
  const left = 1 - champion.reduce((sum, chance) => sum + chance, 0);
  return left > LOST ? left : 0;
}
