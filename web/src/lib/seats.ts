/** Who sits where, what may be done from here, and how things of a table are called. No rule of the game. */
import { t } from "./texts.svelte";
import type { Line, RulesView, View, You } from "../protocol";

/** The name of a seat; a number where it has none: that of an event's guest whose name was erased, or of the seat. */
export function nameOf(view: View, seat: number): string {
  const { name, guest } = view.seats[seat] ?? {};
  return name || (guest ? t("common.guest_n", { n: guest }) : `#${seat + 1}`);
}

/** Whether this device may act for a seat: the host for all, a seat for itself and for neighbours without a device. */
export function mayActFor(you: You, view: View, seat: number): boolean {
  if (you.role === "host") return true;
  if (you.role === "watch") return false;
  return you.seat === seat || !view.seats[seat]?.device;
}

/** The seats in the order of play, beginning with the one whose turn it is. */
export function fromNext(view: View): number[] {
  const at = Math.max(0, view.order.indexOf(view.next ?? view.order[0] ?? 0));
  return [...view.order.slice(at), ...view.order.slice(0, at)];
}

/** The seat that throws so many turns after the next one, as far as can be known from here. */
export function seatAfter(view: View, turns: number): number | null {
  const there = view.order.filter((one) => !view.seats[one]?.away || one === view.next);
  const at = there.indexOf(view.next ?? -1);
  return at < 0 ? null : (there[(at + turns) % there.length] ?? null);
}

const THROWN = ["roll", "spill", "cocked", "pass", "rolloff", "correct"];

/** The act that a plain undo takes back: the last throw that stands, or what was put in its place. */
export function undoable(lines: readonly Line[]): Line | undefined {
  return lines.findLast(({ act, struck }) => !struck && THROWN.some((kind) => kind in act));
}

export function mayUndo(you: You, lines: readonly Line[]): boolean {
  const line = undoable(lines);
  if (!line) return false;
  return you.role === "host" || (you.role === "seat" && line.seat === you.seat && line === lines.at(-1));
}

/** Whether a line changes what was done before: an undo or a correction. */
export function isChange({ act }: Line): boolean {
  return "undo" in act || "correct" in act;
}

/**
 * What goes along when act `n` is taken back: all that stands after it. Where `n` is itself a change, the table is again
 * as it stood before it; then changes since go too, but for undos of what goes anyway.
 */
export function goesWith(lines: readonly Line[], n: number): Line[] {
  const line = lines.find((one) => one.n === n);
  if (!line) return [];
  const later = lines.filter((one) => one.n > n && !one.struck);
  if (!isChange(line)) return later.filter((one) => !isChange(one));
  return later.filter(({ act }) => !("undo" in act && Number(act["undo"]) > n));
}

/** Whether the sheet gives points. */
export function hasPoints(rules: RulesView): boolean {
  return rules.tiers.some((tier) => tier.points);
}

/** How rare a throw is under these rules, 0 to 3: how much there is to cheer. */
export function rarity(rules: RulesView, line: Line): 0 | 1 | 2 | 3 {
  const count = line.combination ? rules.combinations[line.combination] : undefined;
  if (!count || line.combination === "none") return 0;
  return count <= 60 ? 3 : count <= 800 ? 2 : count <= 2600 ? 1 : 0;
}
