/** Bytes as `bobing-fair/1` joins them: big-endian numbers, lengths before what may be long, hex in lower case. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export type Bytes = Uint8Array;

/** Thirty-two zero bytes: where a seat has no chain of its own, and before the first attempt. */
export const ZERO: Bytes = new Uint8Array(32);

export const hex = bytesToHex;
export const join = concatBytes;
export const ascii = utf8ToBytes;

/** Bytes from hex in lower case; throws where it is not that, or not `size` bytes. */
export function unhex(text: string, size?: number): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/.test(text) || (size !== undefined && text.length !== 2 * size)) throw new Error("bad hex");
  return hexToBytes(text);
}

/** A whole number from 0 in so many bytes. */
function number(value: number, size: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** (8 * size)) throw new RangeError(`no u${8 * size}: ${value}`);
  const bytes = new Uint8Array(size);
  for (let at = size - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

export const u8 = (value: number): Bytes => number(value, 1);
export const u16 = (value: number): Bytes => number(value, 2);
export const u32 = (value: number): Bytes => number(value, 4);
export const u64 = (value: number): Bytes => number(value, 8);

/** Bytes with their length before them. */
export const long = (bytes: Bytes): Bytes => join(u16(bytes.length), bytes);

/** What keeps the hashes of one purpose apart from those of every other. */
export const tag = (purpose: string): Bytes => ascii(`bobing/1/${purpose}\0`);

export const hash = (...parts: Bytes[]): Bytes => sha256(join(...parts));

export function same(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
