/** What was typed in at a table and never counted: kept, across reloads, until somebody has looked. */
import type { View } from "../protocol";
import type { Waiting } from "./queue";
import { recall, remember } from "./store";

/** closed: the event's desk had closed the table; away: the event is at another computer; taken: another device has the keys. */
export type Why = "closed" | "away" | "taken";
export interface Stranded {
  readonly why: Why;
  readonly waiting: readonly Waiting[];
  readonly view: View;
}

const WHY: Readonly<Record<string, Why>> = { "table/event_closed": "closed", "table/handed_over": "away" };
let looks = $state(0);

/** Why a refusal concerns all that a device has typed in, and not this one act; undefined where it does not. */
export function whyStranded(code: string, hadKeys: boolean): Why | undefined {
  return WHY[code] ?? (code === "table/forbidden" && hadKeys ? "taken" : undefined);
}

export function strandedAt(code: string): Stranded | null {
  void looks;
  return recall<Stranded | null>(shelf(code), null);
}

/** Keeps what was typed in behind what is kept already. */
export function strand(code: string, why: Why, waiting: readonly Waiting[], view: View): void {
  remember(shelf(code), { why, waiting: [...(strandedAt(code)?.waiting ?? []), ...waiting], view } satisfies Stranded);
  looks++;
}

/** Somebody has looked: what to do with it now. */
export function takeStranded(code: string): readonly Waiting[] {
  const waiting = strandedAt(code)?.waiting ?? [];
  remember(shelf(code), null);
  looks++;
  return waiting;
}

const shelf = (code: string) => `stranded.${code}`;
