/** What this device has seen of games, to hold against their records later. */
import { recall, remember } from "$lib/store";

export interface Receipt {
  /** The table where it was seen first. */
  readonly code: string;
  readonly game: string;
  readonly t0: string;
  /** The hash of the record when it was last looked at here. */
  readonly h: string;
}

const SHELF = "receipts";
const KEEP = 60;

export function receipts(): Receipt[] {
  const kept = recall<unknown>(SHELF, []);
  return Array.isArray(kept) ? (kept as Receipt[]).filter((one) => typeof one?.game === "string" && typeof one.t0 === "string") : [];
}

export function receiptOf(game: string | undefined): Receipt | undefined {
  return receipts().find((one) => one.game === game);
}

/** Keeps it; the table and T0 of a game stay what they were first. */
export function keepReceipt(receipt: Receipt): void {
  const before = receiptOf(receipt.game);
  if (before && before.t0 !== receipt.t0) return;
  const others = receipts().filter((one) => one.game !== receipt.game);
  remember(SHELF, [{ ...receipt, code: before?.code ?? receipt.code }, ...others].slice(0, KEEP));
}
