/** What of a throw is felt in the hand: a short tap for each hard hit, with rests between. */
import type { Plan } from "./plan.ts";
import { rateOf, seenAt } from "./timing.ts";

const HARD = 60; // cm/s
const TAP_MS = 12;
const REST_MS = 45;

/** Milliseconds of rest and of vibration in turn, as `navigator.vibrate` takes them after a first pulse of none. */
export function pulses(plan: Plan, ms: number): number[] {
  const rate = rateOf(plan, ms);
  const pattern = [0];
  let end = 0;
  for (const { at, speed } of plan.track.contacts) {
    const when = Math.round(seenAt(at, rate) * 1000);
    if (speed < HARD || when - end < REST_MS) continue;
    pattern.push(when - end, TAP_MS);
    end = when + TAP_MS;
  }
  return pattern;
}
