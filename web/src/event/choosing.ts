/** Who is meant by a few letters or a number. Pure. */
import type { GuestView } from "../event_protocol";
import { inOrder, type EventState } from "./state";

export interface Choice {
  readonly not?: number | undefined;
  readonly among?: readonly number[] | undefined;
}

const MOST = 6;

/** The first guests with that number, or whose name has those letters; of those who may be chosen. */
export function choices(state: EventState, words: string, { not, among }: Choice = {}): (GuestView & { number: number })[] {
  const word = words.trim().toLocaleLowerCase();
  if (!word) return [];
  const asked = (one: GuestView & { number: number }) => String(one.number) === word || one.name.toLocaleLowerCase().includes(word);
  const may = (one: GuestView & { number: number }) => (among ? among.includes(one.number) : one.status !== "withdrawn");
  return inOrder(state.guests).filter((one) => one.number !== not && may(one) && asked(one)).slice(0, MOST);
}
