import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pulses } from "../src/bowl/felt";
import { plan, type Told } from "../src/bowl/plan";
import { MODES, render, shaking, type Hit } from "../src/bowl/sound/synth";
import { rateOf, secondsAt, seenAt } from "../src/bowl/timing";
import { decode, secondsOf, SURFACES, type Surface } from "../src/bowl/track";

const RATE = 44_100;
const tracks = decode(new Uint8Array(readFileSync(new URL("../src/bowl/tracks/middle.bin", import.meta.url))));
const told: Told = { faces: [1, 2, 3, 4, 5, 6], seed: 7, n: 1, strength: 50, side: 0, spill: false };
const MS = 1500;
const plans = tracks.map((track) => plan(told, track));
const hitsOf = (made: (typeof plans)[number]): Hit[] =>
  made.track.contacts.map(({ at, surface, speed }) => ({ at: seenAt(at, rateOf(made, MS)), surface, speed }));

/** 16-bit samples in a WAV file, as one would listen to them. */
function wav(samples: Float32Array): Uint8Array {
  const file = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at: number, word: string) => [...word].forEach((sign, i) => file.setUint8(at + i, sign.charCodeAt(0)));
  text(0, "RIFF");
  file.setUint32(4, 36 + samples.length * 2, true);
  text(8, "WAVEfmt ");
  for (const [at, value] of [[16, 16], [24, RATE], [28, RATE * 2]] as const) file.setUint32(at, value, true);
  for (const [at, value] of [[20, 1], [22, 1], [32, 2], [34, 16]] as const) file.setUint16(at, value, true);
  text(36, "data");
  file.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, i) => file.setInt16(44 + i * 2, Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), true));
  return new Uint8Array(file.buffer);
}

function heard(file: Uint8Array): Float32Array {
  const view = new DataView(file.buffer);
  expect(new TextDecoder().decode(file.subarray(0, 4))).toBe("RIFF");
  expect(view.getUint32(24, true)).toBe(RATE);
  return Float32Array.from({ length: view.getUint32(40, true) / 2 }, (_, i) => view.getInt16(44 + i * 2, true) / 32_768);
}

const peakOf = (samples: Float32Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

/** The greatest bend of the curve where `counts`: a jump of one sample shows in it as itself, a smooth wave hardly. */
function bend(samples: Float32Array, counts: (i: number) => boolean = () => true): number {
  let most = 0;
  for (let i = 2; i < samples.length; i++) if (counts(i)) most = Math.max(most, Math.abs(samples[i]! - 2 * samples[i - 1]! + samples[i - 2]!));
  return most;
}

/** How much of a tone is in the samples (Goertzel under a Hann window). */
function loudness(samples: Float32Array, hertz: number): number {
  const step = (2 * Math.PI * hertz) / RATE;
  let [re, im] = [0, 0];
  samples.forEach((sample, i) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / samples.length);
    re += sample * window * Math.cos(step * i);
    im += sample * window * Math.sin(step * i);
  });
  return Math.hypot(re, im) / samples.length;
}

const strike = (surface: Surface, speed: number) => heard(wav(render([{ at: 0.01, surface, speed }], RATE, 0.9)));

test("porcelain rings in its nine modes, each far louder than what lies between them", () => {
  const samples = strike("bowl", 150).subarray(0, 8192);
  const modes = MODES.bowl.map(({ hertz }) => hertz);
  expect(modes).toHaveLength(9);
  for (const hertz of modes.filter((one) => one !== 1196)) {
    // No two hits ring quite alike: up to 0.3 per cent beside.
    const there = Math.max(...[-3, -2, -1, 0, 1, 2, 3].map((k) => loudness(samples, hertz * (1 + k / 1000))));
    const beside = Math.max(loudness(samples, hertz * 0.9), loudness(samples, hertz * 1.09));
    expect(there / beside, `${hertz} Hz`).toBeGreaterThan(4);
  }
});

test("the two lowest modes beat", () => {
  const samples = heard(wav(render([{ at: 0.01, surface: "bowl", speed: 150 }], RATE, 0.9)));
  // 16 Hz apart: the loudness falls and rises again within a sixteenth of a second.
  const levels = Array.from({ length: 12 }, (_, k) => {
    const part = samples.subarray(Math.floor((0.08 + k * 0.01) * RATE), Math.floor((0.1 + k * 0.01) * RATE));
    return loudness(part, 1188);
  });
  const rises = levels.slice(1).filter((level, i) => level > levels[i]!).length;
  expect(rises).toBeGreaterThan(1);
  expect(rises).toBeLessThan(10);
});

