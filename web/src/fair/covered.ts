/** What the proof covers of the dice of a seat, in a word (`proof.…_short`). unheard: some phones do not vouch for it. */
import type { FairView } from "../protocol";

export type Covered = "own" | "none" | "late" | "wait" | "unheard";

export function covered(fair: FairView | null, seat: number): Covered {
  if (fair?.late?.includes(seat)) return fair.plan ? "wait" : "late";
  if (fair?.unheard?.some((one) => one.seat === seat)) return "unheard";
  return fair?.own?.includes(seat) ? "own" : "none";
}
