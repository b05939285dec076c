/**
 * A device's own look at provable dice while they are played: it takes part for its seat, follows every draw, and says
 * so when something cannot be right. Fetched when a table has such dice.
 */
import type { FairView, Line } from "../protocol";
import type { TableState } from "$lib/live";
import { bindsAlready, lostBefore } from "./binding";
import { hex, type Bytes } from "./bytes";
import { canonical } from "./canonical";
import { PASSING, type FairEvent, type Proof, type Why } from "./events";
import { broughtBy, isFormed } from "./formed";
import { claimChain, findChain, takeChain, type Which } from "./keeper";
import { Memory, written, type Cry } from "./memory";
import { howNamed, isOut, Overdue, saidAfter, type Heard, type Named } from "./overdue";
import { Proofs, type Act, type Cover, type Judged, type Signed } from "./proofs";
import { keepReceipt, receiptOf, receipts } from "./receipts";

/** What a device says for its seat, without anybody's doing. */
export type Said =
  | { t: "commit"; seat: number; game: string; player: string }
  | { t: "reveal"; seat: number; game: string; link: string };

export interface Alarm {
  readonly why: Why;
  readonly judged: Judged | null;
}

/** What stands for the seat of this device in the attempt that was closed last. */
interface Bound {
  readonly game: string;
  t0: string;
  /** The public chance that was announced for it. */
  plan: string;
  player: string | null;
  /** Whether the dice that its links go into are fixed: until then none but the first leaves the device. */
  fixed: boolean;
}

type Doubts = ReadonlyMap<string, number>;

/** What may pass by itself is looked at again after so long, before anybody cries out. */
export const AGAIN_MS = 3000;
/** What needs nothing that was to be erased: something ends, or all begins anew. */
const ENDING: readonly FairEvent["t"][] = ["attempt", "void", "seat_void", "lost", "real"];

export class Guard {
  alarm: Alarm | null = null;
  #proofs: Proofs | null = null;
  #events = 0;
  /** Every act as it came first: nothing that was seen may change. */
  #seen: string[] = [];
  #compared = new WeakSet<Line>();
  #acts = 0;
  /** serves: the one attempt of one table that its links are shown for. */
  #chain: { which: Which; links: Bytes[] | null; serves: string | null } | null = null;
  #bound: Bound | null = null;
  #signed: Signed | undefined;
  /** The highest draw of each seat in this attempt that is sound, taken back or not. */
  #drawn = new Map<number, number>();
  #started = false;
  /** The hash of the rules that was told first. */
  #rules = "";
  /** Whether its seat was bound since this device heard the table last. */
  #boundNow = false;
  #memory: Memory | null = null;
  /** What may pass by itself, and since when it does not. */
  #doubts: Doubts = new Map();
  /** After which moment what is new now was said, by the clock of this device; null where nobody knows. */
  #after: number | null = null;
  #overdue = new Overdue();
  /** The seat of this device; nobody knows before the table was told. */
  #seat: number | null | undefined;
  /** Where this is: the table, and the attempt that was opened last, as its events have it. */
  #at = { code: "", game: "", t0: "" };

  /** now: this device's clock, in milliseconds since 1970. */
  constructor(private readonly now: () => number = Date.now) {}

  /** Whether something is to be looked at again soon. */
  get doubts(): boolean {
    return this.#doubts.size > 0;
  }

  get signs(): string | null {
    return this.#proofs?.signs ?? null;
  }

  get game(): string | null {
    return this.#proofs?.game ?? null;
  }

  get t0(): string | null {
    return this.#proofs?.t0 ?? null;
  }

