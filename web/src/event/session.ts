/** A session as its form holds it, and the command that sets it. */
import type { SessionSettings, SessionView } from "../event_protocol";
import type { Settings } from "../protocol";
import { houseOf, houseTable, noHouse, type House, type Point } from "$lib/house";
import type { Sheet } from "$lib/sheets";

export interface SessionDraft {
  number: number;
  name: string;
  key: string;
  house: House;
  tables: number;
  seats: number;
  /** 0: none. */
  limit: number;
  household: boolean;
  seconds: number;
  dice: "real" | "digital";
  /** What becomes of a champion's throw with real dice: nothing, asked for twice, or a second person confirms it. */
  confirm: "none" | "twice" | "two";
  spill: number;
}

export function newSession(number: number, name: string): SessionDraft {
  return { number, name, key: "minnan", house: noHouse(), tables: 3, seats: 10, limit: 30, household: false, seconds: 12, dice: "real", confirm: "twice", spill: 0 };
}

/** The draft of a session that was set; `sheet` and `points` say what its house changes mean. */
export function draftOf(number: number, view: SessionView, sheet: Sheet, points: readonly Point[]): SessionDraft {
  const paths = new Set(points.flatMap((point) => point.settings.map((one) => one.path)));
  const cakesOf = (tier: string) => sheet.tiers.find((one) => one.key === tier)?.cakes ?? 1;
  return {
    number,
    name: view.name,
    key: sheet.key,
    house: houseOf(view.choice.house ?? {}, paths, cakesOf),
    tables: view.tables,
    seats: view.seats,
    limit: view.limit ?? 0,
    household: view.household ?? false,
    seconds: view.seconds ?? 12,
    dice: view.settings.dice ?? "real",
    confirm: view.settings.confirm ?? "twice",
    spill: view.settings.spill ?? 0,
  };
}

/** What is still missing before a session can be saved; "" where nothing is. */
export function unset(draft: SessionDraft): "name" | "tables" | "seats" | "seconds" | "" {
  if (!draft.name.trim()) return "name";
  if (!(draft.tables >= 1)) return "tables"; // nothing at all where the field is empty
  if (!(draft.seats >= 2)) return "seats";
  return draft.seconds >= 1 ? "" : "seconds";
}

export function commandOf(draft: SessionDraft): Omit<SessionSettings, "cmd" | "at"> {
  const settings: Settings = { dice: draft.dice, joining: "closed", confirm: draft.confirm, ...(draft.dice === "digital" && draft.spill ? { spill: draft.spill } : {}) };
  return {
    t: "session_settings",
    session: draft.number,
    name: draft.name.trim(),
    choice: { sheet: draft.key, house: houseTable(draft.house) },
    tables: draft.tables,
    seats: draft.seats,
    limit: draft.limit || null,
    household: draft.household,
    seconds: draft.seconds,
    settings,
  };
}

/** What was wrong with the prizes of a tier, without the key that only a rule file has. */
export function withTier(words: string, path: string, tiers: readonly { key: string; name: string }[]): string {
  for (const named of [` (${path})`, path]) words = words.replace(`”${named}`, "”").replace(`」${named}`, "」");
  const key = /^(?:prizes|cakes)\.(\w+)/.exec(path)?.[1];
  const tier = tiers.find((one) => one.key === key);
  return tier ? words.replaceAll(path, tier.name).replaceAll(path.replace(/\[.*/, ""), tier.name) : words;
}

/** The limit of a session whose size changes: it follows the seats as long as it was their number. */
export function limitOf(limit: number, seats: number, now: number): number {
  return limit === seats ? now : limit;
}
