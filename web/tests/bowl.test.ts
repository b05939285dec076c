import fc from "fast-check";
import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { PMREMGenerator } from "three";
import { describe, expect, test } from "vitest";
import { draws, seedOf } from "../src/bowl/chance";
import { LOOKS, ROTATIONS, swaps, top, turn, type Quat, type Vec } from "../src/bowl/cube";
import { indexOf, plan, poolOf, pose, POOLS, shownAtRest, strayed, type Plan, type Pool, type Told } from "../src/bowl/plan";
import { BOWL, EDGE, innerHeight, profile, RIM } from "../src/bowl/shape";
import { decode, encode, quatOf, secondsOf, type Track } from "../src/bowl/track";

const file = (pool: Pool) => new URL(`../src/bowl/tracks/${pool}.bin`, import.meta.url);
const bytes = Object.fromEntries(POOLS.map((pool) => [pool, new Uint8Array(readFileSync(file(pool)))])) as Record<Pool, Uint8Array>;
const tracks = Object.fromEntries(POOLS.map((pool) => [pool, decode(bytes[pool])])) as Record<Pool, Track[]>;
const all = POOLS.flatMap((pool) => tracks[pool].map((track, i) => ({ name: `${pool} ${i}`, pool, track })));

function told(seed: number, faces: readonly number[], more: Partial<Told> = {}): Plan {
  const whole: Told = { faces, seed, n: seed % 97, strength: seed % 101, side: seed % 7, spill: false, ...more };
  const pool = tracks[poolOf(whole)];
  return plan(whole, pool[indexOf(whole, pool.length)] as Track);
}

/** Which value is up, by another way than the product's: the die's own axes as columns of its matrix. */
function upByMatrix([x, y, z, w]: readonly number[]): number {
  const up = [2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!)];
  const value = [[4, 3], [1, 6], [2, 5]];
  const axis = up.map(Math.abs).indexOf(Math.max(...up.map(Math.abs)));
  return value[axis]![up[axis]! > 0 ? 0 : 1]!;
}

const restOf = (made: Plan) => pose(made, 99, new Float32Array(made.track.dice * 7));
const quats = (poses: Float32Array) => Array.from({ length: poses.length / 7 }, (_, i) => [...poses.subarray(i * 7 + 3, i * 7 + 7)]);

describe("a die", () => {
  test("has 24 ways to lie, and opposite values add to 7", () => {
    expect(new Set(ROTATIONS.map((q) => LOOKS.map((v) => turn(q, v).map(Math.round)).join()))).toHaveLength(24);
    for (let v = 1; v <= 6; v++) expect(LOOKS[7 - v]).toEqual(LOOKS[v]!.map((x) => 0 - x));
  });

  test("shows any value in place of any other, in four ways", () => {
    for (let shown = 1; shown <= 6; shown++)
      for (let there = 1; there <= 6; there++) {
        expect(swaps(shown, there)).toHaveLength(4);
        for (const q of swaps(shown, there)) expect(turn(q, LOOKS[shown]!).map(Math.round).join()).toBe(LOOKS[there]!.map((x) => x + 0).join());
      }
  });

  test("is of one handedness in every pose, mirrored throws and all", () => {
    const determinant = (a: Vec, b: Vec, c: Vec) =>
      a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const hand = determinant(LOOKS[1]!, LOOKS[2]!, LOOKS[3]!);
    expect(Math.abs(hand)).toBe(1);
    const mirrored = new Set<boolean>();
    for (let seed = 0; seed < 60; seed++) {
      const made = told(seed, [1, 2, 3, 4, 5, 6]);
      mirrored.add(made.mirrored);
      for (const q of quats(pose(made, (seed % 10) / 9, new Float32Array(42)))) {
        expect(Math.hypot(...q)).toBeCloseTo(1, 5);
        const [a, b, c] = [1, 2, 3].map((v) => turn(q as unknown as Quat, LOOKS[v]!)) as [Vec, Vec, Vec];
        expect(determinant(a, b, c)).toBeCloseTo(hand, 4);
      }
    }
    expect(mirrored.size).toBe(2);
  });
});

