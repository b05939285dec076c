/**
 * What the proof covers of the dice of a seat, in a word (`proof.…_short`), as this device worked it out; null until it has.
 * What the server says of it counts for nothing. unheard: some phones do not vouch for it; doubt: this one was warned.
 */
import type { FairSide } from "$lib/fair.svelte";
import type { Why } from "./events";

export type Covered = "own" | "none" | "late" | "wait" | "unheard" | "doubt";

export function covered(seat: number, side: Pick<FairSide, "cover" | "doubts">): Covered | null {
  const { cover } = side;
  if (!cover) return null;
  if (cover.late.includes(seat)) return cover.plan ? "wait" : "late";
  if (cover.unheard.some((one) => one.seat === seat)) return "unheard";
  if (!cover.own.includes(seat)) return "none";
  return side.doubts(seat) ? "doubt" : "own";
}

/** How a warning is put, by the key of its title (`proof.…_title`): what most likely harms nobody is told calmly. */
export function toldAs(why: Why): "clock" | "own" | "alarm" {
  return why === "clock" || why === "own" ? why : "alarm";
}
