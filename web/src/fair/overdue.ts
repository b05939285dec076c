/** Attempts whose round of drand was out by the clock of this device when they were told: whoever named it may know it. */
import type { FairEvent } from "./events";
import { plannedIn } from "./plan";

/** Whether the round that was announced is out at that time; where none was, it is not. */
export function isOut(plan: string, at: number): boolean {
  const planned = plannedIn(plan);
  return planned?.kind === "drand" && at >= planned.at;
}

export class Overdue {
  /** T0, by the seat that the attempt is of. */
  #named = new Map<number | "all", string>();
  /** Whether one of them was cried out since all was drawn anew. */
  cried = false;
  /** Whether dice were drawn from one of them: drawing anew does not take that back. */
  #used = false;

  /** Takes in what was told at that time, null where it may have been told some time before. Whether an attempt that was
   * named too late is used now, which no second look can change. */
  take(event: FairEvent, told: number | null): boolean {
    const whose = "seat" in event ? event.seat : "all";
    if (event.t === "attempt") {
      this.#named.clear();
      this.cried = this.#used;
    }
    if (event.t === "seat_void") this.#named.delete(whose);
    if (event.t === "ready" || event.t === "seat_ready") return this.#use(whose);
    if ((event.t === "attempt" || event.t === "seat_attempt") && told !== null && isOut(event.plan, told)) this.#named.set(whose, event.t0);
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