describe("the tracks", () => {
  test("are small", () => {
    const together = (pack: (data: Uint8Array) => Uint8Array) => POOLS.reduce((sum, pool) => sum + pack(bytes[pool]).length, 0);
    expect(together(brotliCompressSync)).toBeLessThanOrEqual(120_000);
    expect(together(gzipSync)).toBeLessThanOrEqual(120_000);
    expect(POOLS.reduce((sum, pool) => sum + statSync(file(pool)).size, 0)).toBeLessThan(200_000);
  });

  test("are enough: twenty throws at least of each strength before one comes again, and no two alike", () => {
    for (const pool of ["soft", "middle", "hard"] as const) expect(tracks[pool].length).toBeGreaterThanOrEqual(20);
    for (const pool of POOLS) {
      const size = tracks[pool].length;
      expect(new Set(Array.from({ length: size }, (_, n) => indexOf({ seed: 0xfffffff0, n }, size))).size).toBe(size);
    }
    expect(new Set(all.map(({ track }) => track.poses.join())).size).toBe(all.length);
  });

  test("are written and read without loss, and broken ones are refused", () => {
    for (const pool of POOLS) {
      const again = decode(encode(tracks[pool]));
      again.forEach((track, i) => {
        const first = tracks[pool][i]!;
        expect(track.contacts).toEqual(first.contacts);
        const far = track.poses.reduce((most, value, k) => Math.max(most, Math.abs(value - first.poses[k]!)), 0);
        expect(far).toBeLessThan(1 / 40);
      });
    }
    expect(() => decode(bytes.two.subarray(0, -1))).toThrow(RangeError);
    expect(() => decode(Uint8Array.from([...bytes.two, 0]))).toThrow(RangeError);
    expect(() => decode(new Uint8Array(9))).toThrow(RangeError);
  });

  test.each(all)("$name: dice rest flat, apart, on the porcelain or on the cloth", ({ pool, track }) => {
    const last = track.frames - 1;
    const places: Vec[] = [];
    for (let die = 0; die < track.dice; die++) {
      const o = (last * track.dice + die) * 7;
      const [x, y, z] = track.poses.subarray(o, o + 3) as unknown as Vec;
      const r = Math.hypot(x, z);
      const { cosine } = top(quatOf(track, last, die));
      if (die === track.out) {
        expect(cosine).toBeGreaterThan(0.99);
        expect(y).toBeCloseTo(EDGE / 2, 1);
        expect(r).toBeGreaterThan(BOWL.radius + 3.9);
      } else {
        expect(cosine).toBeGreaterThan(0.92);
        expect(r).toBeLessThan(BOWL.radius);
        expect(Math.abs(y - innerHeight(r) - EDGE / 2)).toBeLessThan(0.55);
      }
      for (const other of places) expect(Math.hypot(x - other[0], y - other[1], z - other[2])).toBeGreaterThan(EDGE * 0.93);
      places.push([x, y, z]);
    }
    expect(track.out === null).toBe(pool !== "spill");
    expect(secondsOf(track)).toBeGreaterThan(0.7);
    expect(track.contacts.length).toBeGreaterThan(4);
    expect(Math.max(...track.contacts.map((one) => one.at))).toBeLessThanOrEqual(secondsOf(track));
  });

  test("show no die sunk into the bowl on the way", () => {
    for (const { track } of all)
      for (let i = 0; i < track.poses.length; i += 7) {
        const [x, y, z] = track.poses.subarray(i, i + 3) as unknown as Vec;
        const r = Math.hypot(x, z);
        if (r < BOWL.radius * 0.9 && y < RIM) expect(y - innerHeight(r)).toBeGreaterThan(EDGE * 0.36);
      }
  });
});

