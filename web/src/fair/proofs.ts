/**
 * Follows a game, entry by entry, and says of every throw whether nobody can have chosen it. The same for the record of
 * a game that is over and for a table that is played at; it knows no rule of the game.
 */
import { beaconOf } from "./beacon";
import { hex, same, unhex, ZERO, type Bytes } from "./bytes";
import * as derive from "./derive";
import { isEvent, isProof } from "./form";
import { plannedIn } from "./plan";
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
}

/** What a seat has bound itself to, and what of it is known: s[0], c[0] are the commitments, then link by link. */
interface Seat {
  readonly heads: derive.SeatCommit;
  readonly s: Bytes[];
  readonly c: Bytes[];
  readonly draws: Map<number, Proof>;
  seed: Bytes | null;
  lost: boolean;
  /** Of a seat that came late and waits: the first link that each other seat has brought since. */
  lap: [seat: number, k: number, link: Bytes][] | null;
}

interface Attempt {
  readonly event: AttemptEvent;
  readonly game: Bytes;
  readonly t0: Bytes;
  readonly heads: SeatHeads[];
  readonly seats: Map<number, Seat>;
  seed: Bytes | null;
  stage: "opened" | "revealed" | "ready" | "void" | "real";
  level: "PROVED-A" | "PROVED-B";
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

/** Why an attempt follows one whose dice were fixed already. */
const RESTARTS = ["again", "spent", "late"];
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
  #games = new Set<string>();
  #standing: Place | null = null;
  /** The two dice for who begins, as they were drawn first: they are drawn once. */
  #start: { proof: Proof; faces: string; verdict: Verdict } | null = null;
  #befores: { act: Act; standing: Place | null }[] = [];

  /** rules: their hash in the record. signed: checks a round of drand; without, such a round is not taken. */
  constructor(
    private readonly rules: string,
    private readonly signed: Signed = () => false,
  ) {}

  get t0(): string | null {
    return this.#attempt?.event.t0 ?? null;
  }

  get signs(): string | null {
    return this.#attempt?.seed ? derive.comparison(this.#attempt.seed) : null;
  }

  event(event: FairEvent): void {
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
  act(n: number, act: Act, proof: Proof | null, struck: readonly number[] = []): Judged | null {
    const judged = this.#judge(n, act, proof);
    if (judged) this.judged.push(judged);
    const changed = act.undo ?? act.correct;
    if (typeof changed === "number" && !this.#inForce(changed)) this.faults.push("order");
    this.#befores[n] = { act, standing: this.#standing };
    if (typeof act.undo === "number") this.#standing = this.#undone(act.undo);
    else if (typeof act.correct === "number") this.#standing = without(this.#standing, struck);
    else this.#standing = { n, act, proof, counts: this.#counts(proof), attempt: this.#attempt, before: this.#standing };
    return judged;
  }

  /** Whether act `n` can be taken back or corrected: it stands, or is itself a change. */
  #inForce(n: number): boolean {
    const { act } = this.#befores[n] ?? {};
    if (act && ("undo" in act || "correct" in act)) return true;
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
        attempt.stage = "void";
        this.voids++;
        return;
      case "late":
        if (attempt.stage !== "ready" || attempt.seats.has(event.seat)) throw new Fault("order");
        if (!distinct([...attempt.heads, event])) throw new Fault("heads");
        attempt.heads.push(event);
        attempt.seats.set(event.seat, seatOf(event, []));
        this.late.push(event.seat);
        return;
      case "late_ready":
        return this.#comesIn(attempt, event);
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
    const seats = event.seats.map((heads) => seatOf(heads, null));
    const opening: derive.Opening = {
      game,
      rules: this.#rulesHash(event.spill),
      previous: bytes(event.prev, 32),
      throws: event.links,
      plan: bytes(event.plan),
      seats: seats.map(({ heads }) => heads),
    };
    const byNumber = new Map(event.seats.map(({ seat }, i) => [seat, seats[i] as Seat]));
    const t0 = bytes(event.t0, 32);
    const heads = [...event.seats];
    const opened: Attempt = { event, game, t0, heads, seats: byNumber, seed: null, stage: "opened", level: "PROVED-A", broken: null };
    this.#attempt = opened;
    const whys = !previous ? ["begin"] : previous.stage === "void" ? ["void"] : RESTARTS;
    const dropped = previous && (previous.stage === "opened" || previous.stage === "revealed");
    if (dropped || !whys.includes(event.why)) throw new Fault("order");
    if (event.prev !== (previous?.event.t0 ?? hex(ZERO))) throw new Fault("prev");
    if (this.#games.has(event.game) || !rising(event.seats) || !distinct(event.seats)) throw new Fault("heads");
    this.#games.add(event.game);
    if (!same(derive.openingHash(opening), t0)) throw new Fault("t0");
    const planned = plannedIn(event.plan);
    if (event.plan && !planned) throw new Fault("beacon");
    if (planned?.kind === "drand" && event.at + MARGIN_MS > planned.at) throw new Fault("time");
  }

  #rulesHash(spill: number): Bytes {
    if (!spill) return bytes(this.rules, 32);
    return derive.rulesWithSpill(this.rules, spill);
  }

  #reveal(attempt: Attempt, { links, at }: Extract<FairEvent, { t: "reveals" }>): void {
    if (attempt.stage !== "opened") throw new Fault("order");
    const planned = plannedIn(attempt.event.plan);
    if (planned?.kind === "drand" && at >= planned.at) throw new Fault("time");
    const wanted = attempt.event.seats.filter(({ player }) => player !== null).map(({ seat }) => seat);
    if (wanted.join() !== links.map(({ seat }) => seat).join()) throw new Fault("reveal");
    for (const { seat, link } of links) reveal(attempt, seatIn(attempt, seat), link);
    attempt.stage = "revealed";
  }

