/** A table as this page knows it: what a message makes of it, and what there is to show on the way. Pure. */
import type { Anew, AtEvent, FairEvent, Line, News, RulesView, ServerMessage, View, Welcome, You } from "../protocol";

export interface TableState {
  readonly code: string;
  /** The last entry of the table's log that is known here. */
  readonly n: number;
  readonly you: You;
  readonly title: string;
  readonly rules: RulesView;
  readonly view: View;
  readonly lines: readonly Line[];
  /** What the proof of digital dice hangs on, in order. */
  readonly fair: readonly FairEvent[];
  readonly missed: Welcome["missed"];
  /** Whether what is shown may come two seconds late; nothing is lost. */
  readonly late: boolean;
  /** The event that this table is part of; null where it is a table of its own. */
  readonly event: AtEvent | null;
}

/** The state after a message; the same object where the message changes nothing. */
export function fold(state: TableState | null, message: ServerMessage): TableState | null {
  return seated(folded(state, message));
}

/** Where the host plays a seat from this device, which the view tells, that is the seat of this device. */
function seated(state: TableState | null): TableState | null {
  if (state?.you.role !== "host" || (state.you.seat ?? null) === (state.view.host ?? null)) return state;
  return { ...state, you: { role: "host", seat: state.view.host ?? null } };
}

function folded(state: TableState | null, message: ServerMessage): TableState | null {
  switch (message.t) {
    case "welcome":
      return welcomed(message, state);
    case "news":
      return state && message.n >= state.n ? informed(state, message) : state;
    case "anew":
      return state && message.n >= state.n ? retold(state, message) : state;
    case "presence":
      return state && { ...state, view: present(state.view, message.online) };
    case "late":
      return state && { ...state, late: message.late };
    case "at_event":
      return state && { ...state, event: message };
    default:
      return state;
  }
}

function welcomed({ code, n, you, title, rules, view, lines, fair, missed }: Welcome, before: TableState | null): TableState {
  const event = before?.event ?? null;
  return { code, n, you, title, rules, view, lines, fair: fair ?? [], missed: missed ?? null, late: false, event };
}

function informed(state: TableState, { n, view, line, rules, fair }: News): TableState {
  const lines = line && line.n > lastAct(state) ? [...state.lines, line] : state.lines;
  return { ...state, n, view, lines, rules: rules ?? state.rules, fair: [...state.fair, ...(n > state.n ? (fair ?? []) : [])] };
}

function retold(state: TableState, { n, view, lines, fair }: Anew): TableState {
  return { ...state, n, view, lines, fair: [...state.fair, ...(n > state.n ? (fair ?? []) : [])] };
}

function present(view: View, online: readonly number[]): View {
  return { ...view, seats: view.seats.map((seat, i) => ({ ...seat, online: online.includes(i) })) };
}

/** The number of the last act of the game that is known here; 0 before the first. */
export function lastAct(state: TableState | null): number {
  return state?.lines.at(-1)?.n ?? 0;
}

/** What there is to show for a message: dice that roll before they tell, a verdict at once, or just the new state. */
export type Plan =
  | { readonly show: "roll"; readonly line: Line; readonly ms: number }
  | { readonly show: "verdict"; readonly line: Line }
  | { readonly show: "anew"; readonly line: Line | null }
  | { readonly show: "still" };

/** How long dice roll, by the speed of the table. */
export const ROLL_MS = [2000, 1500, 900, 250] as const;

export function plan(before: TableState | null, message: ServerMessage): Plan {
  if (before === null || (message.t !== "news" && message.t !== "anew") || message.n < before.n) return { show: "still" };
  if (message.t === "anew") return { show: "anew", line: newest(message) };
  const { line } = message;
  if (!line || line.n <= lastAct(before)) return { show: "still" };
  if (line.roll && line.digital) return { show: "roll", line, ms: rollTime(message.view) };
  return { show: "verdict", line };
}

function newest(message: Anew): Line | null {
  return message.lines.at(-1) ?? null;
}

function rollTime(view: View): number {
  return ROLL_MS[view.settings.speed ?? 1] ?? ROLL_MS[1];
}
