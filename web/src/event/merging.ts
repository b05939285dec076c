/** What merging a table into another comes to, told before it is done. Pure. */
import { inOrder, type EventState } from "./state";

export interface Merging {
  /** How many go, and how many sit at the other table then. */
  readonly people: number;
  readonly sum: number;
  /** How many a table of that session has room for, and how many are too many. */
  readonly seats: number;
  readonly over: number;
  /** What becomes of the prizes of the table: it is closed first, was closed before, or never began. */
  readonly prizes: "open" | "closed" | "waiting";
  /** Whether the record can take it back: nobody plays at the other table yet. */
  readonly undoable: boolean;
}

export function merging(state: EventState, from: number, into: number): Merging {
  const at = (table: number) => inOrder(state.guests).filter((guest) => guest.table === table).length;
  const table = state.tables[into];
  const people = at(from);
  const sum = people + at(into);
  const seats = state.view.sessions[table?.session ?? 0]?.seats ?? 0;
  const undoable = table?.status === "waiting";
  return { people, sum, seats, over: Math.max(0, sum - seats), prizes: state.tables[from]?.status ?? "waiting", undoable };
}
