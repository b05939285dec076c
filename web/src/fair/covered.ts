/**
 * What the proof covers of the dice of a seat, in a word (`proof.…_short`), as this device worked it out; null until it has.
 * What the server says of it counts for nothing. unheard: some phones do not vouch for it; doubt: this one was warned; missed: it
 * was away when the public chance of that seat was named.
 */
import type { FairSide } from "$lib/fair.svelte";
import type { Why } from "./events";

export type Covered = "own" | "none" | "late" | "wait" | "unheard" | "doubt" | "missed";

type Side = Pick<FairSide, "cover" | "doubts" | "missed">;

export function covered(seat: number, side: Side): Covered | null {
  const { cover } = side;
  if (!cover) return null;
  if (cover.late.includes(seat)) return cover.plan ? "wait" : "late";
  if (cover.unheard.some((one) => one.seat === seat)) return "unheard";
  if (!cover.own.includes(seat)) return "none";
  if (side.doubts(seat)) return "doubt";
  return side.missed.includes(seat) ? "missed" : "own";
}

/** Whether a device shows the table as proved: nothing was warned of, and its own dice are, or, where it has no seat, anybody's. */
export function allGood(seat: number | null, side: Side & Pick<FairSide, "alarm">): boolean {
  const { cover, alarm } = side;
  const seats = seat === null ? (cover?.own ?? []) : [seat];
  return alarm === null && seats.some((one) => covered(one, side) === "own");
}

/** How a warning is put, by the key of its title (`proof.…_title`): what most likely harms nobody is told calmly. */
export function toldAs(why: Why): "clock" | "own" | "alarm" {
  return why === "clock" || why === "own" ? why : "alarm";
}
