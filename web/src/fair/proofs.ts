/**
 * Follows a game, entry by entry, and says of every throw whether nobody can have chosen it. The same for the record of
 * a game that is over and for a table that is played at; it knows no rule of the game.
 */
import { beaconOf } from "./beacon";
import { hex, same, unhex, ZERO, type Bytes } from "./bytes";
import * as derive from "./derive";
import { isEvent, isProof } from "./form";
import { grabbed, seatsThere } from "./grab";
import { plannedIn, QUICKNET } from "./plan";
import { Fault, type AttemptEvent, type FairEvent, type Proof, type SeatHeads, type Verdict, type Why } from "./events";

export type Act = Readonly<Record<string, unknown>>;

export interface Judged {
  readonly n: number;
  readonly seat: number;
  /** Which draw of its seat; 0 where it was not drawn. */
  readonly k: number;
  readonly faces: string;
  readonly verdict: Verdict;
  readonly why?: Why;
  /** Seats whose devices do not vouch for it, though its own took part: they were away, or lost, when it came. */
  readonly unheard?: readonly number[];
}

/** What the proof covers while dice are fixed. Seats whose devices take part, that wait, and that not all devices vouch for. */
export interface Cover {
  readonly plan: string;
  readonly own: readonly number[];
  readonly late: readonly number[];
  readonly unheard: readonly { readonly seat: number; readonly devices: readonly number[] }[];
  /** Real dice that went in as public chance, and whose; null where it is everybody's. */
  readonly thrown: readonly { readonly seat: number | null; readonly faces: string }[];
  readonly restarts: number;
  readonly voids: number;
}

type Found = Pick<Judged, "verdict" | "unheard">;
/** What the dice of a seat are drawn from. */
interface Origin {
  readonly seed: Bytes;
  /** Whether public chance went in, which was announced beforehand. */
  readonly public: boolean;
  /** Seats whose device took part when this seat came, and whose link is not in its seed. */
  readonly unheard: readonly number[];
}

/** One draw, and what it was drawn from. */
interface Drawn {
  readonly proof: Proof;
  readonly origin: Origin;
}

/** A seat whose dice are being fixed while the others play: it came late, its device did, or it lost its links. */
interface Pending {
  owns: boolean;
  /** By seat whose device takes part, the draw that is waited for, fixed when this seat came. */
  readonly lap: ReadonlyMap<number, number>;
  /** Its own attempt, where public chance was announced. */
  readonly alone: { readonly plan: string; readonly t0: Bytes } | null;
  revealed: boolean;
  link: Bytes | null;
}

/** What a seat has bound itself to, and what of it is known: s[0] is the server's commitment, then link by link. */
interface Seat {
  heads: derive.SeatCommit;
  readonly s: Bytes[];
  /** The last link of its device that is known, and its number; null where none took part. */
  shown: { readonly at: number; readonly link: Bytes } | null;
  readonly draws: Map<number, Drawn>;
  /** null as long as it may not draw. */
  origin: Origin | null;
  owns: boolean;
  pending: Pending | null;
}

interface Attempt {
  readonly event: AttemptEvent;
  readonly game: Bytes;
  readonly t0: Bytes;
  readonly heads: SeatHeads[];
  readonly seats: Map<number, Seat>;
  /** Real dice that went in as public chance, by the seat that it is of; null where it is everybody's. */
  readonly thrown: Map<number | null, string>;
  seed: Bytes | null;
  stage: "opened" | "revealed" | "ready" | "void" | "real";
  broken: Why | null;
}

/** A place in the line of acts that stand. */
interface Place {
  readonly n: number;
  readonly act: Act;
  readonly proof: Proof | null;
  /** Whether it is a draw of its attempt; a start that was drawn in an earlier one and repeated is not. */
  readonly counts: boolean;
  readonly attempt: Attempt | null;
  readonly before: Place | null;
}

/** What an attempt says of itself, of all seats or of one. */
type Opened = Pick<AttemptEvent, "prev" | "plan" | "at" | "t0">;
/** Why an attempt follows one whose dice were fixed already. */
const RESTARTS = ["again", "spent", "late"];
/** The plan of a round that there is not: those of all others come behind it. */
const NO_ROUND = `01${QUICKNET}${"0".repeat(16)}`;
/** So long before it comes out a round of drand has to be named. */
const MARGIN_MS = 30_000;

