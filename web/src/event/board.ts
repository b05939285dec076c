/** The board: which tables need somebody, what is urgent among them, and how long ago somebody threw. Pure. */
import type { BoardRow, EventTableView } from "../event_protocol";
import { inOrder, type EventState } from "./state";

export interface Row {
  readonly number: number;
  readonly table: EventTableView;
  readonly board: BoardRow | undefined;
  readonly needs: readonly Need[];
}

export type Need = "confirm" | "referee" | "stalled" | "no_champion" | "finished";
/** What needs help most comes first. */
const URGENT: readonly Need[] = ["confirm", "referee", "stalled", "finished", "no_champion"];
const STALLED_MS = 180_000;

/** The rows of the board by their numbers: a card stays where it is, whatever happens at its table. */
export function rowsOf(state: EventState, now: number): Row[] {
  const rows = inOrder(state.tables).map(({ number, ...table }): Row => {
    const board = table.status === "open" ? state.board[number] : undefined;
    return { number, table, board, needs: needsOf(board, now) };
  });
  return rows.sort((a, b) => a.number - b.number);
}

/** The tables that need somebody, what is urgent first. */
export function inNeed(rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.needs.length).sort((a, b) => urgency(a) - urgency(b) || a.number - b.number);
}

/** Whether a need can wait for a while. */
export function mild(need: Need): boolean {
  return need === "finished" || need === "no_champion";
}

/** The server says it when something happens; that nothing happens is seen here. */
function needsOf(board: BoardRow | undefined, now: number): Need[] {
  if (!board) return [];
  const stalled = !board.finished && board.last != null && now - board.last > STALLED_MS;
  const needs = new Set<Need>([...(board.needs ?? []).filter((need) => need !== "stalled"), ...(stalled ? (["stalled"] as const) : [])]);
  return URGENT.filter((need) => needs.has(need));
}

function urgency({ needs: [first] }: Row): number {
  return first ? URGENT.indexOf(first) : URGENT.length;
}

/** How many have come, have a place and no seat, where the seats of their session are drawn: they came late. */
export function standing(state: EventState): number {
  const drawn = (session: number) => state.view.sessions[session]?.drawn === true;
  return Object.values(state.guests).filter((guest) => guest.here && guest.status === "listed" && guest.table == null && drawn(guest.session)).length;
}

/** Minutes since the last throw, whole. */
export function age(board: BoardRow | undefined, now: number): number | null {
  return board?.last == null ? null : Math.max(0, Math.floor((now - board.last) / 60_000));
}
