/** The form of what a table tells: what could not stand in a record cannot be looked at either, and nobody may hide behind that. */
import type { FairEvent, Line } from "../protocol";
import { isAct, isEvent, isTaken } from "./form";

/** Looked at once: what was welcomed stays the same object. */
const formed = new WeakSet<object>();

/** Whether acts stand one behind the other, and each of them and each event has the form that a record would have. */
export function isFormed(lines: readonly Line[], fair: readonly FairEvent[]): boolean {
  return lines.every((line, i) => line?.n === i + 1 && once(line, isLine)) && fair.every((told) => once(told, isTold));
}

function once<T extends object>(one: T, test: (one: T) => boolean): boolean {
  if (formed.has(one)) return true;
  if (!test(one)) return false;
  formed.add(one);
  return true;
}

/** An act, how it was played first, what it took back; and the dice that are shown for it are its own. */
function isLine({ act, first, took, roll }: Line): boolean {
  return isAct(act) && isAct(first ?? act) && isTaken(took ?? []) && (roll == null || roll === diceOf(act));
}

function diceOf({ roll, rolloff, start }: Line["act"]): unknown {
  return roll ?? rolloff ?? (start as { dice?: string } | undefined)?.dice;
}

function isTold(told: FairEvent | null): boolean {
  return Number.isSafeInteger(told?.after) && isEvent(told?.event);
}