export type Signed = (round: number, signature: Bytes) => boolean;

export class Proofs {
  readonly judged: Judged[] = [];
  /** What is wrong with the events themselves. */
  readonly faults: Why[] = [];
  restarts = 0;
  voids = 0;
  readonly late: number[] = [];
  readonly lost: number[] = [];
  #attempt: Attempt | null = null;
  /** T0 of the last attempt, of all seats or of one. */
  #previous = hex(ZERO);
  #games = new Set<string>();
  /** The last time that was told, and the plan of the last round of drand that was named. */
  #clock = 0;
  #named = NO_ROUND;
  #forged = false;
  #standing: Place | null = null;
  /** The two dice for who begins, as they were drawn first: they are drawn once. */
  #start: { proof: Proof; faces: string; found: Found } | null = null;
  #befores: { act: Act; standing: Place | null }[] = [];

  /** rules: their hash in the record. signed: checks a round of drand; without, such a round is not taken. tiers: of cakes,
   * the highest first. seats: how many there were at the beginning; else those of the first attempt that did not join. */
  constructor(
    private readonly rules: string,
    private readonly signed: Signed = () => false,
    private readonly tiers: readonly string[] = [],
    private seats?: number,
  ) {}

  get game(): string | null {
    return this.#attempt?.event.game ?? null;
  }

  get t0(): string | null {
    return this.#attempt?.event.t0 ?? null;
  }

  get signs(): string | null {
    return this.#attempt?.seed ? derive.comparison(this.#attempt.seed) : null;
  }

