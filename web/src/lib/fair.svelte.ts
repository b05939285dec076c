/** Provable dice as a page sees them. The part that counts with bytes is fetched when a table has such dice. */
import type { LinkWanted } from "../protocol";
import type { Alarm, Guard } from "../fair/guard";
import type { Cover } from "../fair/proofs";
import type { Heard } from "../fair/overdue";
import type { Remark } from "./connection";
import type { TableState } from "./live";
import type { Draft } from "./queue";
import { recall } from "./store";

/** Another device of the same seat may have the links; so long it may answer first. */
const OTHERS_FIRST_MS = 1500;
const REPEAT_MS = 3000;
/** What is not followed by then, whatever it waits for, may show other dice than what was. */
const BEHIND_MS = 3000;

export class FairSide {
  /** What cannot be right; there is nothing here while all is well. */
  alarm = $state.raw<Alarm | null>(null);
  /** The six signs as this page has worked them out itself. */
  signs = $state<string | null>(null);
  /** The attempt that was opened last, and its T0, for another device to compare. */
  game = $state<string | null>(null);
  t0 = $state<string | null>(null);
  /** What the proof covers, as this page has worked it out itself; null until it has. */
  cover = $state.raw<Cover | null>(null);
  /** Seats, or all, whose public chance was named while this device was away. */
  missed = $state.raw<readonly (number | "all")[]>([]);
  #guard: Guard | null = null;
  #newest: TableState | null = null;
  #work: Promise<void> = Promise.resolve();
  /** A link that was asked for before its draw was the next one here. */
  #wanted: LinkWanted | null = null;
  #said = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was answered last; with it, how the clock of the server differs from ours. */
  #heard: Heard | null = null;
  /** Since when it waits for an answer to look again; null where it does not. */
  #waits: number | null = null;

  /** ask: asks the server whatever it answers to, where there is a connection. */
  constructor(
    private readonly remark: (remark: Remark) => void,
    private readonly ask: () => void = () => undefined,
  ) {}

  /** Takes in how the table stands now, and does what this device has to do for its seat. skew: of the server's clock. */
  follow(state: TableState, skew = 0): void {
    this.#newest = state;
    if (!state.view.fair && !state.fair.length && !this.#guard && !remembers(state.code)) return;
    const heard = this.#heard;
    const behind = setTimeout(() => this.#show(null), BEHIND_MS);
    this.#do(() => this.#follow(state, skew, heard).finally(() => clearTimeout(behind)));
  }

  /** The server answered what was asked at that moment: what is not here by now it said later. */
  answered(at: number, skew: number): void {
    if (this.#newest?.late) return; // what others said may not have reached the one who answers
    const heard = (this.#heard = { at, skew });
    this.#do(async () => this.#guard?.hear(heard));
    if (this.#waits !== null && at >= this.#waits && this.#newest) this.follow(this.#newest, skew);
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => console.error("proof of the dice:", error));
  }

  /** Whether this device calls nothing proved that is drawn for a seat: it was warned. */
  doubts(seat: number): boolean {
    return this.alarm !== null && (this.alarm.why !== "own" || seat === this.#newest?.you.seat);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waits = null;
  }

  /** A new connection knows nothing of what was said on the one before. */
  reconnected(): void {
    this.#said = "";
    this.#wanted = null;
  }

  /** A throw with the link of this device, where the seat is its own. */
  linked(draft: Draft): Draft | Promise<Draft> {
    const state = this.#newest;
    const fair = state?.view.fair;
    if ((draft.t !== "throw" && draft.t !== "start_dice") || !fair || draft.seat !== state?.you.seat) return draft;
    if (!fair.own?.includes(draft.seat)) return draft; // its links count from another throw on, or not at all
    const { seat } = draft;
    const link = () => this.#guard?.link(fair.game, fair.k?.[seat] ?? 1) ?? null;
    const known = link();
    if (known) return { ...draft, link: known };
    return this.#work.then(() => ({ ...draft, link: link() }));
  }

  /** Somebody throws for this seat. Without links this device says so, once no other has answered. */
  wanted(wanted: LinkWanted): void {
    void this.#work.then(() => {
      this.#wanted = wanted;
      this.#give();
      if (!this.#guard?.lacks(wanted.game)) return;
      const n = this.#newest?.n;
      setTimeout(() => this.#newest?.n === n && this.remark({ t: "lost_links", seat: wanted.seat }), OTHERS_FIRST_MS);
    });
  }

  #give(): void {
    const { seat, game, k } = this.#wanted ?? {};
    if (seat === undefined || game === undefined || k === undefined) return;
    const link = this.#guard?.link(game, k);
    if (!link) return;
    this.#wanted = null;
    this.remark({ t: "link", seat, game, k, link });
  }

  async #follow(state: TableState, skew: number, heard: Heard | null): Promise<void> {
    const first = this.#guard === null;
    const guard = (this.#guard ??= new (await import("../fair/guard")).Guard());
    const said = await guard.follow(state, skew).catch((error: unknown) => {
      this.alarm = guard.alarm;
      this.#show(null);
      throw error;
    });
    this.alarm = guard.alarm;
    if (first && heard) guard.hear(heard);
    if (state === this.#newest) this.#say(said, guard.doubts);
    this.#give();
    this.#show(guard);
  }

  /** What was followed; what could not be proves nothing. */
  #show(guard: Guard | null): void {
    Object.assign(this, { signs: guard?.signs ?? null, cover: guard?.cover ?? null });
    if (guard) Object.assign(this, { game: guard.game, t0: guard.t0, missed: guard.missed });
  }

  /** Says it once, and again where nothing came of it; looks again at what was in doubt. Both once the server has answered: this
   * device may have slept, or be cut off, and what it knows be long over. */
  #say(remark: Remark | null, doubts: boolean): void {
    clearTimeout(this.#timer);
    this.#waits = null;
    const text = remark ? JSON.stringify(remark) : "";
    if (remark && text !== this.#said) this.remark(remark);
    this.#said = text;
    if (!remark && !doubts) return;
    this.#timer = setTimeout(() => {
      this.#said = "";
      this.#waits = Date.now();
      this.ask();
    }, REPEAT_MS);
  }
}

/** Whether this device has seen provable dice at a table, whatever the server says of it now. */
function remembers(code: string): boolean {
  const seen = recall<unknown>("seen", []);
  return Array.isArray(seen) && seen.some((one) => (one as { code?: unknown } | null)?.code === code);
}
