/** What a prize desk shows: vouchers found, grouped by who won them, and sums that agree with the stock. Pure. */
import type { VoucherView } from "../event_protocol";
import { t, type Lang } from "$lib/texts.svelte";
import { guestName, inOrder, type EventState } from "./state";

export type Numbered = VoucherView & { readonly number: number };

export interface Wanted {
  readonly words: string;
  readonly table: number | null;
  /** What still has to be done, or everything. */
  readonly all: boolean;
}

const DUE = ["open", "absent", "recalled"];

/** Whether something is to be done about a voucher at the desk. */
export function isDue(voucher: VoucherView): boolean {
  return DUE.includes(voucher.state);
}

/** The vouchers that were asked for, in the order of their numbers. A number finds a voucher, and a guest's vouchers. */
export function found(state: EventState, { words, table, all }: Wanted): Numbered[] {
  const word = words.trim().toLocaleLowerCase();
  const number = /^\d+$/.test(word) ? Number(word) : null;
  return inOrder(state.vouchers).filter((voucher) => {
    if (table !== null && voucher.table !== table) return false;
    if (number !== null) return voucher.number === number || voucher.guest === number;
    if (!all && !isDue(voucher)) return false;
    return !word || (state.guests[voucher.guest]?.name ?? "").toLocaleLowerCase().includes(word);
  });
}

/** A list as it was chosen: it stays in its order while prizes go out, here or at another desk, so that no tap hits a neighbour. */
export interface Listed {
  /** What it was chosen by. */
  readonly by: string;
  readonly numbers: readonly number[];
}

/** The list after news: what was in it stays where it was, what is new comes last; chosen by something else it begins anew. */
export function listed(before: Listed, by: string, hits: readonly Numbered[]): Listed {
  const kept = before.by === by ? before.numbers : [];
  const known = new Set(kept);
  const fresh = byGuest(hits.filter((voucher) => !known.has(voucher.number)));
  return { by, numbers: [...kept, ...fresh.flatMap((group) => group.vouchers.map((voucher) => voucher.number))] };
}

export interface Group {
  readonly guest: number;
  readonly vouchers: Numbered[];
}

/** Vouchers by the guest who won them, in the order of the first of each. */
export function byGuest(vouchers: readonly Numbered[]): Group[] {
  const groups = new Map<number, Numbered[]>();
  for (const voucher of vouchers) groups.set(voucher.guest, [...(groups.get(voucher.guest) ?? []), voucher]);
  return [...groups].map(([guest, own]) => ({ guest, vouchers: own }));
}

/** The vouchers of a list as they are now, in its order; those of one guest that stand together are one group. */
export function asListed(state: EventState, { numbers }: Listed): Group[] {
  const groups: Group[] = [];
  for (const number of numbers) {
    const voucher = state.vouchers[number];
    if (!voucher) continue;
    const last = groups.at(-1);
    if (last?.guest === voucher.guest) last.vouchers.push({ ...voucher, number });
    else groups.push({ guest: voucher.guest, vouchers: [{ ...voucher, number }] });
  }
  return groups;
}

/** The first groups in which so many vouchers count, at least one group; none is cut. */
export function firstWhole(groups: readonly Group[], most: number, counts: (voucher: Numbered) => boolean = () => true): Group[] {
  let sum = 0;
  return groups.filter((group, i) => (sum += group.vouchers.filter(counts).length) <= most || i === 0);
}

/** What a tier of a table's sheet is called; for a place in a final its number. */
export function tierName(state: EventState, voucher: VoucherView, lang: Lang): string {
  if (voucher.table == null) return voucher.tier;
  const session = state.view.sessions[state.tables[voucher.table]?.session ?? 0];
  const tier = session?.tiers.find((one) => one.key === voucher.tier);
  return (tier?.names as Record<string, string> | undefined)?.[lang] ?? voucher.tier;
}

/** A name that does not turn the text around it, whatever script it is written in. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** What a voucher is for. */
export function prizeName(state: EventState, voucher: VoucherView, lang: Lang): string {
  return voucher.item || tierName(state, voucher, lang);
}

/** Vouchers by what they are for, in the order of the first of each: a name, and all its numbers. */
export function byPrize(state: EventState, vouchers: readonly Numbered[], lang: Lang): { name: string; numbers: number[] }[] {
  const prizes = new Map<string, number[]>();
  for (const voucher of vouchers) {
    const name = prizeName(state, voucher, lang);
    prizes.set(name, [...(prizes.get(name) ?? []), voucher.number]);
  }
  return [...prizes].map(([name, numbers]) => ({ name, numbers }));
}

export interface Sum {
  open: number;
  handed: number;
  absent: number;
  waived: number;
  recalled: number;
  /** What the prizes that are out have cost, in hundredths. */
  value: number;
}

/** How many vouchers are where, by a key of theirs; void ones and those awarded again count nowhere. */
export function sums(vouchers: readonly Numbered[], key: (voucher: Numbered) => string): [string, Sum][] {
  const found = new Map<string, Sum>();
  for (const voucher of vouchers) {
    const state = voucher.state as keyof Sum;
    const sum = found.get(key(voucher)) ?? { open: 0, handed: 0, absent: 0, waived: 0, recalled: 0, value: 0 };
    if (!(state in sum)) continue;
    sum[state]++;
    if (state === "handed" || state === "recalled") sum.value += voucher.price ?? 0;
    found.set(key(voucher), sum);
  }
  return [...found];
}

/** Of a prize that went from an absent winner to another guest: from whom to whom, at either of its two vouchers. */
export function passedOn(state: EventState, { before, after }: VoucherView): string[] {
  const whose = (number: number) => guestName(state, state.vouchers[number]?.guest ?? 0);
  return [before ? t("day.instead", { n: before, name: whose(before) }) : "", after ? t("day.went_to", { n: after, name: whose(after) }) : ""].filter(Boolean);
}