  /** null while no dice are fixed, or where that cannot be right. */
  get cover(): Cover | null {
    if (this.#attempt?.stage !== "ready" || this.#attempt.broken) return null;
    const seats = [...this.#attempt.seats].sort(([one], [other]) => one - other);
    const own = seats.filter(([, { owns }]) => owns);
    return {
      plan: this.#attempt.event.plan,
      own: own.map(([seat]) => seat),
      late: seats.flatMap(([seat, { origin }]) => (origin ? [] : [seat])),
      unheard: own.flatMap(([seat, { origin }]) => (origin?.unheard.length ? [{ seat, devices: origin.unheard }] : [])),
      thrown: [...this.#attempt.thrown].map(([seat, faces]) => ({ seat, faces })),
      restarts: this.restarts,
      voids: this.voids,
    };
  }

  /** What stands, by the number of the act in the place of which it does. */
  get standing(): ReadonlyMap<number, Act> {
    const acts = new Map<number, Act>();
    for (let place = this.#standing; place; place = place.before) acts.set(place.n, place.act);
    return acts;
  }

  event(event: unknown): void {
    try {
      if (!isEvent(event)) throw new Fault("form");
      this.#follow(event);
    } catch (error) {
      const why = error instanceof Fault ? error.why : "form";
      if (this.#attempt?.broken) return; // what follows from the first fault says nothing new
      this.faults.push(why);
      if (this.#attempt) this.#attempt.broken = why;
    }
  }

  /** Takes in act `n`, the next one; what it says of dice that it brings, if any. struck: the acts it took back. */
  act(n: number, act: Act, proof: unknown, struck: readonly number[] = []): Judged | null {
    const judged = this.#judge(n, act, proof);
    if (judged) this.judged.push(judged);
    const changed = act.undo ?? act.correct;
    if (typeof changed === "number" && !this.#inForce(changed, "undo" in act)) this.faults.push("order");
    this.#befores[n] = { act, standing: this.#standing };
    if (typeof act.undo === "number") this.#standing = this.#undone(act.undo);
    else if (typeof act.correct === "number") this.#standing = replaced(without(this.#standing, struck), act.correct, (act.act ?? {}) as Act);
    else this.#standing = { n, act, proof: isProof(proof) ? proof : null, counts: this.#counts(proof), attempt: this.#attempt, before: this.#standing };
    return judged;
  }

  /** The game is over here: an attempt that failed has to be followed by another. */
  end(): void {
    if (this.#attempt?.stage === "void" && !this.#attempt.broken) this.faults.push("order");
  }

  /** Whether act `n` can be taken back or corrected: it stands, or is itself a change, which is taken back alone. */
  #inForce(n: number, back: boolean): boolean {
    const { act } = this.#befores[n] ?? {};
    if (act && ("undo" in act || "correct" in act)) return back;
    let place = this.#standing;
    while (place && place.n > n) place = place.before;
    return place?.n === n;
  }

  /** The line of play once act `n` is taken back: an undo of a change brings back what was there before it. */
  #undone(n: number): Place | null {
    const taken = this.#befores[n];
    if (taken && ("undo" in taken.act || "correct" in taken.act)) return taken.standing;
    let place = this.#standing;
    while (place && place.n >= n) place = place.before;
    return place;
  }

  #follow(event: FairEvent): void {
    if (event.t === "attempt") return this.#open(event);
    const attempt = this.#attempt;
    if (event.t === "real" && !attempt) return;
    if (!attempt) throw new Fault("order");
    switch (event.t) {
      case "reveals":
        return this.#reveal(attempt, event);
      case "ready":
        return this.#ready(attempt, event);
      case "void":
        if (attempt.stage !== "opened" && attempt.stage !== "revealed") throw new Fault("order");
        if (!event.missing.every((seat) => attempt.seats.get(seat)?.owns)) throw new Fault("order");
        attempt.stage = "void";
        this.voids++;
        return;
      case "late":
        if (attempt.event.plan) throw new Fault("order"); // a seat gets public chance of its own here
        return this.#pend(attempt, event, null);
      case "late_ready":
        return this.#comesIn(attempt, event);
      case "seat_attempt":
        return this.#openAlone(attempt, event);
      case "seat_reveal":
        return this.#revealAlone(attempt, event);
      case "seat_ready":
        return this.#readyAlone(attempt, event);
      case "seat_void":
        aloneAt(attempt, event.seat);
        seatIn(attempt, event.seat).pending = null;
        this.voids++;
        return;
      case "lost":
        return this.#lose(attempt, event.seat);
      case "real":
        attempt.stage = "real";
        return;
    }
  }

  #open(event: AttemptEvent): void {
    const previous = this.#attempt;
    if (RESTARTS.includes(event.why)) this.restarts++;
    const game = bytes(event.game, 16);
    const seats = event.seats.map((heads) => seatOf(heads, heads.player !== null));
    const t0 = bytes(event.t0, 32);
    const byNumber = new Map(event.seats.map(({ seat }, i) => [seat, seats[i] as Seat]));
    const heads = [...event.seats];
    const before = this.#previous;
    this.#attempt = { event, game, t0, heads, seats: byNumber, thrown: new Map(), seed: null, stage: "opened", broken: null };
    this.#previous = event.t0;
    this.seats ??= seats.length - this.#played().filter((act) => "join" in act).length;
    const whys = !previous ? ["begin"] : previous.stage === "void" ? ["void"] : RESTARTS;
    const dropped = previous && (previous.stage === "opened" || previous.stage === "revealed");
    if (dropped || !whys.includes(event.why)) throw new Fault("order");
    if (this.#games.has(event.game) || !rising(event.seats) || !distinct(event.seats)) throw new Fault("heads");
    this.#games.add(event.game);
    this.#checkOpening(event, before, event, seats);
  }

  /** T0 is the hash of everything that was fixed, and public chance lies well behind it. */
  #checkOpening({ prev, plan, at, t0 }: Opened, before: string, { game, spill, links }: AttemptEvent, seats: readonly Seat[]): void {
    if (prev !== before) throw new Fault("prev");
    const opening: derive.Opening = {
      game: bytes(game, 16),
      rules: this.#rulesHash(spill),
      previous: bytes(prev, 32),
      throws: links,
      plan: bytes(plan),
      seats: seats.map(({ heads }) => heads),
    };
    if (!same(derive.openingHash(opening), bytes(t0, 32))) throw new Fault("t0");
    this.#told(at);
    const planned = plannedIn(plan);
    if (plan && !planned) throw new Fault("beacon");
    if (planned?.kind !== "drand") return;
    if (at + MARGIN_MS > planned.at || plan <= this.#named) throw new Fault("time"); // too soon, or named before
    this.#named = plan;
  }

  /** Times never fall. */
  #told(at: number): void {
    if (at < this.#clock) throw new Fault("time");
    this.#clock = at;
  }

  /** Everything is shown before the public chance comes out. */
  #inTime(plan: string, at: number): void {
    this.#told(at);
    const planned = plannedIn(plan);
    if (planned?.kind === "drand" && at >= planned.at) throw new Fault("time");
  }

  #rulesHash(spill: number): Bytes {
    if (!spill) return bytes(this.rules, 32);
    return derive.rulesWithSpill(this.rules, spill);
  }

  #reveal(attempt: Attempt, { links, at }: Extract<FairEvent, { t: "reveals" }>): void {
    if (attempt.stage !== "opened") throw new Fault("order");
    this.#inTime(attempt.event.plan, at);
    const wanted = attempt.event.seats.filter(({ player }) => player !== null).map(({ seat }) => seat);
    if (wanted.join() !== links.map(({ seat }) => seat).join()) throw new Fault("reveal");
    for (const { seat, link } of links) {
      const one = seatIn(attempt, seat);
      one.shown = { at: 1, link: firstLink(attempt, one, link) };
    }
    attempt.stage = "revealed";
  }

  #ready(attempt: Attempt, { beacon, j, sas }: Extract<FairEvent, { t: "ready" }>): void {
    if (attempt.stage !== "revealed") throw new Fault("order");
    const found = this.#beacon(attempt.event.plan, beacon);
    const reveals = [...attempt.seats.values()].map(({ heads, shown }) => [heads.seat, shown?.link ?? null] as const);
    const seed = derive.tableSeed(attempt.t0, reveals, found);
    if (hex(seed) !== j) throw new Fault("seed");
    if (derive.comparison(seed) !== sas) throw new Fault("signs");
    this.#checkSignature(attempt.event.plan, found);
    noteThrown(attempt, null, found);
    attempt.seed = seed;
    const origin: Origin = { seed, public: attempt.event.plan !== "", unheard: [] };
    for (const seat of attempt.seats.values()) seat.origin = origin;
    attempt.stage = "ready";
  }

  /** The bytes of the public chance, where it is what was announced; none where nothing was. */
  #beacon(plan: string, beacon: string): Bytes {
    const [planned, found] = [bytes(plan), bytes(beacon)];
    if (!planned.length && !found.length) return found;
    if (!beaconOf(planned, found)) throw new Fault("beacon");
    return found;
  }

