/** A stage of the final as desk and hall show it: where each finalist stands, and which throws belong together. Pure. */
import type { GroupView, StageThrow, StageView } from "../event_protocol";
import { inOrder, type EventState } from "./state";

export interface Finalist {
  readonly guest: number;
  /** The place that is certain; 0 while there is none. */
  readonly place: number;
  readonly due: boolean;
  readonly next: boolean;
  readonly leads: boolean;
  /** Throws again, or has in this tie. */
  readonly tied: boolean;
  /** What was thrown, apart for each tie; the latest last. */
  readonly bouts: readonly (readonly StageThrow[])[];
}

/**
 * Who may be called to a final beside its champions: who has a place and a name, and where the door checks guests in,
 * who came or has played.
 */
export function callable(state: EventState): number[] {
  const guests = inOrder(state.guests);
  const checked = new Set(guests.filter((guest) => guest.here).map((guest) => guest.session));
  const played = (table: number | null | undefined) => table != null && state.tables[table]?.status !== "waiting";
  return guests.filter((guest) => guest.status === "listed" && guest.name && (guest.here || !checked.has(guest.session) || played(guest.table))).map((guest) => guest.number);
}

/** Whether a group has its winners. */
export function decided(group: GroupView): boolean {
  return group.due == null && (group.places ?? []).some((place) => place.length > 0);
}

/** All of a group: whose throw is due, who won or leads, then the others as they play. */
export function finalists(group: GroupView): Finalist[] {
  const all = group.guests.map((guest) => finalist(group, guest));
  const rank = (one: Finalist) => (one.due ? 0 : one.place ? one.place : one.leads ? 100 : 101);
  return all.sort((a, b) => rank(a) - rank(b));
}

function finalist(group: GroupView, guest: number): Finalist {
  const place = (group.places ?? []).findIndex((one) => one.includes(guest)) + 1;
  const has = (guests: readonly number[] | undefined) => (guests ?? []).includes(guest);
  return { guest, place, due: group.due === guest, next: group.next === guest, leads: has(group.ahead), tied: has(group.tied), bouts: boutsOf(group, guest) };
}

function boutsOf(group: GroupView, guest: number): StageThrow[][] {
  const bouts = new Map<number, StageThrow[]>();
  for (const thrown of group.throws) {
    if (thrown.guest !== guest) continue;
    const tie = thrown.again ?? 0;
    bouts.set(tie, [...(bouts.get(tie) ?? []), thrown]);
  }
  return [...bouts.values()];
}

/** Digits that somebody has typed, and for which throw of a group. */
export interface Typed {
  readonly turn: string;
  readonly faces: string;
}
export const NOTHING_TYPED: Typed = { turn: "", faces: "" };

/** Which throw of a group is due: whose, and after how many. */
export function turnOf(group: GroupView): string {
  return `${group.due}/${group.throws.length}`;
}

/** What was typed for this throw; digits meant for another one are nobody's. */
export function typedFor(typed: Typed, turn: string): string {
  return typed.turn === turn ? typed.faces : "";
}

/** Whether these are so many dice. */
export function isThrow(faces: string, dice: number): boolean {
  return faces.length === dice && /^[1-6]+$/.test(faces);
}

/** The throw of a bout that counts, if one does. */
export function counting(bout: readonly StageThrow[]): StageThrow | undefined {
  return bout.find((thrown) => thrown.counts);
}

/** Of the throws of a bout as many as there is room for: the one that counts and the latest, as they fell. */
export function shortened(bout: readonly StageThrow[], dice: number): StageThrow[] {
  const room = bout.reduce((most, thrown) => Math.max(most, thrown.faces?.length ?? 0), 1);
  const most = Math.max(1, Math.floor(dice / room));
  const counts = counting(bout);
  const latest = bout.slice(-most);
  if (!counts || latest.includes(counts)) return latest;
  return [counts, ...latest.slice(1)];
}

export interface Winner {
  readonly stage: number;
  readonly guests: readonly number[];
  readonly thrown: StageThrow | undefined;
  readonly table: number | undefined;
}

/** Who won a group of the last stage between two states of it. */
export function winners(before: StageView | undefined, after: StageView | undefined, stage: number): Winner[] {
  if (!before || !after) return [];
  return after.groups.flatMap((group, at) => {
    const was = before.groups[at];
    const first = decided(group) ? (group.places?.[0] ?? []) : [];
    if (!first.length || (was && decided(was) && String(was.places?.[0]) === String(first))) return [];
    const bout = first.length === 1 ? finalist(group, first[0] ?? 0).bouts.at(-1) : undefined;
    return [{ stage, guests: first, thrown: bout && counting(bout), table: group.table ?? undefined }];
  });
}
