/** Provable dice as a page sees them. The part that counts with bytes is fetched when a table has such dice. */
import type { LinkWanted } from "../protocol";
import type { Alarm, Guard } from "../fair/guard";
import type { Judged } from "../fair/proofs";
import type { Remark } from "./connection";
import type { TableState } from "./live";
import type { Draft } from "./queue";

/** Another device of the same seat may have the links; so long it may answer first. */
const OTHERS_FIRST_MS = 1500;
const REPEAT_MS = 3000;
/** A page that runs notes the time so often; one that did not for so long slept, and hears late what was said in time. */
const BEAT_MS = 1000;
const ASLEEP_MS = 5000;

export class FairSide {
  /** What cannot be right; there is nothing here while all is well. */
  alarm = $state.raw<Alarm | null>(null);
  /** The six signs as this page has worked them out itself. */
  signs = $state<string | null>(null);
  t0 = $state<string | null>(null);
  /** What was found of each throw, by the number of its act. */
  judged = $state.raw<ReadonlyMap<number, Judged>>(new Map());
  #guard: Guard | null = null;
  #newest: TableState | null = null;
  #work: Promise<void> = Promise.resolve();
  /** A link that was asked for before its draw was the next one here. */
  #wanted: LinkWanted | null = null;
  #said = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the table was told on this connection: what follows is news. */
  #listens = false;
  #beat = Date.now();
  #beats: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly remark: (remark: Remark) => void) {}

  /** Takes in how the table stands now, and does what this device has to do for its seat. */
  follow(state: TableState): void {
    this.#newest = state;
    const told = this.#heard();
    if (!state.view.fair && !this.#guard) return;
    this.#work = this.#work.then(() => this.#follow(state, told)).catch((error: unknown) => console.error("proof of the dice:", error));
  }

  /** When what comes now was said, where this page has been listening: it hears at once then. */
  #heard(): number | null {
    const now = Date.now();
    if (!this.#beats) this.#beat = now;
    this.#beats ??= setInterval(() => (this.#beat = Date.now()), BEAT_MS);
    const listened = this.#listens && now - this.#beat < ASLEEP_MS;
    this.#listens = true;
    return listened ? now : null;
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#beats);
  }

  /** A new connection knows nothing of what was said on the one before. */
  reconnected(): void {
    this.#said = "";
    this.#wanted = null;
    this.#listens = false;
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

  async #follow(state: TableState, told: number | null): Promise<void> {
    this.#guard ??= new (await import("../fair/guard")).Guard();
    const guard = this.#guard;
    const said = await guard.follow(state, told).finally(() => (this.alarm = guard.alarm));
    if (state === this.#newest) this.#say(said, guard.doubts);
    this.#give();
    Object.assign(this, { signs: guard.signs, t0: guard.t0 });
    if (guard.judged.length !== this.judged.size) this.judged = new Map(guard.judged.map((one) => [one.n, one]));
  }

  /** Says it once, and again where nothing came of it; looks again at what was in doubt. */
  #say(remark: Remark | null, doubts: boolean): void {
    clearTimeout(this.#timer);
    const text = remark ? JSON.stringify(remark) : "";
    if (remark && text !== this.#said) this.remark(remark);
    this.#said = text;
    if (!remark && !doubts) return;
    this.#timer = setTimeout(() => {
      this.#said = "";
      if (this.#newest) this.follow(this.#newest);
    }, REPEAT_MS);
  }
}
