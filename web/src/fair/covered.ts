/**
 * What the proof covers of the dice of a seat, in a word (`proof.…_short`). unheard: some phones do not vouch for it;
 * doubt: this one was warned, whatever the server says.
 */
import type { FairSide } from "$lib/fair.svelte";
import type { FairView } from "../protocol";
import type { Why } from "./events";

export type Covered = "own" | "none" | "late" | "wait" | "unheard" | "doubt";

export function covered(fair: FairView | null, seat: number, side: Pick<FairSide, "doubts">): Covered {
  if (fair?.late?.includes(seat)) return fair.plan ? "wait" : "late";
  if (fair?.unheard?.some((one) => one.seat === seat)) return "unheard";
  if (!fair?.own?.includes(seat)) return "none";
  return side.doubts(seat) ? "doubt" : "own";
}

/** How a warning is put, by the key of its title (`proof.…_title`): what most likely harms nobody is told calmly. */
export function toldAs(why: Why): "clock" | "own" | "alarm" {
  return why === "clock" || why === "own" ? why : "alarm";
}
