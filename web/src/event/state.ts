/** An event as this page knows it, and what a message makes of it. Pure. */
import type { BoardRow, EventServerMessage, EventTableView, EventView, EventWelcome, EventYou, GuestView, VoucherView } from "../event_protocol";
import { isWord, said, t, word, type Said } from "$lib/texts.svelte";

type Numbered<T> = Readonly<Record<string, T>>;

export interface EventState {
  readonly code: string;
  /** The last entry of the event's log that is known here. */
  readonly n: number;
  readonly you: EventYou;
  readonly view: EventView;
  readonly guests: Numbered<GuestView>;
  readonly tables: Numbered<EventTableView>;
  readonly vouchers: Numbered<VoucherView>;
  readonly board: Numbered<BoardRow>;
}

/** The state after a message; the same object where the message changes nothing. */
export function fold(state: EventState | null, message: EventServerMessage): EventState | null {
  switch (message.t) {
    case "event_welcome":
      return welcomed(message);
    case "event_news":
      if (!state || message.n < state.n) return state;
      return {
        ...state,
        n: message.n,
        view: message.view,
        guests: merged(state.guests, message.guests, message.gone?.guests),
        tables: merged(state.tables, message.tables, message.gone?.tables),
        vouchers: merged(state.vouchers, message.vouchers, message.gone?.vouchers),
      };
    case "board":
      return state && { ...state, board: { ...state.board, ...message.rows } };
    default:
      return state;
  }
}

function welcomed({ code, n, you, view, guests, tables, vouchers, board }: EventWelcome): EventState {
  return { code, n, you, view, guests, tables, vouchers, board };
}

function merged<T>(before: Numbered<T>, changed: Numbered<T> = {}, gone: readonly number[] = []): Numbered<T> {
  if (!gone.length && !Object.keys(changed).length) return before;
  const without = gone.map(String);
  return Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([number]) => !without.includes(number)));
}

/** Numbered things in the order of their numbers. */
export function inOrder<T>(things: Numbered<T>): (T & { number: number })[] {
  return Object.entries(things).map(([number, thing]) => ({ ...thing, number: Number(number) }));
}

/** A guest's name, with the number where others bear the same, or what one is called whose name was erased: the same at every place. */
export function guestName(state: EventState, number: number): string {
  const name = plainName(state, number);
  return twinsIn(state.guests).has(number) ? t("common.guest_called", { name, n: number }) : name;
}

/** The same where the number stands beside it. */
export function plainName(state: EventState, number: number): string {
  return called(state.guests[number]?.name, number);
}

const twinsOf = new WeakMap<Numbered<GuestView>, ReturnType<typeof namesakes>>();

/** The namesakes among guests, found once. */
function twinsIn(guests: Numbered<GuestView>): ReturnType<typeof namesakes> {
  const twins = twinsOf.get(guests) ?? namesakes(guests);
  twinsOf.set(guests, twins);
  return twins;
}

export function called(name: string | undefined, number: number): string {
  return name || t("common.guest_n", { n: number });
}

/** How a name is compared with others: without case, width and what is not seen. */
const alike = (name: string) => name.normalize("NFKC").replace(/[\p{Cf}\s]/gu, "").toLowerCase();

/** The guests of the same session who bear the same name, by guest; without those who withdrew or whose name was erased. */
export function namesakes(guests: Numbered<GuestView>): ReadonlyMap<number, readonly number[]> {
  const bearing = new Map<string, number[]>();
  for (const { number, name, session, status } of inOrder(guests)) {
    if (!name || status === "withdrawn") continue;
    const key = `${session} ${alike(name)}`;
    bearing.set(key, [...(bearing.get(key) ?? []), number]);
  }
  const several = [...bearing.values()].filter((numbers) => numbers.length > 1);
  return new Map(several.flatMap((numbers) => numbers.map((one) => [one, numbers.filter((other) => other !== one)] as const)));
}

/** What a stage of the final is called; "" where it is none. */
export function stageName(state: EventState, number: number): string {
  const stage = state.view.stages[number];
  return stage ? said(stage.called as Said) : "";
}

/** What a tier is called, at whichever session has it; a prize with a name of its own is called by that. */
export function itemName(state: EventState, key: string): string {
  for (const session of Object.values(state.view.sessions)) {
    const tier = session.tiers.find((one) => one["key"] === key);
    if (tier) return said(tier["names"] as Said);
  }
  return isWord(key) ? word(key) : key;
}

/** The lowest number that no table has. */
export function freeTable(state: EventState): number {
  return Math.max(0, ...Object.keys(state.tables).map(Number)) + 1;
}
