/** Small sums of the desk: sizes of tables, numbers that are free, what a guest is called in a list. */
import type { EventState } from "./state";

/** Sizes that differ by one at most, larger ones first. */
export function evenSizes(people: number, groups: number): number[] {
  if (groups < 1) return [];
  const least = Math.floor(people / groups);
  return Array.from({ length: groups }, (_, i) => least + (i < people - least * groups ? 1 : 0));
}

/** Sizes as they are read out: 14/13/13, or 10 × 14 where many are the same. */
export function readSizes(sizes: readonly number[]): string {
  if (sizes.length <= 6) return sizes.join(" / ");
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].map(([size, n]) => `${n} × ${size}`).join(" + ");
}

/** The lowest numbers that no table outside this session has. */
export function tableNumbers(state: EventState, session: number, count: number): number[] {
  const taken = new Set(Object.entries(state.tables).filter(([, table]) => table.session !== session || table.stage != null).map(([number]) => Number(number)));
  const free: number[] = [];
  for (let number = 1; free.length < count; number++) if (!taken.has(number)) free.push(number);
  return free;
}

/** A seed that nobody knows beforehand. */
export function newSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
