/** Attempts whose round of drand was named when it was out, by the clock of this device: whoever named it may know it. */
import type { FairEvent } from "./events";
import { plannedIn } from "./plan";

/** So long before it is out an honest server names a round; so much of it clocks that differ, and the way here, may take. */
const LEAD_MS = 30_000;
const SLACK_MS = 10_000;

/** A question of this device that was answered: when it was asked, and the server's clock minus that of the device. */
export interface Heard {
  readonly at: number;
  readonly skew: number;
}

/**
 * After which moment something was said that was not there yet in what was heard last; null where nobody knows, for a clock was
 * set meanwhile. Both clocks are asked where a device was away for long: for less time a server may say that its own was set.
 */
export function saidAfter(heard: Heard | null, now: number, skew: number): number | null {
  if (!heard || heard.at > now) return null;
  const set = now - heard.at >= LEAD_MS && Math.abs(skew - heard.skew) > SLACK_MS;
  return set ? null : heard.at;
}

/** Whether the round that was announced is out at that time; where none was, it is not. */
export function isOut(plan: string, at: number): boolean {
  const planned = plannedIn(plan);
  return planned?.kind === "drand" && at >= planned.at;
}

/** How a round was named that was out when this device heard of it: too late, or while the device was away, so who knows. */
export type Named = "late" | "away";

/** after: when it was not named yet, null where nobody knows. Later than any honest server names it is too late. */
export function howNamed(plan: string, after: number | null, now: number): Named | null {
  if (!isOut(plan, now)) return null;
  return after !== null && isOut(plan, after + LEAD_MS - SLACK_MS) ? "late" : "away";
}

export class Overdue {
  /** T0 of the attempts that are used now or will be, by the seat that they are of. */
  readonly current = new Map<number | "all", string>();
  /** Of those that were named too late T0, by the seat that the attempt is of. */
  #named = new Map<number | "all", string>();
  /** Whether one of them was cried out since all was drawn anew. */
  cried = false;
  /** Whether dice were drawn from one of them: drawing anew does not take that back. */
  #used = false;

  /** Takes in what is told. Whether an attempt that was named too late is used now, which no second look can change. */
  take(event: FairEvent, named: Named | null): boolean {
    const whose = "seat" in event ? event.seat : "all";
    if (event.t === "attempt") {
      this.current.clear();
      this.#named.clear();
      this.cried = this.#used;
    }
    if (event.t === "seat_void") for (const known of [this.current, this.#named]) known.delete(whose);
    if (event.t === "ready" || event.t === "seat_ready") return this.#use(whose);
    if (event.t !== "attempt" && event.t !== "seat_attempt") return false;
    this.current.set(whose, event.t0);
    if (named === "late") this.#named.set(whose, event.t0);
    return false;
  }

  #use(whose: number | "all"): boolean {
    if (!this.#named.delete(whose)) return false;
    this.cried = this.#used = true;
    return true;
  }

  /** Lets go of those, by T0, that are cried out. */
  look(cries: (t0: string) => boolean): void {
    for (const [whose, t0] of this.#named) {
      if (!cries(t0)) continue;
      this.#named.delete(whose);
      this.cried = true;
    }
  }
}
