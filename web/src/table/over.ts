/**
 * A game that its host ends because its rules are wrong: the same people go on at a new table, where the rules are
 * changed before anything else. Forgotten with the page, and after a while: what ends later ended by itself.
 */
const PATIENCE_MS = 20_000;
let ending = { table: "", at: 0 };
let changing = "";

export function startOver(table: string, now = performance.now()): void {
  ending = { table, at: now };
}

/** Whether this table was ended to start over; says so once. */
export function startsOver(table: string, now = performance.now()): boolean {
  const found = ending.table === table && now - ending.at < PATIENCE_MS;
  ending = { table: "", at: 0 };
  return found;
}

export function changeFirst(table: string): void {
  changing = table;
}

/** Whether the rules of this table are to be changed first; says so once. */
export function changesFirst(table: string): boolean {
  const found = changing === table;
  if (found) changing = "";
  return found;
}
