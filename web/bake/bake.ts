/** Bakes the throws that the page shows: `npm ci` here, then `node bake.ts` with Node 22.18 or newer. About two minutes.
 *
 * Writes web/src/bowl/tracks/*.bin. The same version of Node writes the same bytes each time.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import RAPIER from "@dimforge/rapier3d-deterministic-compat";
import { top } from "../src/bowl/cube.ts";
import { BOWL } from "../src/bowl/shape.ts";
import { decode, encode, secondsOf, type Track } from "../src/bowl/track.ts";
import { simulate, type Thrown } from "./throw.ts";

interface Pool {
  readonly count: number;
  readonly dice: number;
  /** From the softest to the hardest throw of the pool. */
  readonly strength: readonly [number, number];
  readonly spill?: true;
}

const POOLS: Readonly<Record<string, Pool>> = {
  soft: { count: 20, dice: 6, strength: [0.05, 0.35] },
  middle: { count: 24, dice: 6, strength: [0.4, 0.6] },
  hard: { count: 20, dice: 6, strength: [0.7, 1] },
  spill: { count: 10, dice: 6, strength: [0.4, 1], spill: true },
  three: { count: 8, dice: 3, strength: [0.3, 0.7] },
  two: { count: 6, dice: 2, strength: [0.3, 0.7] },
};

/** Why a throw is not shown; "" for a good one. */
function fault(thrown: Thrown, spill: boolean): string {
  const { rests, settled } = thrown;
  const outside = rests.filter((rest) => rest.outside);
  const seconds = secondsOf(thrown);
  if (!settled) return "restless";
  if (outside.length !== (spill ? 1 : 0)) return "left the bowl";
  // Near enough to be in the picture, far enough to be seen over the rim from every side.
  if (outside.some(({ place: [x, , z] }) => Math.hypot(x, z) < BOWL.radius + 4 || Math.hypot(x, z) > BOWL.radius + 8)) return "lies badly";
  if (rests.some(({ facing, outside }) => top(facing).cosine < (outside ? 0.995 : 0.93))) return "leans";
  if (rests.some(({ lift }) => lift > 0.5)) return "lies on another";
  if (thrown.contacts.length > 255 || thrown.frames > 255) return "too long";
  return seconds < 0.75 || seconds > 1.9 ? "too short or too long" : "";
}

function bake(pool: Pool, firstSeed: number): { tracks: Track[]; refused: Map<string, number> } {
  const tracks: Track[] = [];
  const refused = new Map<string, number>();
  for (let seed = firstSeed; tracks.length < pool.count; seed++) {
    const [low, high] = pool.strength;
    const thrown = simulate(seed, pool.dice, low + ((high - low) * tracks.length) / (pool.count - 1));
    const why = fault(thrown, pool.spill ?? false);
    if (why) refused.set(why, (refused.get(why) ?? 0) + 1);
    else tracks.push(thrown);
  }
  return { tracks, refused };
}

await RAPIER.init();
let total = 0;
const wanted = process.argv.slice(2);
for (const [i, [name, pool]] of Object.entries(POOLS).entries()) {
  if (wanted.length && !wanted.includes(name)) continue;
  const { tracks, refused } = bake(pool, 1 + 100_000 * i);
  const bytes = encode(tracks);
  const file = new URL(`../src/bowl/tracks/${name}.bin`, import.meta.url);
  writeFileSync(file, bytes);
  if (decode(readFileSync(file)).length !== pool.count) throw new Error(`${name}: written and read differ`);
  const packed = brotliCompressSync(bytes).length;
  total += packed;
  const seconds = tracks.map(secondsOf).sort((a, b) => a - b);
  const faults = [...refused].map(([why, n]) => `${why} ${n}`).join(", ");
  console.log(`${name}: ${tracks.length} tracks of ${seconds[0]?.toFixed(2)} to ${seconds.at(-1)?.toFixed(2)} s, ${bytes.length} bytes (gzip ${gzipSync(bytes, { level: 9 }).length}, brotli ${packed}); refused: ${faults || "none"}`);
}
console.log(`in all ${total} bytes by brotli`);