  /** What the proof covers now, as this device worked it out; whatever the server calls it. Its own seat, where it gave its
   * links; nothing while less is told than it has seen. */
  get cover(): Cover | null {
    const cover = this.#proofs?.cover ?? null;
    if (!cover || this.#doubts.has("older")) return null;
    const part = this.#own !== null && this.#serves(this.#bound?.t0 ?? "");
    return part ? cover : { ...cover, own: cover.own.filter((seat) => seat !== this.#seat) };
  }

  /** Seats, or all, whose public chance was named while this device was away: it cannot tell whether that was in time. */
  get missed(): readonly (number | "all")[] {
    return [...this.#overdue.current].flatMap(([whose, t0]) => (this.#memory?.named(t0) === "away" ? [whose] : []));
  }

  get judged(): readonly Judged[] {
    return this.#proofs?.judged ?? [];
  }

  /** Takes in how the table stands; what this device has to say to it. skew: the server's clock minus that of the device. */
  async follow(state: TableState, skew = 0): Promise<Said | null> {
    this.#memory ??= new Memory(state.code);
    this.#at = { code: state.code, ...openedLast(state) };
    if (!isFormed(state)) {
      this.#raise("form", null);
      return null;
    }
    this.#sit(state.you.seat ?? null);
    await this.#prepare(state);
    const before = this.#doubts;
    this.#doubts = new Map();
    this.#after = saidAfter(this.#memory.heard, this.now(), skew);
    this.#recall(this.#memory);
    this.#compare(state);
    this.#remember(this.#memory, state, before);
    this.#check(state);
    this.#compareShown(state);
    this.#lookAtSeat(state);
    this.#lookAtClock(before);
    await this.#claim(state);
    this.#keepReceipt(state);
    return this.#answer(state, before);
  }

  /** What comes after what was followed until now was not said yet when this device asked, and was answered. */
  hear(heard: Heard): void {
    this.#memory?.hear(heard);
  }

  /** Whether its seat is bound in that attempt to links that this device does not have, or does not give any more. */
  lacks(game: string): boolean {
    return this.#bound?.game === game && (this.#own === null || this.#refused);
  }

  /** The link of this device for the k-th draw of its seat; null where it has none, or that draw is not the next one or
   * an earlier: who asks for more would know dice before anybody else. None at all where the table went back to an older
   * state: what was shown since is known there, and may not vouch for whoever comes now. */
  link(game: string, k: number): string | null {
    if (this.#refused || this.#doubts.has("older")) return null;
    const seat = (this.#chain?.which.seat ?? 0) - 1;
    const next = (this.#drawn.get(seat) ?? 0) + 1;
    if (!this.#bound?.fixed || this.#bound.game !== game || this.signs === null) return null;
    if (!Number.isSafeInteger(k) || k < 1 || k > next) return null;
    const link = this.#serves(this.#bound.t0) ? this.#own?.[k + 1] : undefined;
    return link ? hex(link) : null;
  }

  /** Whether this device takes no further part: what is wrong is not over with one attempt. */
  get #out(): boolean {
    return this.alarm !== null && !PASSING.includes(this.alarm.why);
  }

  #serves(t0: string): boolean {
    return this.#chain?.serves?.endsWith(t0) ?? false;
  }

  /** The links of this device, where they are what its seat is bound to. */
  get #own(): Bytes[] | null {
    const links = this.#chain?.links ?? null;
    return links && hex(links[0] as Bytes) === this.#bound?.player ? links : null;
  }

  /** What stands for another seat than before is found by following the table from its beginning. */
  #sit(seat: number | null): void {
    const moved = this.#seat !== undefined && seat !== this.#seat;
    this.#seat = seat;
    if (!moved) return;
    this.#startOver();
    this.#chain = null;
  }

  /** Fetches what the next steps need, so that these take no time. */
  async #prepare({ you, view, fair }: TableState): Promise<void> {
    const planned = fair.some(({ event }) => event.t === "attempt" && String(event.plan).startsWith("01"));
    if (planned) this.#signed ??= (await import("./drand")).signedByDrand;
    const now = view.fair;
    if (!now || you.seat == null) return;
    const lost = lostBefore(fair, now.game, you.seat);
    const which = { game: now.game, seat: you.seat + 1, throws: now.links, lost };
    const fresh = asked(now, you.seat) && !bindsAlready(fair, now.game, you.seat);
    const before = this.#chain?.which;
    if (before?.game === now.game && before.lost === lost && (this.#chain?.links || !fresh)) return;
    this.#chain = { which, links: fresh ? await takeChain(which) : await findChain(which), serves: null };
  }

  /** A chain serves one attempt of one table: shown for another, its links would be known beforehand. A game that only
   * lies at another table, as it was read from its record, asks for nothing. */
  async #claim({ code, you, view }: TableState): Promise<void> {
    const [chain, bound] = [this.#chain, this.#bound];
    if (!chain || !bound || !this.#own || (this.#out && !bound.fixed)) return;
    const purpose = `${code} ${bound.t0}`;
    if (chain.serves === purpose) return;
    if (chain.serves === null && (await claimChain(chain.which, purpose))) chain.serves = purpose;
    else if (view.fair && asked(view.fair, you.seat ?? -1)) this.#raise("changed", null);
  }

  /** Whether this device shows nothing more for the attempt that its seat is bound in: the table went back in it. */
  get #refused(): boolean {
    return this.#bound !== null && (this.#memory?.refuses(this.#bound.t0) ?? false);
  }

  /** What was cried out stands, before a reload or another seat too; what passes, until that is over. */
  #recall({ cry }: Memory): void {
    const stands = cry !== null && this.#stands(cry);
    if (stands) this.alarm ??= { why: cry.why, judged: cry.judged };
    else if (this.alarm && this.#at.game && this.alarm.why !== "clock" && PASSING.includes(this.alarm.why)) this.alarm = null;
  }

  /** What passes does when all is drawn anew. That another took the place of this phone is about the seat where it was;
   * everything else about the table, whoever sits where. That the table went back stands as long as it draws from what was
   * fixed before. */
  #stands({ why, game, seat }: Cry): boolean {
    if (why === "own" && seat !== this.#seat) return false;
    const before = why === "older" && this.#memory?.refuses(this.#at.t0);
    return !PASSING.includes(why) || game === this.#at.game || before === true;
  }

  /** Nothing that was ever seen here may be gone, or differ, or have got something before it. */
  #remember(memory: Memory, { lines, fair }: TableState, doubts: Doubts): void {
    const told = memory.follow(lines, fair);
    if (told === "same") return;
    if (told === "other") this.#raise("older", null);
    else if (!this.#doubt("older", "", doubts)) return; // another page of this device may be a moment ahead
    memory.accept(lines, fair);
    this.#startOver();
  }

  /** What the table tells now is followed from its beginning, as after a reload. */
  #startOver(): void {
    this.#proofs = this.#bound = null;
    this.#events = this.#acts = 0;
    [this.#seen, this.#compared] = [[], new WeakSet()];
    [this.#drawn, this.#started] = [new Map(), false];
  }

  /** Nothing that this device has seen may have become something else. */
  #compare({ lines, fair }: TableState): void {
    for (const line of lines.filter((one) => !this.#compared.has(one))) {
      const now = written(line);
      if ((this.#seen[line.n] ??= now) !== now) this.#raise("changed", null);
      this.#compared.add(line);
    }
    const kept = new Map(receipts().map(({ game, t0 }) => [game, t0]));
    for (const { event } of fair)
      if (event.t === "attempt" && (kept.get(String(event.game)) ?? event.t0) !== event.t0) this.#raise("changed", null);
  }

  #check(state: TableState): void {
    const signed: Signed = (round, signature) => this.#signed?.(round, signature) ?? false; // fetched once a plan names a round
    const tiers = state.rules.tiers.map(({ key }) => key);
    const { digest } = state.rules;
    if (this.#proofs && digest !== this.#rules) this.t0 ? this.#raise("rules", null) : this.#startOver();
    if (!this.#proofs) this.#rules = digest;
    this.#proofs ??= new Proofs(digest, signed, tiers);
    const proofs = this.#proofs;
    const known = this.#acts;
    for (const line of state.lines.filter(({ n }) => n > known)) {
      this.#eventsUntil(proofs, state, line.n - 1);
      this.#act(proofs, line);
    }
    this.#eventsUntil(proofs, state, Infinity);
    const now = state.view.fair;
    if (now?.stage === "ready" && now.sas !== proofs.signs) this.#raise("signs", null);
  }

  /** What is shown of an act is what became of it by the acts that were told: as it stands now, else as it was played and
   * taken back. And the dice beside the title lie there. */
  #compareShown({ lines, view }: TableState): void {
    if (!this.#proofs || lines.length !== this.#acts) return; // less is told than was followed
    const { standing } = this.#proofs;
    const right = lines.every(({ n, act, first, struck }) => {
      const [played, stands] = [(first ?? act) as Act, standing.get(n)];
      return alike(act, stands ?? played) && (isChange(played) || !struck === (stands !== undefined));
    });
    const { title } = view;
    const lies = (act: Act) => title?.seat === broughtBy(act).seat && title?.roll === broughtBy(act).dice;
    if (!right || (title && ![...standing.values()].some(lies))) this.#raise("form", null);
  }

  /** Who bound the seat of this device while it was there, and is another, knows the dice of that seat. */
  #lookAtSeat({ view }: TableState): void {
    const taken = this.#boundNow && this.#bound?.player != null && this.#bound.game === view.fair?.game && !this.#own;
    this.#boundNow = false;
    if (taken) this.#raise("own", null);
  }

  /** As the record has it: the act as it was played, whatever it is by now, and what it took back. */
  #act(proofs: Proofs, line: Line): void {
    const judged = proofs.act(line.n, (line.first ?? line.act) as Act, (line.proof ?? null) as Proof | null, line.took);
    this.#acts = line.n;
    const { act } = this.#memory?.known ?? { act: Infinity };
    const fresh = line.n > act && line.proof && line.proof.k > (this.#drawn.get(line.proof.seat) ?? 0); // else it lies as it lay
    if (judged?.verdict === "FAILED") this.#raise(judged.why ?? "form", judged);
    else if (judged?.verdict === "PHYSICAL" && line.digital && proofs.t0) this.#raise("no_proof", { ...judged, verdict: "FAILED" });
    else if (judged) this.#count(line);
    if (proofs.faults[0]) this.#raise(proofs.faults[0], null);
    if (fresh) this.#goesOn();
  }

  /** A sealing goes on at the table where it was seen first: at another it may lie, as a record that was read in, but
   * nobody can draw from it there without having kept what was to be erased. */
  #goesOn(): void {
    const first = this.#memory?.heard ? receiptOf(this.#bound?.game) : null;
    if (first && first.code !== this.#at.code) this.#raise("changed", null);
  }

  /** The dice for who begins are drawn once: where they come again, in a later attempt too, they are no draw. */
  #count({ act, proof }: Line): void {
    const again = "start" in act && this.#started;
    this.#started ||= "start" in act;
    if (proof && !again) this.#drawn.set(proof.seat, Math.max(proof.k, this.#drawn.get(proof.seat) ?? 0));
  }

  #eventsUntil(proofs: Proofs, { fair, you }: TableState, acts: number): void {
    const known = this.#memory?.known.events ?? Infinity;
    for (let next = fair[this.#events]; next && next.after <= acts; next = fair[++this.#events]) {
      const fresh = this.#events >= known;
      const event = next.event as unknown as FairEvent;
      proofs.event(event);
      const [fault] = proofs.faults;
      if (fault) this.#raise(fault, null);
      if (this.#bind(event, you.seat) && fresh && this.#memory?.heard) this.#boundNow = true;
      const mine = event.t === "seat_attempt" && event.seat === you.seat && this.#own; // looked at before it is shown
      const named = this.#named(event, fresh);
      if (!mine && this.#overdue.take(event, named) && fresh) this.#raise("clock", null);
      if (fresh && !ENDING.includes(event.t)) this.#goesOn();
    }
  }

  /** How the round of an attempt was named, as this device noted when it heard of it. */
  #named(event: FairEvent, fresh: boolean): Named | null {
    if (event.t !== "attempt" && event.t !== "seat_attempt") return null;
    const named = fresh ? howNamed(event.plan, this.#after, this.now()) : null;
    if (named) this.#memory?.note(event.t0, named);
    return this.#memory?.named(event.t0) ?? null;
  }

  /** What is cried out is no doubt any more. */
  #lookAtClock(doubts: Doubts): void {
    this.#overdue.look((t0) => {
      if (!this.#doubt("clock", t0, doubts)) return false;
      this.#doubts = new Map([...this.#doubts].filter(([about]) => about !== `clock ${t0}`));
      return true;
    });
  }

  /** What an event binds the seat of this device to; whether it does. */
  #bind(event: FairEvent, own: number | null | undefined): boolean {
    if (event.t === "attempt") {
      const player = event.seats.find(({ seat }) => seat === own)?.player ?? null;
      this.#bound = { game: event.game, t0: event.t0, plan: event.plan, player, fixed: false };
      this.#drawn.clear();
    }
    const bound = this.#bound;
    if (event.t === "attempt" || !bound) return bound !== null;
    if (event.t === "ready") bound.fixed = true;
    if (event.t === "real") bound.fixed = false;
    if (!("seat" in event) || event.seat !== own) return false;
    if (event.t === "seat_attempt") Object.assign(bound, { t0: event.t0, plan: event.plan });
    if (event.t === "late" || event.t === "seat_attempt") Object.assign(bound, { player: event.player, fixed: false });
    else if (event.t === "late_ready" || event.t === "seat_ready") bound.fixed = true;
    else if (event.t === "lost" || event.t === "seat_void") bound.player = null;
    return event.t === "late" || event.t === "seat_attempt";
  }

  #keepReceipt({ code, view }: TableState): void {
    const [game, t0] = [this.#proofs?.game, this.t0];
    if (game && t0) keepReceipt({ code, game, t0, h: String(view.receipt ?? "").slice(0, 64) });
  }

  /** Commits, or reveals once it has seen its own commitment among the others under T0, before the public chance is out. */
  #answer({ you, view }: TableState, doubts: Doubts): Said | null {
    const [now, seat, links] = [view.fair, you.seat, this.#chain?.links];
    if (!now || seat == null || !links || !asked(now, seat) || this.doubts) return null;
    if (this.#out) return null;
    const [head, first] = [hex(links[0] as Bytes), hex(links[1] as Bytes)];
    const bound = this.#bound?.game === now.game ? this.#bound : null;
    if (!bound || bound.player === null) return { t: "commit", seat, game: now.game, player: head };
    if (bound.player !== head) this.#raise("own", null);
    else if (this.#refused || !this.#serves(bound.t0)) return null;
    else if (isOut(bound.plan, this.now())) this.#doubt("clock", bound.t0, doubts);
    else return this.#revealed({ t: "reveal", seat, game: now.game, link: first });
    return null;
  }

  /** What was named too late is given up for where something else was named in time. */
  #revealed(said: Said): Said {
    if (this.alarm?.why !== "clock" || this.#overdue.cried) return said;
    this.alarm = null;
    this.#memory?.cried(null);
    return said;
  }

  /** Something may be wrong, or not be here yet. Where it is so still after a while, it is told; whether that is now. */
  #doubt(why: Why, about: string, before: Doubts): boolean {
    const key = about ? `${why} ${about}` : why;
    const since = before.get(key) ?? this.now();
    this.#doubts = new Map(this.#doubts).set(key, since);
    if (this.now() - since < AGAIN_MS) return false;
    this.#raise(why, null);
    return true;
  }

  /** Tells the first that is wrong, or what is worse than what passes. */
  #raise(why: Why, judged: Judged | null): void {
    if (this.#out || (this.alarm && PASSING.includes(why) && (this.alarm.why !== "clock" || why === "clock"))) return;
    this.alarm = { why, judged };
    this.#memory?.cried({ why, judged, game: this.#at.game, seat: this.#seat ?? null });
  }
}

/** The attempt that was opened last; none before the first. */
function openedLast({ fair }: TableState): { game: string; t0: string } {
  const { game = "", t0 = "" } = fair.findLast((told) => told?.event?.t === "attempt")?.event ?? {};
  return { game: String(game), t0: String(t0) };
}

/** Whether an act takes back or corrects another. */
function isChange(act: Act): boolean {
  return "undo" in act || "correct" in act;
}

const texts = new WeakMap<Act, string>();
const textOf = (act: Act) => texts.get(act) ?? (texts.set(act, canonical(act)), texts.get(act));

function alike(one: Act, other: Act): boolean {
  return one === other || textOf(one) === textOf(other);
}

function asked(now: FairView, seat: number): boolean {
  return now.asked?.includes(seat) ?? false;
}
