/** The next game of the same people: who sits where, and how one gets there. */
import type { Joined, RulesView, Settings, View, You } from "../protocol";
import { post } from "./api";
import { nameOf } from "./seats";
import { keepTable, knownTable } from "./tables";

/** The seats that play on, in the order of play: the seat `[i]` of this game is seat `i` of the next. */
export function playOn(view: View): number[] {
  return view.order.filter((seat) => !view.seats[seat]?.away);
}

/** What the next table is made of. Its seats can be taken, whatever was closed here, for everybody comes in anew. */
export function nextTable(view: View, rules: RulesView, title: string) {
  const settings: Settings = { ...view.settings, joining: "open" };
  const seats = playOn(view);
  const host = seats.indexOf(view.host ?? -1);
  const made = { rules: rules.choice ?? {}, settings, players: seats.map((seat) => nameOf(view, seat)), title };
  return host < 0 ? made : { ...made, host };
}

/** A right at the next table, unless one is known already: to the same seat, or to look on where there is none. */
export async function follow(code: string, view: View, you: You, name: string): Promise<void> {
  if (Object.keys(knownTable(code)?.tokens ?? {}).length) return;
  const at = playOn(view).indexOf(you.seat ?? -1);
  const joined = await post<Joined>(`/tables/${code}/join`, at < 0 ? { watch: true } : { seat: at });
  keepTable(code, { tokens: { [joined.seat === null ? "watch" : "seat"]: joined.token }, ...(name ? { name } : {}) });
}
