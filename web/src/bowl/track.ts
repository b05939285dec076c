/** Baked throws as bytes. The format is documented in docs/bowl.md; the motion of a die between hits costs next to nothing. */
import { conjugate, fromVector, times, toVector, type Quat, type Vec } from "./cube.ts";

export const FRAMES_PER_SECOND = 60;
export const TICKS_PER_SECOND = 240;
const MAGIC = [0x42, 0x42, 0x54, 0x31]; // BBT1
const CM = 40; // steps in a centimetre
const RADIAN = 96; // steps in a radian
const UNIT = 1024; // steps of the parts of a first quaternion
const NOBODY = 255;

/** What a die hit: the bowl, another die, the table. */
export const SURFACES = ["bowl", "die", "table"] as const;
export type Surface = (typeof SURFACES)[number];

export interface Contact {
  /** Seconds after the first frame. */
  readonly at: number;
  readonly die: number;
  readonly surface: Surface;
  /** Change of speed in cm/s. */
  readonly speed: number;
}

export interface Track {
  readonly dice: number;
  readonly frames: number;
  /** For each frame and die seven numbers: x, y, z in centimetres and the quaternion. */
  readonly poses: Float32Array;
  readonly contacts: readonly Contact[];
  /** The die that left the bowl. */
  readonly out: number | null;
}

export const secondsOf = (track: Track): number => (track.frames - 1) / FRAMES_PER_SECOND;

/** The rotation of die `die` in frame `frame`. */
export function quatOf({ poses, dice }: Track, frame: number, die: number): Quat {
  const o = (frame * dice + die) * 7 + 3;
  return [poses[o] ?? 0, poses[o + 1] ?? 0, poses[o + 2] ?? 0, poses[o + 3] ?? 0];
}

/** Whole numbers of any sign, small ones short: zigzag, seven bits a byte. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError("the tracks end too early");
    return value;
  }
  number(): number {
    let [value, scale, byte] = [0, 1, 0];
    do {
      byte = this.byte();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  get done(): boolean {
    return this.#at === this.#bytes.length;
  }
}

function writeNumber(to: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest > 127; rest = Math.floor(rest / 128)) to.push((rest % 128) + 128);
  to.push(rest);
}

/** What a die does from frame to frame, in steps. Writing and reading carry the same state, so that nothing drifts. */
class Motion {
  place: number[] = [0, 0, 0];
  speed: number[] = [0, 0, 0];
  spin: number[] = [0, 0, 0];
  facing: Quat = [0, 0, 0, 1];

  spun(spin: readonly number[]): Quat {
    const [x = 0, y = 0, z = 0] = spin;
    return times(fromVector([x / RADIAN, y / RADIAN, z / RADIAN]), this.facing);
  }

  step(speed: number[], spin: number[]): void {
    this.place = this.place.map((value, k) => value + (speed[k] ?? 0));
    [this.facing, this.speed, this.spin] = [this.spun(spin), speed, spin];
  }
}

function normal([x, y, z, w]: Quat): Quat {
  const k = 1 / Math.hypot(x, y, z, w);
  return [x * k, y * k, z * k, w * k];
}

export function decode(bytes: Uint8Array): Track[] {
  const from = new Reader(bytes);
  if (MAGIC.some((sign) => from.byte() !== sign)) throw new RangeError("these are no tracks");
  const tracks = Array.from({ length: from.byte() }, () => decodeTrack(from));
  if (!from.done) throw new RangeError("bytes after the last track");
  return tracks;
}

function decodeTrack(from: Reader): Track {
  const [dice, frames, hits, out] = [from.byte(), from.byte(), from.byte(), from.byte()];
  const poses = new Float32Array(frames * dice * 7);
  for (let die = 0; die < dice; die++) {
    const motion = new Motion();
    motion.place = [from.number(), from.number(), from.number()];
    motion.facing = normal([from.number(), from.number(), from.number(), from.number()].map((part) => part / UNIT) as unknown as Quat);
    const changes = Array.from({ length: 6 }, () => Array.from({ length: frames - 1 }, () => from.number()));
    for (let frame = 0; frame < frames; frame++) {
      if (frame) {
        const next = (now: number[], first: number) => now.map((value, k) => value + (changes[first + k]?.[frame - 1] ?? 0));
        motion.step(next(motion.speed, 0), next(motion.spin, 3));
      }
      poses.set([...motion.place.map((value) => value / CM), ...normal(motion.facing)], (frame * dice + die) * 7);
    }
  }
  let ticks = 0;
  const contacts = Array.from({ length: hits }, (): Contact => {
    ticks += from.number();
    const what = from.byte();
    return { at: ticks / TICKS_PER_SECOND, die: what & 7, surface: SURFACES[what >> 3] ?? "bowl", speed: from.number() };
  });
  return { dice, frames, poses, contacts, out: out === NOBODY ? null : out };
}

export function encode(tracks: readonly Track[]): Uint8Array {
  const to = [...MAGIC, tracks.length];
  for (const track of tracks) encodeTrack(track, to);
  return Uint8Array.from(to);
}

function encodeTrack(track: Track, to: number[]): void {
  const { dice, frames, poses, contacts, out } = track;
  to.push(dice, frames, contacts.length, out ?? NOBODY);
  for (let die = 0; die < dice; die++) {
    const motion = new Motion();
    const changes: number[][] = Array.from({ length: 6 }, () => []);
    for (let frame = 0; frame < frames; frame++) {
      const o = (frame * dice + die) * 7;
      const place = [...poses.subarray(o, o + 3)].map((value) => Math.round(value * CM));
      const facing = quatOf(track, frame, die);
      if (frame === 0) {
        const parts = facing.map((part) => Math.round(part * UNIT));
        for (const value of [...place, ...parts]) writeNumber(to, value);
        motion.place = place;
        motion.facing = normal(parts.map((part) => part / UNIT) as unknown as Quat);
        continue;
      }
      const speed = place.map((value, k) => value - (motion.place[k] ?? 0));
      const spin = (toVector(times(facing, conjugate(motion.facing))) as Vec).map((angle) => Math.round(angle * RADIAN));
      [...speed.map((value, k) => value - (motion.speed[k] ?? 0)), ...spin.map((value, k) => value - (motion.spin[k] ?? 0))].forEach(
        (change, k) => changes[k]?.push(change),
      );
      motion.step(speed, spin);
    }
    for (const change of changes.flat()) writeNumber(to, change);
  }
  let before = 0;
  for (const { at, die, surface, speed } of contacts) {
    const ticks = Math.round(at * TICKS_PER_SECOND);
    writeNumber(to, ticks - before);
    before = ticks;
    to.push(die | (SURFACES.indexOf(surface) << 3));
    writeNumber(to, Math.round(speed));
  }
}
