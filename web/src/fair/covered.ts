/** What the proof covers of the dice of a seat, in a word (`proof.…_short`). */
import type { FairView } from "../protocol";

export type Covered = "own" | "none" | "late" | "wait";

export function covered(fair: FairView | null, seat: number): Covered {
  if (fair?.late?.includes(seat)) return fair.plan ? "wait" : "late";
  return fair?.own?.includes(seat) ? "own" : "none";
}