  #ready(attempt: Attempt, { beacon, j, sas }: Extract<FairEvent, { t: "ready" }>): void {
    const nobody = attempt.event.seats.every(({ player }) => player === null);
    if (attempt.stage !== "revealed" && !(attempt.stage === "opened" && nobody)) throw new Fault("order");
    const [plan, found] = [bytes(attempt.event.plan), bytes(beacon)];
    if (plan.length || found.length) {
      const what = beaconOf(plan, found);
      if (!what) throw new Fault("beacon");
      if (what.kind === "drand" && !this.signed(what.round, what.signature)) throw new Fault("signature");
      attempt.level = "PROVED-B";
    }
    const reveals = [...attempt.seats.values()].map(({ heads, c }) => [heads.seat, c[1] ?? null] as const);
    const seed = derive.tableSeed(attempt.t0, reveals, found);
    if (hex(seed) !== j) throw new Fault("seed");
    if (derive.comparison(seed) !== sas) throw new Fault("signs");
    attempt.seed = seed;
    attempt.stage = "ready";
  }

  #comesIn(attempt: Attempt, { seat, link, links, j }: Extract<FairEvent, { t: "late_ready" }>): void {
    const late = seatIn(attempt, seat);
    if (!late.lap || late.seed || !attempt.seed) throw new Fault("order");
    if ((link !== null) !== owns(late)) throw new Fault("reveal");
    if (link !== null) reveal(attempt, late, link);
    const said = links.map((one) => `${one.seat + 1}.${one.k}.${one.link}`).join();
    if (said !== late.lap.map(([q, k, bytes]) => `${q}.${k}.${hex(bytes)}`).join()) throw new Fault("late");
    if (this.#awaited(attempt, late)) throw new Fault("late");
    const seed = derive.lateSeed(attempt.seed, late.heads, late.c[1] ?? null, late.lap);
    if (hex(seed) !== j) throw new Fault("late");
    late.seed = seed;
    late.lap = null;
  }

  /** Whether a seat with links of its own is there that has not drawn since a late one came. */
  #awaited(attempt: Attempt, late: Seat): boolean {
    const heard = new Set(late.lap?.map(([q]) => q));
    const owning = [...attempt.seats.values()].filter((one) => one !== late && owns(one) && !one.lap);
    return owning.some(({ heads }) => !heard.has(heads.seat) && !this.#away(heads.seat - 1));
  }

  #away(seat: number): boolean {
    for (let place = this.#standing; place; place = place.before)
      if (place.act.seat === seat && ("leave" in place.act || "back" in place.act)) return "leave" in place.act;
    return false;
  }

  #lose(attempt: Attempt, seat: number): void {
    const losing = seatIn(attempt, seat);
    if (!owns(losing)) throw new Fault("order");
    losing.lost = true;
    this.lost.push(seat);
  }

  #judge(n: number, act: Act, proof: Proof | null): Judged | null {
    if (typeof act.correct === "number") return this.#correction(n, act);
    const thrown = thrownIn(act);
    if (!thrown && !proof) return null;
    const about = { n, seat: thrown?.seat ?? proof?.seat ?? 0, k: proof?.k ?? 0, faces: thrown?.faces ?? "" };
    if (!proof && (!this.#attempt || this.#attempt.stage === "real")) return { ...about, verdict: "PHYSICAL" };
    try {
      if (!proof || !thrown) throw new Fault("no_proof");
      if (!isProof(proof) || !thrown.whole) throw new Fault("form");
      const verdict = (thrown.kind === "start" && this.#repeated(thrown, proof)) || this.#check(thrown, proof);
      if (thrown.kind === "start") this.#start ??= { proof, faces: thrown.faces, verdict };
      return { ...about, verdict };
    } catch (error) {
      return { ...about, verdict: "FAILED", why: error instanceof Fault ? error.why : "form" };
    }
  }

  /** The dice for who begins, thrown again after an undo by whoever: they lie as they lay. */
  #repeated({ faces }: Thrown, proof: Proof): Verdict | null {
    if (!this.#start) return null;
    const { proof: first } = this.#start;
    const alike = first.seat === proof.seat && first.k === proof.k && first.s === proof.s && first.c === proof.c;
    if (!alike || faces !== this.#start.faces) throw new Fault("changed");
    return this.#start.verdict;
  }

  /** A correction leaves drawn dice as they fell. */
  #correction(n: number, act: Act): Judged | null {
    let place = this.#standing;
    while (place && place.n !== act.correct) place = place.before;
    const [was, now] = [thrownIn(place?.act ?? {}), thrownIn((act.act ?? {}) as Act)];
    if (!place?.proof || !was) return null;
    const alike = now && now.seat === was.seat && sorted(now.faces) === sorted(was.faces);
    return alike ? null : { n, seat: was.seat, k: place.proof.k, faces: now?.faces ?? "", verdict: "FAILED", why: "faces" };
  }

  #check(thrown: Thrown, proof: Proof): Verdict {
    const attempt = this.#attempt;
    if (!attempt) throw new Fault("not_ready");
    if (attempt.broken) throw new Fault(attempt.broken);
    if (attempt.stage !== "ready") throw new Fault("not_ready");
    const seat = seatIn(attempt, proof.seat);
    const seed = seat.lap ? null : (seat.seed ?? attempt.seed);
    if (!seed) throw new Fault("not_ready");
    if (proof.k !== this.#drawn(attempt, proof.seat) + 1 || proof.k > attempt.event.links) throw new Fault("number");
    const again = seat.draws.get(proof.k);
    if (again && (again.s !== proof.s || again.c !== proof.c)) throw new Fault("changed");
    if (thrown.seat !== proof.seat) throw new Fault("no_seat");
    const server = bytes(proof.s, 32);
    const link = proof.c === null ? null : bytes(proof.c, 32);
    if (!again) this.#shown(attempt, proof, seat, server, link);
    const draw = { game: attempt.game, seed, seat: proof.seat + 1, k: proof.k, server, link };
    const { faces, spill } = derive.dice(draw, thrown.faces.length, attempt.event.spill);
    if (faces !== thrown.faces || (thrown.kind === "roll" && spill !== thrown.spill)) throw new Fault("faces");
    if (!link) return "PROXY";
    return seat.seed ? "PROVED-A" : attempt.level; // who came late came when the public chance was known
  }

  #counts(proof: Proof | null): boolean {
    return proof !== null && this.#attempt?.seats.get(proof.seat)?.draws.get(proof.k)?.s === proof.s;
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
    const [last, lastOwn] = [seat.s[k - 1], seat.c[k]];
    if (!last || !same(derive.before("sc", attempt.game, p, k, server), last)) throw new Fault("server_link");
    if (owns(seat) !== (link !== null)) throw new Fault("player_link");
    if (link) {
      if (!lastOwn || !same(derive.before("pc", attempt.game, p, k + 1, link), lastOwn)) throw new Fault("player_link");
      seat.c[k + 1] = link;
      for (const other of attempt.seats.values())
        if (other !== seat && other.lap && !other.lap.some(([q]) => q === p)) other.lap.push([p, k, link]);
    }
    seat.s[k] = server;
    seat.draws.set(k, proof);
  }
}