test("dice are duller than porcelain and the table duller still", () => {
  const centre = (surface: Surface) => {
    const samples = strike(surface, 120).subarray(0, 4096);
    let [sum, weight] = [0, 0];
    for (let hertz = 100; hertz < 14_000; hertz += 200) {
      const power = loudness(samples, hertz) ** 2;
      sum += power * hertz;
      weight += power;
    }
    return sum / weight;
  };
  const length = (surface: Surface) => strike(surface, 120).findLastIndex((sample) => Math.abs(sample) > 0.002) / RATE;
  expect(centre("table")).toBeLessThan(900);
  expect(centre("die")).toBeGreaterThan(2500);
  expect(length("bowl")).toBeGreaterThan(5 * length("die"));
  expect(length("die")).toBeLessThan(0.06);
});

test("a harder hit is louder and brighter", () => {
  const level = (speed: number) => peakOf(strike("bowl", speed));
  expect(level(150)).toBeGreaterThan(2 * level(40));
  const bright = (speed: number) => loudness(strike("bowl", speed).subarray(0, 4096), 8629) / loudness(strike("bowl", speed).subarray(0, 4096), 1180);
  expect(bright(150)).toBeGreaterThan(1.2 * bright(20));
});

test("a whole throw is neither faint nor cut off, silent at both ends, and has no clicks but its hits", () => {
  for (const made of plans.slice(0, 5)) {
    const hits = hitsOf(made);
    const samples = heard(wav(render(hits, RATE, MS / 1000 + 0.7)));
    const peak = peakOf(samples);
    expect(peak).toBeGreaterThan(0.25);
    expect(peak).toBeLessThan(0.95);
    expect(samples[0]).toBe(0);
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(1e-4);
    const struck = new Uint8Array(samples.length);
    for (const { at } of hits) struck.fill(1, Math.floor((at - 0.001) * RATE), Math.ceil((at + 0.004) * RATE));
    expect(bend(samples, (i) => !struck[i])).toBeLessThan(0.42);
    expect(bend(samples.subarray(Math.floor((hits.at(-1)!.at + 0.25) * RATE)))).toBeLessThan(0.02);
  }
});

test("hits are where the picture has them", () => {
  for (const [i, made] of plans.entries()) {
    const rate = rateOf(made, MS);
    expect(secondsAt(MS, rate)).toBeGreaterThan(secondsOf(made.track));
    for (const { at } of made.track.contacts) expect(secondsAt(seenAt(at, rate) * 1000, rate)).toBeCloseTo(at, 6);
    if (i > 4) continue;
    const samples = render(hitsOf(made), RATE, 2.2);
    const first = samples.findIndex((sample) => Math.abs(sample) > 1e-4) / RATE;
    expect(first).toBeCloseTo(seenAt(made.track.contacts[0]!.at, rate), 2);
  }
});

test("all voices are used, and shaking is dice alone", () => {
  const spills = decode(new Uint8Array(readFileSync(new URL("../src/bowl/tracks/spill.bin", import.meta.url))));
  const surfaces = new Set(spills.flatMap(({ contacts }) => contacts.map(({ surface }) => surface)));
  expect([...surfaces].toSorted()).toEqual([...SURFACES].toSorted());
  const shaken = shaking(4, 3);
  expect(shaken.length).toBeGreaterThan(60);
  expect(new Set(shaken.map(({ surface }) => surface))).toEqual(new Set(["die"]));
  expect(peakOf(render(shaken, RATE, 4))).toBeLessThan(0.6);
});

test("what is felt is short taps with rests, within the throw", () => {
  for (const made of plans) {
    const pattern = pulses(made, MS);
    expect(pattern[0]).toBe(0);
    expect(pattern.length % 2).toBe(1);
    expect(pattern.length).toBeGreaterThan(2);
    expect(pattern.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(MS);
    pattern.slice(1).forEach((part, i) => (i % 2 ? expect(part).toBe(12) : expect(part).toBeGreaterThanOrEqual(45)));
  }
});
