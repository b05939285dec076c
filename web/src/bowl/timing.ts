/** A throw lasts as long as the table says, on every screen: the track is stretched to it. */
import { secondsOf } from "./track.ts";
import type { Plan } from "./plan.ts";

const LEAD = 0.12; // seconds of flight before the track begins
const STILL_MS = 60; // the dice rest so long before they are told

/** Seconds of the track in one second. */
export function rateOf(plan: Plan, ms: number): number {
  return (LEAD + secondsOf(plan.track)) / (Math.max(ms - STILL_MS, 1) / 1000);
}

/** Where in the track the throw is, so many milliseconds after it began. */
export const secondsAt = (ms: number, rate: number): number => (ms / 1000) * rate - LEAD;

/** When something in the track is seen, in seconds after the throw began. */
export const seenAt = (seconds: number, rate: number): number => (seconds + LEAD) / rate;
