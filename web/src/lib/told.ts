/** What the bowl is told of a throw: the same for everybody, seen from the side where each sits. */
import { seedOf } from "../bowl/chance";
import type { Told } from "../bowl/plan";
import type { Line, View, You } from "../protocol";
import { facesOf } from "./pips";

/** Radians from the first seat round the table to this one, against the clock as seen from above. */
export function placeOf(view: View, seat: number, direction: string): number {
  const at = Math.max(0, view.order.indexOf(seat));
  return ((direction === "clockwise" ? -1 : 1) * 2 * Math.PI * at) / Math.max(1, view.order.length);
}

/** Whether this device throws for that seat: its own, or one whose player has none. */
function here(you: You, view: View, seat: number): boolean {
  return you.seat === seat || (you.role === "host" && !view.seats[seat]?.device);
}

export function toldOf(code: string, line: Line, view: View, you: You, direction: string): Told | null {
  if (!line.roll) return null;
  const seat = line.seat ?? null;
  const across = seat === null || here(you, view, seat) ? 0 : placeOf(view, seat, direction) - placeOf(view, you.seat ?? view.order[0] ?? 0, direction);
  return {
    faces: facesOf(line.roll),
    seed: seedOf(code, line.n),
    n: line.n,
    strength: line.strength ?? 50,
    side: across - ((line.aim ?? 0) * Math.PI) / 180,
    spill: "spill" in line.act,
  };
}
