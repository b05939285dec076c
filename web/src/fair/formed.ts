/** The form of what a table tells: what could not stand in a record cannot be looked at either, and nobody may hide behind that. */
import type { FairEvent, Line } from "../protocol";
import type { TableState } from "$lib/live";
import { isAct, isEvent, isGame, isLength, isSeat, isTaken } from "./form";

/** Looked at once: what was welcomed stays the same object. */
const formed = new WeakSet<object>();

/** Whether acts stand one behind the other, each of them and each event has the form that a record would have, and what this
 * device is asked for can be. */
export function isFormed({ you, view, lines, fair }: TableState): boolean {
  const acts = lines.every((line, i) => line?.n === i + 1 && once(line, isLine));
  return acts && fair.every((told) => once(told, isTold)) && (you.seat == null || (isSeat(you.seat) && isAsked(view.fair, you.seat)));
}

/** Whether there can be a chain for what is asked of this seat. */
function isAsked(now: TableState["view"]["fair"], seat: number): boolean {
  return !now?.asked?.includes(seat) || (isGame(now.game) && isLength(now.links));
}

function once<T extends object>(one: T, test: (one: T) => boolean): boolean {
  if (formed.has(one)) return true;
  if (!test(one)) return false;
  formed.add(one);
  return true;
}

/** An act, how it was played first, what it took back; and the dice that are shown for it are its own, and of its seat. */
function isLine({ act, first, took, roll, seat }: Line): boolean {
  if (!isAct(act) || !isAct(first ?? act) || !isTaken(took ?? [])) return false;
  const its = broughtBy(act);
  return (roll == null || roll === its.dice) && (seat == null || seat === its.seat);
}

/** The dice of an act, and whose they are. */
export function broughtBy({ seat, roll, rolloff, start }: Line["act"]): { seat: unknown; dice: unknown } {
  const begins = start as { seat: number; dice: string } | undefined;
  return { seat: seat ?? begins?.seat, dice: roll ?? rolloff ?? begins?.dice };
}

function isTold(told: FairEvent | null): boolean {
  return Number.isSafeInteger(told?.after) && isEvent(told?.event);
}
