/** By which sheet the pages to learn are read; the reader's choice. */
import { DEFAULT_SHEET } from "./sheets";
import { recall, remember } from "./store";

let key = $state(recall("reading", DEFAULT_SHEET));

export function readingKey(): string {
  return key;
}

export function readBy(next: string): void {
  key = next;
  remember("reading", next);
}
