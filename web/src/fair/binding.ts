/** What an attempt binds one seat to, as the events of a table tell it. */
import type { TableState } from "$lib/live";
import type { FairEvent } from "./events";

type Told = TableState["fair"];

/** How often what a seat had bound itself to came to nothing in this attempt: each time it takes another chain. */
export function lostBefore(fair: Told, game: string, own: number): number {
  return toldOf(fair, game, own).filter(({ t }) => t === "lost" || t === "seat_void").length;
}

/** Whether a seat has bound itself already: then to the links of this device, or of another, and not to new ones. */
export function bindsAlready(fair: Told, game: string, own: number): boolean {
  const last = toldOf(fair, game, own).findLast(({ t }) => ["attempt", "late", "seat_attempt", "lost", "seat_void"].includes(t));
  if (last?.t === "attempt") return last.seats.some(({ seat, player }) => seat === own && player !== null);
  return (last?.t === "late" || last?.t === "seat_attempt") && last.player !== null;
}

/** What was told of one seat in an attempt, its opening first; nothing before that. */
function toldOf(fair: Told, game: string, own: number): FairEvent[] {
  const events = fair.map(({ event }) => event as unknown as FairEvent);
  const opened = events.findLastIndex((event) => event.t === "attempt" && event.game === game);
  return opened < 0 ? [] : events.slice(opened).filter((event) => event.t === "attempt" || ("seat" in event && event.seat === own));
}