describe("a throw", () => {
  test("shows the told faces: 24,000 of 24,000, spills and two or three dice among them", () => {
    const draw = draws(63);
    let right = 0;
    for (let seed = 0; seed < 24_000; seed++) {
      const faces = Array.from({ length: seed % 20 === 0 ? 2 : seed % 20 === 1 ? 3 : 6 }, () => 1 + Math.floor(6 * draw()));
      const made = told(seed, faces, { spill: seed % 9 === 0 });
      const seen = quats(restOf(made)).map(upByMatrix);
      if (seen.every((value, die) => value === made.values[die]) && seen.toSorted().join() === faces.toSorted().join()) right++;
    }
    expect(right).toBe(24_000);
  });

  test("moves as its seed says, whatever the faces", () => {
    const places = (made: Plan) => [0, 0.2, 0.5, 0.9].flatMap((at) => [...pose(made, at, new Float32Array(42))].filter((_, k) => k % 7 < 3));
    const face = fc.integer({ min: 1, max: 6 });
    const six = fc.tuple(face, face, face, face, face, face);
    fc.assert(
      fc.property(fc.nat(), six, six, (seed, a, b) => {
        expect(places(told(seed, a))).toEqual(places(told(seed, b)));
      }),
      { numRuns: 60 },
    );
  });

  test("is the same for everybody, seen from their own side", () => {
    const mine = restOf(told(5, [1, 1, 2, 3, 4, 4], { side: 0 }));
    const theirs = restOf(told(5, [1, 1, 2, 3, 4, 4], { side: Math.PI / 2 }));
    for (let i = 0; i < 42; i += 7) {
      expect(theirs[i]).toBeCloseTo(mine[i + 2]!, 4); // what is near me lies to the right of who sits to my left
      expect(theirs[i + 2]).toBeCloseTo(-mine[i]!, 4);
      expect(theirs[i + 1]).toBeCloseTo(mine[i + 1]!, 5);
    }
  });

  test("has one die outside when it is void, and only then", () => {
    for (let seed = 0; seed < 40; seed++) {
      const place = strayed(told(seed, [4, 4, 4, 4, 1, 1], { spill: true }));
      expect(Math.hypot(place![0], place![2])).toBeGreaterThan(BOWL.radius + 3.9);
      expect(strayed(told(seed, [4, 4, 4, 4, 1, 1]))).toBeNull();
    }
  });

  test("comes from the near side, out of the hand, and moves without a jump", () => {
    for (let seed = 0; seed < 12; seed++) {
      const made = told(seed, [1, 2, 3, 4, 5, 6], { side: 0 });
      const steps = Array.from({ length: 40 }, (_, i) => pose(made, -0.2 + i / 60, new Float32Array(42)));
      expect(steps[0]![2]!).toBeGreaterThan(0);
      for (let i = 1; i < steps.length; i++)
        for (let k = 0; k < 42; k += 7) expect(Math.hypot(...[0, 1, 2].map((c) => steps[i]![k + c]! - steps[i - 1]![k + c]!))).toBeLessThan(5);
    }
  });

  test("that would show other faces is refused", () => {
    const told: Told = { faces: [1, 2, 3, 4, 5, 6], seed: 1, n: 1, strength: 50, side: 0, spill: false };
    expect(() => plan({ ...told, faces: [1, 2, 3, 4, 5, 7] }, tracks.soft[0]!)).toThrow(RangeError);
    expect(() => plan({ ...told, faces: [1, 2] }, tracks.soft[0]!)).toThrow(RangeError);
    expect(shownAtRest(plan(told, tracks.soft[0]!)).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test("no eye sees the foot, which the picture leaves out", () => {
  const { points, lip, foot } = profile(26, 22, 9);
  const wall = points.slice(lip[1], foot + 1);
  for (const degrees of [52, 64, 74])
    for (const [r, y] of points.slice(foot + 1, -1)) {
      const rise = Math.tan((degrees * Math.PI) / 180);
      expect(wall.some(([out, high]) => out > r && y + (out - r) * rise > high)).toBe(true);
    }
});

test("three still asks its generator for the size that the picture makes smaller", () => {
  expect(PMREMGenerator.prototype).toHaveProperty("_setSize");
});

test("seeds of neighbouring acts and tables are far apart", () => {
  const seeds = Array.from({ length: 2000 }, (_, n) => seedOf("ABCD2345", n));
  expect(new Set(seeds).size).toBe(2000);
  const sixths = Array<number>(6).fill(0);
  for (const seed of seeds) sixths[Math.floor((6 * draws(seed)()))]!++;
  for (const count of sixths) expect(count).toBeGreaterThan(260);
});