interface Thrown {
  readonly seat: number;
  readonly faces: string;
  readonly kind: "roll" | "rolloff" | "start";
  /** Whether there are as many dice as belong to it. */
  readonly whole: boolean;
  readonly spill: boolean;
}

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
  return { seat, faces, kind, whole, spill: act.spill === true };
}

function seatOf({ seat, server, player }: SeatHeads, lap: Seat["lap"]): Seat {
  if (!Number.isSafeInteger(seat) || seat < 0) throw new Fault("form");
  const [own, theirs] = [player === null ? null : bytes(player, 32), bytes(server, 32)];
  const heads = { seat: seat + 1, flags: own ? derive.OWN_DEVICE : 0, server: theirs, player: own };
  return { heads, s: [theirs], c: own ? [own] : [], draws: new Map(), seed: null, lost: false, lap };
}

function seatIn(attempt: Attempt, seat: number): Seat {
  const found = attempt.seats.get(seat);
  if (!found) throw new Fault("no_seat");
  return found;
}

/** Whether the device of a seat takes part still. */
function owns(seat: Seat): boolean {
  return seat.heads.player !== null && !seat.lost;
}

function reveal(attempt: Attempt, seat: Seat, link: string): void {
  const first = bytes(link, 32);
  const [head] = seat.c;
  if (!head || !same(derive.before("pc", attempt.game, seat.heads.seat, 1, first), head)) throw new Fault("reveal");
  seat.c[1] = first;
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

function bytes(text: string, size?: number): Bytes {
  try {
    return unhex(text, size);
  } catch {
    throw new Fault("form");
  }
}

const sorted = (faces: string): string => [...faces].sort().join("");
