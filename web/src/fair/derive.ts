/** `bobing-fair/1`: how seeds, chains and dice follow from what each side has committed to. Pure; seats count from 1. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { ascii, hash, join, long, tag, u16, u32, u8, ZERO, type Bytes } from "./bytes";

/** Throws of a seat that a chain lasts for, unless the table says otherwise. */
export const THROWS = 256;
/** Bit of the flags of a seat: its own device has a chain. */
export const OWN_DEVICE = 1;

const SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's
const FAIR_BYTES = 252; // 6 × 42: of the 256 values of a byte, as many for each face

/** What a seat is bound by before anybody reveals anything. */
export interface SeatCommit {
  readonly seat: number;
  readonly flags: number;
  readonly server: Bytes;
  /** null where the seat has no device of its own. */
  readonly player: Bytes | null;
}

/** Link i-1 of a chain from its link i. whose: "sc" the server's for a seat, "pc" the player's. */
export function before(whose: "sc" | "pc", game: Bytes, seat: number, i: number, link: Bytes): Bytes {
  return hash(tag(whose), game, u16(seat), u32(i), link);
}

/** A whole chain from its end, link 0 (the commitment) first. A player's ends at throws + 1, the server's at throws. */
export function chain(whose: "sc" | "pc", game: Bytes, seat: number, last: number, end: Bytes): Bytes[] {
  const links = new Array<Bytes>(last + 1);
  let link = (links[last] = end);
  for (let i = last; i > 0; i--) links[i - 1] = link = before(whose, game, seat, i, link);
  return links;
}

export interface Opening {
  readonly game: Bytes;
  readonly rules: Bytes;
  readonly previous: Bytes;
  readonly throws: number;
  readonly plan: Bytes;
  /** By rising number. */
  readonly seats: readonly SeatCommit[];
}

/** T0: all that is settled before anybody reveals. */
export function openingHash({ game, rules, previous, throws, plan, seats }: Opening): Bytes {
  const each = seats.map(({ seat, flags, server, player }) => join(u16(seat), u8(flags), server, owned(flags, player)));
  return hash(tag("t0"), game, rules, previous, u32(throws), long(plan), u16(seats.length), ...each);
}

/** The hash of the rules of a table where `q` of 65,536 throws leave the bowl. */
export function rulesWithSpill(rules: string, q: number): Bytes {
  return hash(ascii(`{"rules_hash":"${rules}","spill":${q}}`));
}

function owned(flags: number, player: Bytes | null): Bytes {
  return flags & OWN_DEVICE && player ? player : ZERO;
}

/** J, the seed of the table. reveals: link 1 of each seat of T0, null where it has none. */
export function tableSeed(opening: Bytes, reveals: readonly (readonly [seat: number, link: Bytes | null])[], beacon: Bytes): Bytes {
  const each = reveals.map(([seat, link]) => join(u16(seat), link ?? ZERO));
  return hash(tag("j"), opening, u16(reveals.length), ...each, long(beacon));
}

/** The six signs that every screen of a table shows alike: the first 30 bits of J. */
export function comparison(seed: Bytes): string {
  let signs = "";
  for (let at = 0; at < 30; at += 5) {
    const two = (seed[at >> 3] ?? 0) * 256 + (seed[(at >> 3) + 1] ?? 0);
    signs += SIGNS[(two >> (11 - (at & 7))) & 31];
  }
  return signs;
}

/** The links that later throws of other seats brought, by rising seat. */
export type Lap = readonly (readonly [seat: number, k: number, link: Bytes])[];

/** The seed of a seat that came late: it hangs on the second throw, after it came, of all whose devices took part then. */
export function lateSeed(seed: Bytes, { seat, flags, server, player }: SeatCommit, reveal: Bytes | null, lap: Lap): Bytes {
  const each = lap.map(([q, k, link]) => join(u16(q), u32(k), link));
  return hash(tag("late"), seed, u16(seat), u8(flags), server, owned(flags, player), reveal ?? ZERO, u16(lap.length), ...each);
}

/** What one throw is drawn from. k counts the throws of a seat from 1; link: the player's link k+1, null without device. */
export interface Draw {
  readonly game: Bytes;
  readonly seed: Bytes;
  readonly seat: number;
  readonly k: number;
  readonly server: Bytes;
  readonly link: Bytes | null;
}

export function* stream({ game, seed, seat, k, server, link }: Draw): Generator<number, never> {
  for (let j = 0; ; j++) yield* hmac(sha256, server, join(tag("throw"), game, seed, u16(seat), u32(k), link ?? ZERO, u32(j)));
}

/** The face that a byte stands for; null for the four values that would favour some faces. */
export function face(byte: number): number | null {
  return byte < FAIR_BYTES ? (byte % 6) + 1 : null;
}

/** The dice of a throw; and whether one left the bowl, where the rules let `q` of 65,536 throws do so. */
export function dice(draw: Draw, count = 6, q = 0): { faces: string; spill: boolean } {
  const { faces, spill } = drawn(draw, count, q);
  return { faces, spill };
}

/** The same, and the bytes behind them. */
export function drawn(draw: Draw, count: number, q: number): { faces: string; spill: boolean; rest: Generator<number, never> } {
  const rest = stream(draw);
  let faces = "";
  while (faces.length < count) faces += next(rest);
  return { faces, spill: q > 0 && rest.next().value * 256 + rest.next().value < q, rest };
}

/** The next face out of bytes. */
export function next(bytes: Generator<number, never>): number {
  for (;;) {
    const fallen = face(bytes.next().value);
    if (fallen !== null) return fallen;
  }
}