  /** drand signed its round. Behind the first that is forged no other is taken: they take long to look at. */
  #checkSignature(plan: string, beacon: Bytes): void {
    const what = beaconOf(bytes(plan), beacon);
    if (what?.kind !== "drand") return;
    if (!this.#forged && this.signed(what.round, what.signature)) return;
    this.#forged = true;
    throw new Fault("signature");
  }

  /** A seat binds itself while the others play: it is new, its device is, or it lost its links to public chance. */
  #pend(attempt: Attempt, event: SeatHeads, alone: Pending["alone"]): void {
    const seat = attempt.seats.get(event.seat);
    const anew = !seat || (alone && !seat.origin) || (!seat.heads.player && event.player !== null);
    if (attempt.stage !== "ready" || !anew || seat?.pending) throw new Fault("order");
    if (!distinct([...attempt.heads, event])) throw new Fault("heads");
    if (seat && hex(seat.heads.server) !== event.server) throw new Fault("server_link");
    if (!seat || seat.origin) this.late.push(event.seat);
    attempt.heads.push(event);
    const bound = seat ?? seatOf(event, false);
    bound.heads = seatOf(event, false).heads;
    bound.pending = { owns: event.player !== null, lap: lapFrom(attempt, event.seat), alone, revealed: false, link: null };
    attempt.seats.set(event.seat, bound);
  }

  #comesIn(attempt: Attempt, { seat, link, links, j }: Extract<FairEvent, { t: "late_ready" }>): void {
    const late = seatIn(attempt, seat);
    if (attempt.stage !== "ready" || !late.pending || late.pending.alone || !attempt.seed) throw new Fault("order");
    const first = ownLink(attempt, late, late.pending, link);
    const said = links.map((one) => `${one.seat + 1}.${one.k}.${one.link}`).join();
    const lap = drawnOf(attempt, late.pending);
    if (said !== lap.map(([q, k, bytes]) => `${q}.${k}.${hex(bytes)}`).join()) throw new Fault("late");
    const unheard = [...late.pending.lap.keys()].filter((other) => !lap.some(([q]) => q === other + 1));
    if (unheard.some((other) => attempt.seats.get(other)?.owns && !this.#away(other))) throw new Fault("late");
    const seed = derive.lateSeed(attempt.seed, late.heads, first, lap);
    if (hex(seed) !== j) throw new Fault("late");
    fix(late, late.pending, { seed, public: false, unheard }, first);
  }

  #openAlone(attempt: Attempt, event: Extract<FairEvent, { t: "seat_attempt" }>): void {
    const before = this.#previous;
    const { plan } = attempt.event;
    if (!plan || event.plan.slice(0, 2) !== plan.slice(0, 2) || (event.plan.startsWith("02") && event.plan !== plan)) throw new Fault("beacon");
    this.#checkOpening(event, before, attempt.event, [seatOf(event, false)]);
    this.#pend(attempt, event, { plan: event.plan, t0: bytes(event.t0, 32) });
    this.#previous = event.t0;
  }

  #revealAlone(attempt: Attempt, { seat, link, at }: Extract<FairEvent, { t: "seat_reveal" }>): void {
    const { pending, alone } = aloneAt(attempt, seat);
    if (pending.revealed) throw new Fault("order");
    pending.link = ownLink(attempt, seatIn(attempt, seat), pending, link);
    this.#inTime(alone.plan, at);
    pending.revealed = true;
  }

  #readyAlone(attempt: Attempt, { seat, beacon, j }: Extract<FairEvent, { t: "seat_ready" }>): void {
    const { pending, alone } = aloneAt(attempt, seat);
    if (!pending.revealed) throw new Fault("order");
    const found = this.#beacon(alone.plan, beacon);
    const seed = derive.tableSeed(alone.t0, [[seat + 1, pending.link]], found);
    if (hex(seed) !== j) throw new Fault("seed");
    this.#checkSignature(alone.plan, found);
    noteThrown(attempt, seat, found);
    fix(seatIn(attempt, seat), pending, { seed, public: true, unheard: [] }, pending.link);
  }

  #away(seat: number): boolean {
    for (let place = this.#standing; place; place = place.before)
      if (place.act.seat === seat && ("leave" in place.act || "back" in place.act)) return "leave" in place.act;
    return false;
  }

  /** Without public chance a seat goes on without links of its own; with it, it waits for another. */
  #lose(attempt: Attempt, seat: number): void {
    const losing = seatIn(attempt, seat);
    const { pending } = losing;
    if (attempt.stage !== "ready") throw new Fault("order");
    if (pending?.owns && !pending.alone) {
      pending.owns = false;
      if (losing.origin) losing.pending = null;
    } else {
      if (!losing.owns) throw new Fault("order");
      losing.owns = false;
      if (attempt.event.plan) losing.origin = null;
    }
    this.lost.push(seat);
  }

  #judge(n: number, act: Act, proof: unknown): Judged | null {
    if (typeof act.correct === "number") return this.#correction(n, act, proof);
    const thrown = thrownIn(act);
    if (!thrown && proof === null) return null;
    const { seat, k } = isProof(proof) ? proof : { seat: 0, k: 0 };
    const about = { n, seat: thrown?.seat ?? seat, k, faces: thrown?.faces ?? "" };
    if (proof === null) return this.#unproved(about);
    try {
      if (!thrown) throw new Fault("no_proof");
      if (!isProof(proof) || !thrown.whole) throw new Fault("form");
      if (thrown.kind === "start" && this.#played().some((act) => "roll" in act)) throw new Fault("order"); // the game has begun
      const found = (thrown.kind === "start" && this.#repeated(thrown, proof)) || this.#check(thrown, proof);
      if (thrown.kind === "start") this.#start ??= { proof, faces: thrown.faces, found };
      return { ...about, ...found };
    } catch (error) {
      return { ...about, verdict: "FAILED", why: error instanceof Fault ? error.why : "form" };
    }
  }

  /** Dice without a proof: real ones, or nobody knows what. */
  #unproved(about: Omit<Judged, "verdict" | "why" | "unheard">): Judged {
    const real = !this.#attempt || this.#attempt.stage === "real";
    return real ? { ...about, verdict: "PHYSICAL" } : { ...about, verdict: "FAILED", why: "no_proof" };
  }

  /** Whether an act was typed in with real dice. */
  #typed(n: number): boolean {
    return this.judged.some((one) => one.n === n && one.verdict === "PHYSICAL");
  }

  /** The dice for who begins, thrown again after an undo by whoever: they lie as they lay. */
  #repeated({ faces }: Thrown, proof: Proof): Found | null {
    if (!this.#start) return null;
    const { proof: first } = this.#start;
    const alike = first.seat === proof.seat && first.k === proof.k && first.s === proof.s && first.c === proof.c;
    if (this.#played().some((act) => "start" in act)) throw new Fault("number");
    if (!alike || faces !== this.#start.faces) throw new Fault("changed");
    return this.#start.found;
  }

  /** A correction leaves drawn dice as they fell, and puts no dice where none were drawn. */
  #correction(n: number, act: Act, proof: unknown): Judged | null {
    if (proof !== null) this.faults.push("form"); // nothing is drawn for it
    let place = this.#standing;
    while (place && place.n !== act.correct) place = place.before;
    const [was, now] = [thrownIn(this.#befores[place?.n ?? 0]?.act ?? {}), thrownIn((act.act ?? {}) as Act)];
    if (!place || sameDice(was, now)) return null;
    if (!place.proof || !was) return now && !this.#typed(place.n) ? this.#unproved({ n, seat: now.seat, k: 0, faces: now.faces }) : null;
    return { n, seat: was.seat, k: place.proof.k, faces: now?.faces ?? "", verdict: "FAILED", why: "faces" };
  }

  #check(thrown: Thrown, proof: Proof): Found {
    const attempt = this.#attempt;
    if (!attempt) throw new Fault("not_ready");
    if (attempt.broken) throw new Fault(attempt.broken);
    if (attempt.stage !== "ready") throw new Fault("not_ready");
    const seat = seatIn(attempt, proof.seat);
    const again = seat.draws.get(proof.k);
    const origin = again?.origin ?? seat.origin;
    if (!origin) throw new Fault("not_ready");
    if (proof.k !== this.#drawn(attempt, proof.seat) + 1 || proof.k > attempt.event.links) throw new Fault("number");
    if (again && (again.proof.s !== proof.s || again.proof.c !== proof.c)) throw new Fault("changed");
    if (thrown.seat !== proof.seat) throw new Fault("no_seat");
    const server = bytes(proof.s, 32);
    const link = proof.c === null ? null : bytes(proof.c, 32);
    if (!again) this.#shown(attempt, proof, seat, server, link);
    const draw = { game: attempt.game, seed: origin.seed, seat: proof.seat + 1, k: proof.k, server, link };
    const { faces, spill, rest } = derive.drawn(draw, thrown.faces.length, attempt.event.spill);
    if (faces !== thrown.faces || (thrown.kind === "roll" && spill !== thrown.spill)) throw new Fault("faces");
    if (thrown.grab && !alike(this.#grabbed(thrown.grab, rest), thrown.grab)) throw new Fault("grab");
    if (!link) return { verdict: "PROXY" };
    if (origin.unheard.length) return { verdict: "PROXY", unheard: origin.unheard };
    return { verdict: origin.public ? "PROVED-B" : "PROVED-A" };
  }

  /** Who gets what of a lights-out grab; how many cakes lie there is for the rules to say. */
  #grabbed(told: Grab, rest: Generator<number, never>): Grab {
    const there = seatsThere(this.seats ?? 0, this.#played());
    if (!there?.length) throw new Fault("grab");
    const cakes = this.tiers.filter((tier) => Object.hasOwn(told, tier)).map((tier) => [tier, told[tier]?.length ?? 0] as const);
    return grabbed(cakes, there, rest);
  }

  /** The acts that stand, in order. */
  #played(): Act[] {
    const acts: Act[] = [];
    for (let place = this.#standing; place; place = place.before) acts.push(place.act);
    return acts.reverse();
  }

  #counts(proof: unknown): boolean {
    return isProof(proof) && this.#attempt?.seats.get(proof.seat)?.draws.get(proof.k)?.proof.s === proof.s;
  }

  /** How many draws of a seat stand in this attempt. */
  #drawn(attempt: Attempt, seat: number): number {
    for (let place = this.#standing; place; place = place.before) {
      if (place.attempt !== attempt) return 0;
      if (place.counts && place.proof?.seat === seat) return place.proof.k;
    }
    return 0;
  }

  /** A draw that was never seen: its links go on from those before. */
  #shown(attempt: Attempt, proof: Proof, seat: Seat, server: Bytes, link: Bytes | null): void {
    const { k } = proof;
    const p = proof.seat + 1;
    const last = seat.s[k - 1];
    if (!seat.origin) throw new Fault("not_ready");
    if (!last || !same(derive.before("sc", attempt.game, p, k, server), last)) throw new Fault("server_link");
    if (seat.owns !== (link !== null)) throw new Fault("player_link");
    if (link) {
      if (!seat.shown || !same(ledBack(attempt, p, link, k + 1, seat.shown.at), seat.shown.link)) throw new Fault("player_link");
      seat.shown = { at: k + 1, link };
    }
    seat.s[k] = server;
    seat.draws.set(k, { proof, origin: seat.origin });
  }
}

interface Thrown {
  readonly seat: number;
  readonly faces: string;
  readonly kind: "roll" | "rolloff" | "start";
  /** Whether there are as many dice as belong to it. */
  readonly whole: boolean;
  readonly spill: boolean;
  readonly grab: Grab | null;
}

type Grab = Readonly<Record<string, readonly number[]>>;

/** With how many dice each is thrown: a roll-off with three where the sum counts. */
const COUNTS = { roll: [6], rolloff: [3, 6], start: [2] } as const;

/** The dice that an act brings. */
function thrownIn(act: Act): Thrown | null {
  const kind = "start" in act ? "start" : "rolloff" in act ? "rolloff" : "roll";
  const start = act.start as { seat?: unknown; dice?: unknown } | undefined;
  const faces = act.roll ?? act.rolloff ?? start?.dice;
  const seat = start ? start.seat : act.seat;
  if (typeof faces !== "string" || typeof seat !== "number" || act.cocked) return null;
  const whole = (COUNTS[kind] as readonly number[]).includes(faces.length);
  const grab = typeof act.grab === "object" ? (act.grab as Grab) : null;
  return { seat, faces, kind, whole, spill: act.spill === true, grab };
}

function seatOf({ seat, server, player }: SeatHeads, owns: boolean): Seat {
  if (!Number.isSafeInteger(seat) || seat < 0) throw new Fault("form");
  const [own, theirs] = [player === null ? null : bytes(player, 32), bytes(server, 32)];
  const heads = { seat: seat + 1, flags: own ? derive.OWN_DEVICE : 0, server: theirs, player: own };
  return { heads, s: [theirs], shown: null, draws: new Map(), origin: null, owns, pending: null };
}

function seatIn(attempt: Attempt, seat: number): Seat {
  const found = attempt.seats.get(seat);
  if (!found) throw new Fault("no_seat");
  return found;
}

/** What is waited for where a seat has an attempt of its own. */
function aloneAt(attempt: Attempt, seat: number): { pending: Pending; alone: NonNullable<Pending["alone"]> } {
  const { pending } = seatIn(attempt, seat);
  if (attempt.stage !== "ready" || !pending?.alone) throw new Fault("order");
  return { pending, alone: pending.alone };
}

/** Notes the real dice that went in, where the public chance is these: who saw them fall knows whether they are the same. */
function noteThrown({ event, thrown }: Attempt, seat: number | null, beacon: Bytes): void {
  const what = beaconOf(bytes(event.plan), beacon);
  if (what?.kind === "dice") thrown.set(seat, what.faces);
}

/** The dice of a seat are fixed: it draws from this seed from now on. */
function fix(seat: Seat, { owns }: Pending, origin: Origin, link: Bytes | null): void {
  Object.assign(seat, { origin, owns, shown: link && { at: 1, link }, pending: null });
}

/**
 * What a seat that comes now waits for: of every other whose device takes part, or did and was lost, the second draw from
 * now. The link of the next one may have left the device already, and be held back; that of the second cannot have.
 */
function lapFrom(attempt: Attempt, late: number): Map<number, number> {
  const others = [...attempt.seats].filter(([seat, one]) => seat !== late && one.shown);
  return new Map(others.map(([seat, { draws }]) => [seat, draws.size + 2] as const).sort(([one], [other]) => one - other));
}

/** The draws that a late seat waits for, as far as they were drawn with a link; seats count from 1. */
function drawnOf(attempt: Attempt, { lap }: Pending): [seat: number, k: number, link: Bytes][] {
  return [...lap].flatMap(([seat, k]) => {
    const link = attempt.seats.get(seat)?.draws.get(k)?.proof.c;
    return link ? [[seat + 1, k, bytes(link, 32)]] : [];
  });
}

/** Link `to` of the chain of a device from its later link `at`. */
function ledBack({ game }: Attempt, seat: number, link: Bytes, at: number, to: number): Bytes {
  let found = link;
  for (let i = at; i > to; i--) found = derive.before("pc", game, seat, i, found);
  return found;
}

/** The first link of a seat whose device takes part, which leads to its head; none of another. */
function ownLink(attempt: Attempt, seat: Seat, { owns }: Pending, link: string | null): Bytes | null {
  if ((link !== null) !== owns) throw new Fault("reveal");
  return link === null ? null : firstLink(attempt, seat, link);
}

function firstLink(attempt: Attempt, { heads }: Seat, link: string): Bytes {
  const first = bytes(link, 32);
  if (!heads.player || !same(ledBack(attempt, heads.seat, first, 1, 0), heads.player)) throw new Fault("reveal");
  return first;
}

function rising(seats: readonly SeatHeads[]): boolean {
  return seats.every(({ seat }, i) => i === 0 || seat > (seats[i - 1]?.seat ?? seat));
}

/** No head of a device is that of another, or empty: nobody can hide behind somebody else's chance. */
function distinct(seats: readonly SeatHeads[]): boolean {
  const heads = seats.flatMap(({ player }) => (player === null ? [] : [player]));
  return new Set(heads).size === heads.length && !heads.includes(hex(ZERO));
}

/** The line of play without the acts that a correction made impossible: the first of them that stood, and all behind. */
function without(standing: Place | null, struck: readonly number[]): Place | null {
  let first = Infinity;
  for (let place = standing; place; place = place.before) if (struck.includes(place.n)) first = place.n;
  let place = standing;
  while (place && place.n >= first) place = place.before;
  return place;
}

/** The line of play where act `n` became another. */
function replaced(standing: Place | null, n: number, act: Act): Place | null {
  const behind: Place[] = [];
  let line = standing;
  for (; line && line.n >= n; line = line.before) behind.push(line);
  for (const place of behind.reverse()) line = { ...place, act: place.n === n ? act : place.act, before: line };
  return line;
}

function bytes(text: string, size?: number): Bytes {
  try {
    return unhex(text, size);
  } catch {
    throw new Fault("form");
  }
}

/** Whether two grabs give the same cakes to the same seats. */
function alike(one: Grab | null, other: Grab | null): boolean {
  const text = (grab: Grab | null) => grab && JSON.stringify(Object.entries(grab).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

/** Whether two acts bring the same dice in the same way; those for the start may be thrown by anybody. */
function sameDice(one: Thrown | null, other: Thrown | null): boolean {
  if (!one || !other) return one === other;
  const keys = ["faces", "kind", "spill"] as const;
  const whose = one.kind === "start" || one.seat === other.seat;
  return whose && keys.every((key) => one[key] === other[key]) && alike(one.grab, other.grab);
}
