/**
 * Commands on their way to the server, in order. Each is kept, across reloads, until the server has answered for it.
 * One is under way at a time; what was sent is sent again word for word, so that it is the same command and done once.
 */
import type { ClientMessage } from "../protocol";

export type Command = Extract<ClientMessage, { cmd: string }>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A command before it has its id and the version it is meant for. */
export type Draft = Without<Command, "cmd" | "at">;

/** D: what it asks for; at a table a `Draft`. */
export interface Waiting<D = Draft> {
  readonly cmd: string;
  readonly draft: D;
  /** The version it was sent for, or is meant for and no other; null while it was never sent and may go out for any. */
  readonly at: number | null;
}

/** Whether a command changes what happened already: it is meant for the table as it was seen then, and no other. */
export function looksBack(draft: { readonly t: string; readonly act?: Readonly<Record<string, unknown>> }): boolean {
  return draft.t === "do" && draft.act !== undefined && ("undo" in draft.act || "correct" in draft.act);
}

/** Whether a command uses up a turn: a throw, or a turn that is passed over. */
export function takesTurn(draft: Draft): boolean {
  return draft.t === "do" && ["roll", "spill", "pass", "rolloff"].some((kind) => kind in draft.act);
}

/** Where the queue of a table is kept. */
export interface Shelf<D = Draft> {
  load(): readonly Waiting<D>[];
  save(waiting: readonly Waiting<D>[]): void;
}

export class Queue<D extends { readonly t: string } = Draft> {
  #waiting: readonly Waiting<D>[];

  constructor(
    private readonly shelf: Shelf<D>,
    private readonly newId: () => string,
  ) {
    this.#waiting = shelf.load();
  }

  get waiting(): readonly Waiting<D>[] {
    return this.#waiting;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Puts a command behind the others, or before them all; its id. at: the version it is meant for, if for one alone. */
  add(draft: D, first = false, at: number | null = null): string {
    const added = { cmd: this.newId(), draft, at };
    this.#keep(first ? [added, ...this.#waiting] : [...this.#waiting, added]);
    return added.cmd;
  }

  /** What goes out now: the first command, for version `at` unless it is meant for another. */
  next(at: number): (D & { cmd: string; at: number }) | null {
    const [first, ...rest] = this.#waiting;
    if (!first) return null;
    const sent = first.at === null ? { ...first, at } : first;
    if (sent !== first) this.#keep([sent, ...rest]);
    return { ...sent.draft, cmd: sent.cmd, at: sent.at ?? at };
  }

  /** The server has answered for a command: it is done, or refused and gone. The command, where it was known. */
  settle(cmd: string): Waiting<D> | undefined {
    const found = this.#waiting.find((one) => one.cmd === cmd);
    if (found) this.#keep(this.#waiting.filter((one) => one !== found));
    return found;
  }

  /** Takes the last command out again, where it has never been sent; whether there was one. */
  withdraw(): boolean {
    const last = this.#waiting.at(-1);
    if (!last || (last.at !== null && !looksBack(last.draft))) return false;
    this.#keep(this.#waiting.slice(0, -1));
    return true;
  }

  clear(): void {
    this.#keep([]);
  }

  #keep(waiting: readonly Waiting<D>[]): void {
    this.#waiting = waiting;
    this.shelf.save(waiting);
  }
}

/** An id for a command: 22 signs that nobody guesses. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
