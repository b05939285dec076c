/** A server in small, that deals provable dice: makes the events and draws of a game, as the real one would. */
import { sha256 } from "@noble/hashes/sha2.js";
import { ascii, hash, hex, tag, u32, unhex, ZERO, type Bytes } from "../src/fair/bytes";
import { chain, comparison, dice, lateSeed, openingHash, rulesWithSpill, tableSeed } from "../src/fair/derive";
import type { AttemptEvent, FairEvent, Proof } from "../src/fair/events";
import { canonical } from "../src/fair/canonical";

/** The rules of these games are of no account here; they have a hash like all others. */
const SHEET = { cakes: { yixiu: 32 }, ranking: { tiers: ["yixiu"] } };
export const RULES = hex(sha256(ascii(canonical(SHEET))));
const LINKS = 8;
const secret = (...about: unknown[]): Bytes => sha256(ascii(about.join("/")));

export class Dealer {
  #attempts = 0;
  #previous = hex(ZERO);
  #seeds = new Map<number, Bytes>();
  game = "";
  j: Bytes = ZERO;
  readonly seats = new Map<number, { own: Bytes[] | null; server: Bytes[]; lost: boolean }>();

  constructor(
    public plan = "",
    private readonly spill = 0,
  ) {}

  /** owns: whether each seat has a device of its own, or the chain that this device made. */
  attempt(owns: readonly (boolean | Bytes[])[], why = "begin", at = 0): AttemptEvent {
    this.begin();
    owns.forEach((own, seat) => this.#sit(seat, own));
    const heads = [...this.seats].map(([seat, { own, server }]) => ({ seat: seat + 1, flags: own ? 1 : 0, server: server[0]!, player: own?.[0] ?? null }));
    const rules = this.spill ? rulesWithSpill(RULES, this.spill) : unhex(RULES);
    const opening = { game: unhex(this.game), rules, previous: unhex(this.#previous), throws: LINKS, plan: unhex(this.plan), seats: heads };
    const t0 = hex(openingHash(opening));
    const seats = heads.map(({ seat, server, player }) => ({ seat: seat - 1, server: hex(server), player: player && hex(player) }));
    const event: AttemptEvent = { t: "attempt", why, game: this.game, links: LINKS, plan: this.plan, prev: this.#previous, spill: this.spill, at, seats, t0 };
    this.#previous = t0;
    return event;
  }

  /** A fresh game id, once for an attempt. */
  begin(): string {
    if (this.seats.size || !this.game) this.game = hex(secret("game", ++this.#attempts).slice(0, 16));
    this.seats.clear();
    this.#seeds.clear();
    return this.game;
  }

  #sit(seat: number, own: boolean | Bytes[]): void {
    const game = unhex(this.game);
    const made = own === true ? chain("pc", game, seat + 1, LINKS + 1, secret("phone", this.game, seat)) : own || null;
    this.seats.set(seat, { own: made, server: chain("sc", game, seat + 1, LINKS, secret("server", this.game, seat)), lost: false });
  }

  reveals(at = 0): FairEvent {
    const links = [...this.seats].flatMap(([seat, { own }]) => (own ? [{ seat, link: hex(own[1]!) }] : []));
    return { t: "reveals", links, at };
  }

  ready(beacon = ""): FairEvent {
    const reveals = [...this.seats].map(([seat, { own }]) => [seat + 1, own?.[1] ?? null] as const);
    this.j = tableSeed(unhex(this.#previous), reveals, unhex(beacon));
    return { t: "ready", beacon, j: hex(this.j), sas: comparison(this.j) };
  }

  opened(owns: readonly boolean[]): FairEvent[] {
    return [this.attempt(owns), this.reveals(), this.ready()];
  }

  late(seat: number, own: boolean): FairEvent {
    this.#sit(seat, own);
    const { server, own: links } = this.seats.get(seat)!;
    return { t: "late", seat, server: hex(server[0]!), player: links && hex(links[0]!) };
  }

  /** The attempt of one seat, with public chance of its own. */
  seatAttempt(seat: number, own: Bytes[], plan: string, at: number): FairEvent {
    this.#sit(seat, own);
    const { server } = this.seats.get(seat)!;
    const heads = [{ seat: seat + 1, flags: 1, server: server[0]!, player: own[0]! }];
    const opening = { game: unhex(this.game), rules: unhex(RULES), previous: unhex(this.#previous), throws: LINKS, plan: unhex(plan), seats: heads };
    const [prev, t0] = [this.#previous, hex(openingHash(opening))];
    this.#previous = t0;
    return { t: "seat_attempt", seat, server: hex(server[0]!), player: hex(own[0]!), plan, prev, t0, at };
  }

  lateReady(seat: number, lap: readonly Proof[]): FairEvent {
    const { server, own } = this.seats.get(seat)!;
    const commit = { seat: seat + 1, flags: own ? 1 : 0, server: server[0]!, player: own?.[0] ?? null };
    const links = lap.map(({ seat: q, k, c }) => ({ seat: q, k, link: c! }));
    const seed = lateSeed(this.j, commit, own?.[1] ?? null, links.map((one) => [one.seat + 1, one.k, unhex(one.link)] as const));
    this.#seeds.set(seat, seed);
    return { t: "late_ready", seat, link: own && hex(own[1]!), links, j: hex(seed) };
  }

  lose(seat: number): FairEvent {
    this.seats.get(seat)!.lost = true;
    return { t: "lost", seat, why: "lost" };
  }

  draw(seat: number, k: number, count = 6): { proof: Proof; faces: string; spill: boolean } {
    const { own, server, lost } = this.seats.get(seat)!;
    const link = own && !lost ? own[k + 1]! : null;
    const seed = this.#seeds.get(seat) ?? this.j;
    const proof = { seat, k, s: hex(server[k]!), c: link && hex(link) };
    return { proof, ...dice({ game: unhex(this.game), seed, seat: seat + 1, k, server: server[k]!, link }, count, this.spill) };
  }
}

/** A game as it is put down: events, and acts with their proofs. */
export type Entry = FairEvent | { act: Readonly<Record<string, unknown>>; proof: Proof | null };

/** The lines of a record, without their hashes. */
export function lines(seats: number, entries: readonly Entry[]): Record<string, unknown>[] {
  const header = { bobing: "record/2", rules: { ...SHEET, names: {} }, rules_hash: RULES, seats, start: 0 };
  const rest = { combination: null, finished: false, moves: [], next: 0, notes: [], skipped: [], struck: [], title: null };
  let n = 0;
  return [header, ...entries.map((entry) => ("t" in entry ? { fair: entry } : { ...entry, ...rest, n: ++n }))];
}

/** The lines chained, as a file. */
export function chained(values: readonly Record<string, unknown>[]): Bytes {
  let last = ZERO;
  const texts = values.map((value) => {
    const body = ascii(canonical(value));
    last = hash(tag("ev"), last, u32(body.length), body);
    return `${canonical({ ...value, h: hex(last) })}\n`;
  });
  return ascii(texts.join(""));
}
