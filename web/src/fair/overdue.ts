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

  /** Takes in what was told at that time; null where it may have been told some time before. */
  take(event: FairEvent, told: number | null): void {
    if (event.t === "attempt") {
      this.#named.clear();
      this.cried = false;
    }
    if (event.t === "seat_void") this.#named.delete(event.seat);
    if ((event.t !== "attempt" && event.t !== "seat_attempt") || told === null || !isOut(event.plan, told)) return;
    this.#named.set(event.t === "attempt" ? "all" : event.seat, event.t0);
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
