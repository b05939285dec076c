/** What is seen of a throw: which baked track, turned and mirrored how, and which die shows which face. */
import { below, draws } from "./chance.ts";
import { FRAMES_PER_SECOND, quatOf, secondsOf, type Track } from "./track.ts";
import { swaps, times, top, type Quat, type Vec } from "./cube.ts";

export const POOLS = ["soft", "middle", "hard", "spill", "three", "two"] as const;
export type Pool = (typeof POOLS)[number];

/** A throw as the table tells it. The motion hangs on everything but the faces. */
export interface Told {
  readonly faces: readonly number[];
  /** Says which motion it is; the same on every screen. */
  readonly seed: number;
  /** Which throw of the table it is: throws that follow each other take other tracks. */
  readonly n: number;
  /** 0 to 100. */
  readonly strength: number;
  /** Radians between the side of the bowl that is nearest the one who looks and the side it was thrown from. */
  readonly side: number;
  /** A die leaves the bowl. */
  readonly spill: boolean;
}

export function poolOf({ faces, strength, spill }: Pick<Told, "faces" | "strength" | "spill">): Pool {
  if (faces.length === 2) return "two";
  if (faces.length === 3) return "three";
  if (spill) return "spill";
  return strength < 35 ? "soft" : strength <= 65 ? "middle" : "hard";
}

/** Which of the tracks: a table goes through the whole pool before it comes to one again. */
export function indexOf({ seed, n }: Pick<Told, "seed" | "n">, size: number): number {
  return (seed + n) % size;
}

/** By how many radians a hand is never quite straight. */
const STRAY = 0.7;

export interface Plan {
  readonly track: Track;
  readonly values: readonly number[];
  /** How each die is turned inside its body, so that the wanted face ends on top. */
  readonly inner: readonly Quat[];
  readonly mirrored: boolean;
  readonly side: number;
}

/** The throw seen with this track; throws RangeError where its dice would not show the told faces. */
export function plan(told: Told, track: Track): Plan {
  if (told.faces.length !== track.dice) throw new RangeError(`${told.faces.length} dice, and a track of ${track.dice}`);
  const draw = draws(told.seed ^ Math.imul(told.n, 0x9e3779b1));
  const mirrored = draw() < 0.5;
  const side = told.side + (draw() - 0.5) * STRAY;
  const values = shuffled(told.faces, draw);
  const made = { track, values, mirrored, side };
  const inner = values.map((value, die) => {
    const ways = swaps(value, top(placed(quatOf(track, track.frames - 1, die), mirrored)).value);
    const way = ways[below(draw, ways.length)];
    if (!way) throw new RangeError(`a die has no face ${value}`);
    return way;
  });
  const whole = { ...made, inner };
  const seen = shownAtRest(whole);
  if (seen.some((value, die) => value !== values[die])) throw new RangeError(`dice that show ${seen} were told as ${values}`);
  return whole;
}

function shuffled(faces: readonly number[], draw: () => number): number[] {
  const order = [...faces];
  for (let i = order.length - 1; i > 0; i--) {
    const k = below(draw, i + 1);
    [order[i], order[k]] = [order[k] as number, order[i] as number];
  }
  return order;
}

/** A rotation seen in a mirror that stands upright: itself a rotation, so that a die stays a true die. */
const placed = ([x, y, z, w]: Quat, mirrored: boolean): Quat => (mirrored ? [x, -y, -z, w] : [x, y, z, w]);

/** The values on top when the dice rest, worked out from the motion. */
export function shownAtRest(made: Plan): number[] {
  const poses = pose(made, secondsOf(made.track), new Float32Array(made.track.dice * 7));
  return made.values.map((_, die) => top([...poses.subarray(die * 7 + 3, die * 7 + 7)] as unknown as Quat).value);
}

/** Where the dice are, `seconds` into the track: for each x, y, z and the quaternion of the die with its faces. Before
 * the track begins they fly in as they would have; after it they rest. */
export function pose(made: Plan, seconds: number, into: Float32Array): Float32Array {
  const { track } = made;
  const rest = secondsOf(track);
  const at = (Math.min(Math.max(seconds, 0), rest) / rest) * (track.frames - 1);
  const frame = Math.min(Math.floor(at), track.frames - 2);
  const [cosine, sine] = [Math.cos(made.side), Math.sin(made.side)];
  const sideways: Quat = [0, Math.sin(made.side / 2), 0, Math.cos(made.side / 2)];
  for (let die = 0; die < track.dice; die++) {
    const [place, facing] = between(track, frame, at - frame, die);
    const [x, y, z] = seconds < 0 ? before(track, die, place, seconds) : place;
    const across = made.mirrored ? -x : x;
    const q = times(times(sideways, placed(facing, made.mirrored)), made.inner[die] ?? [0, 0, 0, 1]);
    into.set([across * cosine + z * sine, y, z * cosine - across * sine, ...q], die * 7);
  }
  return into;
}

function between({ poses, dice }: Track, frame: number, share: number, die: number): [Vec, Quat] {
  const [a, b] = [(frame * dice + die) * 7, ((frame + 1) * dice + die) * 7];
  const mix = (k: number, sign = 1) => (poses[a + k] ?? 0) * (1 - share) + sign * (poses[b + k] ?? 0) * share;
  let along = 0;
  for (let k = 3; k < 7; k++) along += (poses[a + k] ?? 0) * (poses[b + k] ?? 0);
  const sign = along < 0 ? -1 : 1;
  const [x, y, z, w] = [mix(3, sign), mix(4, sign), mix(5, sign), mix(6, sign)];
  const k = 1 / Math.hypot(x, y, z, w);
  return [[mix(0), mix(1), mix(2)], [x * k, y * k, z * k, w * k]];
}

/** Back along the way a die came: it was in the hand just before. */
function before({ poses, dice }: Track, die: number, [x, y, z]: Vec, seconds: number): Vec {
  const step = seconds * FRAMES_PER_SECOND;
  const moved = (k: number) => ((poses[(dice + die) * 7 + k] ?? 0) - (poses[die * 7 + k] ?? 0)) * step;
  return [x + moved(0), y + moved(1) - 490 * seconds * seconds, z + moved(2)];
}

/** Where the die that left the bowl lies. */
export function strayed(made: Plan): Vec | null {
  const { out } = made.track;
  if (out === null) return null;
  const poses = pose(made, secondsOf(made.track), new Float32Array(made.track.dice * 7));
  return [poses[out * 7] ?? 0, poses[out * 7 + 1] ?? 0, poses[out * 7 + 2] ?? 0];
}

