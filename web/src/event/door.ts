/** Whom the door finds. Pure. */
import type { GuestView } from "../event_protocol";
import { inOrder, type EventState } from "./state";

const MOST = 20;

/** Guests by name, number or the last digits of the telephone; those who are not here yet first. */
export function atDoor(state: EventState, words: string): (GuestView & { number: number })[] {
  const word = words.trim().toLocaleLowerCase();
  if (!word) return [];
  const digits = /^\d+$/.test(word);
  const hits = inOrder(state.guests).filter((guest) =>
    digits
      ? String(guest.number) === word || (word.length >= 3 && (guest.phone ?? "").endsWith(word))
      : guest.name.toLocaleLowerCase().includes(word),
  );
  return hits.sort((a, b) => Number(a.here ?? false) - Number(b.here ?? false)).slice(0, MOST);
}
