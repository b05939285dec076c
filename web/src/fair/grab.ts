/** Who gets which cake of a lights-out grab where the dice are digital: it goes on in the bytes of the throw. */
import { next } from "./derive";

type Acts = readonly Readonly<Record<string, unknown>>[];

/** The seats that get the cakes, by tier. cakes: how many of each, in the order of the tiers; there: who takes part. */
export function grabbed(cakes: readonly (readonly [tier: string, n: number])[], there: readonly number[], bytes: Generator<number, never>): Record<string, number[]> {
  return Object.fromEntries(cakes.map(([tier, n]) => [tier, Array.from({ length: n }, () => there[below(there.length, bytes)] as number)]));
}

/** A uniform number below `bound`, from faces as digits to base six; what would favour some is thrown again. */
function below(bound: number, bytes: Generator<number, never>): number {
  let size = 1;
  while (size < bound) size *= 6;
  for (;;) {
    let value = 0;
    for (let place = 1; place < size; place *= 6) value = value * 6 + next(bytes) - 1;
    if (value < size - (size % bound)) return value % bound;
  }
}

/**
 * Seats in the order of play, without those who left; null where acts name seats that there are not. seats: how many there
 * were at first; acts: that stand, in order.
 */
export function seatsThere(seats: number, acts: Acts): number[] | null {
  const order = Array.from({ length: seats }, (_, i) => i);
  const away = new Set<unknown>();
  for (const { join, swap, leave, back, seat } of acts) {
    const named = (Array.isArray(swap) ? swap : typeof join === "object" && join ? [(join as { after: number }).after] : []) as number[];
    const places = named.map((seat) => order.indexOf(seat));
    if (places.includes(-1)) return null;
    const [one = order.length - 1, other] = places;
    if (join) order.splice(one + 1, 0, order.length);
    else if (other !== undefined) [order[one], order[other]] = [order[other] as number, order[one] as number];
    else if (leave) away.add(seat);
    else if (back) away.delete(seat);
  }
  return order.filter((seat) => !away.has(seat));
}
