/** For bowl.py: processor microseconds of planning a throw and of placing its dice, beside an anchor, as JSON. */
import { readFileSync } from "node:fs";
import { indexOf, plan, poolOf, pose, type Told } from "../web/src/bowl/plan.ts";
import { decode, secondsOf } from "../web/src/bowl/track.ts";

const file = (pool: string) => new URL(`../web/src/bowl/tracks/${pool}.bin`, import.meta.url);
const pools = Object.fromEntries(["soft", "middle", "hard", "spill"].map((pool) => [pool, decode(readFileSync(file(pool)))]));
const poses = new Float32Array(42);

/** The anchor: all 46,656 throws of six dice, counted by what lies there. */
function count(): number {
  const hands = new Map<number, number>();
  for (let n = 0; n < 6 ** 6; n++) {
    let [rest, hand] = [n, 0];
    for (let die = 0; die < 6; die++, rest = Math.floor(rest / 6)) hand += 7 ** (rest % 6);
    hands.set(hand, (hands.get(hand) ?? 0) + 1);
  }
  return hands.size;
}

function told(seed: number): Told {
  const faces = Array.from({ length: 6 }, (_, die) => 1 + ((seed * (die + 3)) % 6));
  return { faces, seed, n: seed, strength: seed % 101, side: seed % 7, spill: seed % 9 === 0 };
}

function planned(seed: number) {
  const one = told(seed);
  const tracks = pools[poolOf(one)] ?? [];
  return plan(one, tracks[indexOf(one, tracks.length)]!);
}

/** Median of rounds: microseconds of processor time for each of `times` calls. */
function measure(times: number, what: (i: number) => unknown): number {
  const rounds = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) what(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  });
  return rounds.sort((a, b) => a - b)[7]!;
}

const made = planned(5);
const seconds = secondsOf(made.track);
if (count() !== 462) throw new Error("there are 462 hands");
console.log(
  JSON.stringify({
    anchor: measure(20, count),
    plan: measure(2000, planned),
    pose: measure(5000, (i) => pose(made, (seconds * (i % 100)) / 100, poses)),
    decode: measure(20, () => decode(readFileSync(file("middle")))),
  }),
);
