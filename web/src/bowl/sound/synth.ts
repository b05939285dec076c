/** The clatter by modal synthesis: each hit rings the modes of what was hit. Pure, so that it can be rendered anywhere. */
import { below, draws } from "../chance.ts";
import type { Surface } from "../track.ts";

export interface Hit {
  /** Seconds from the beginning of the sound. */
  readonly at: number;
  readonly surface: Surface;
  /** Change of speed in cm/s. */
  readonly speed: number;
}

interface Mode {
  readonly hertz: number;
  readonly loud: number;
  /** Seconds until it is a thousandth. */
  readonly ring: number;
}

const mode = (hertz: number, loud: number, ring: number): Mode => ({ hertz, loud, ring });

/** A thin porcelain shell: two modes that beat, then ever higher and shorter ones. Dice are dull, the table duller. */
export const MODES: Readonly<Record<Surface, readonly Mode[]>> = {
  bowl: [
    mode(1180, 1, 0.62),
    mode(1196, 0.62, 0.56),
    mode(2793, 0.85, 0.36),
    mode(4640, 0.6, 0.22),
    mode(6497, 0.45, 0.15),
    mode(8629, 0.32, 0.1),
    mode(10150, 0.24, 0.075),
    mode(11740, 0.17, 0.06),
    mode(13300, 0.12, 0.045),
  ],
  die: [mode(3650, 1, 0.026), mode(5900, 0.7, 0.02), mode(8200, 0.5, 0.014), mode(11400, 0.3, 0.01)],
  table: [mode(176, 1, 0.07), mode(312, 0.6, 0.05), mode(724, 0.28, 0.028)],
};

const LOUDNESS: Readonly<Record<Surface, number>> = { bowl: 0.2, die: 0.13, table: 0.4 };
const HARDEST = 170; // cm/s: from here on a hit is no louder
const KNOCK = 0.0014; // seconds that the two touch
const PEAK = 0.9;
const RELEASE = 0.03;

/** Samples of all hits together, between -1 and 1, silent at both ends. */
export function render(hits: readonly Hit[], rate: number, seconds: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(Math.ceil(rate * seconds));
  hits.forEach((hit, i) => strike(out, rate, hit, draws(i + 1)));
  let peak = 0;
  for (const sample of out) peak = Math.max(peak, Math.abs(sample));
  const scale = peak > PEAK ? PEAK / peak : 1;
  const release = Math.min(out.length, Math.floor(rate * RELEASE));
  for (let i = 0; i < out.length; i++) out[i]! *= scale * Math.min(1, (out.length - 1 - i) / release);
  return out;
}

function strike(out: Float32Array, rate: number, { at, surface, speed }: Hit, draw: () => number): void {
  const force = Math.min(1, speed / HARDEST) ** 0.8;
  const loud = LOUDNESS[surface] * force;
  const start = Math.round(at * rate);
  if (loud < 0.0005 || start < 0 || start >= out.length) return;
  const detuned = 1 + (draw() - 0.5) * 0.006; // no two places of the bowl ring quite alike
  for (const { hertz, loud: share, ring } of MODES[surface]) {
    // A soft hit touches longer and wakes the high modes less.
    const amplitude = loud * share * (0.5 + 0.5 * draw()) * force ** (hertz / 16_000);
    if (hertz * detuned < rate / 2.2) ringOut(out, start, amplitude, (2 * Math.PI * hertz * detuned) / rate, ring * rate);
  }
  const knock = Math.floor(KNOCK * rate);
  for (let i = 0; i < knock && start + i < out.length; i++) {
    const share = i / knock;
    out[start + i]! += (draw() * 2 - 1) * loud * 0.5 * Math.sin(Math.PI * share) ** 2 * (1 - share);
  }
}

/** A damped sine by its two-term recurrence, from 0 until it cannot be heard. */
function ringOut(out: Float32Array, start: number, amplitude: number, step: number, ring: number): void {
  const decay = Math.exp(-6.9 / ring);
  const [a, b] = [2 * decay * Math.cos(step), decay * decay];
  const last = Math.min(out.length - start, Math.floor(ring * 1.5));
  let [before, now] = [-amplitude * Math.sin(step) / decay, 0];
  for (let i = 0; i < last; i++) {
    out[start + i]! += now;
    [before, now] = [now, a * now - b * before];
  }
}

/** Dice shaken in two hands for so long: dull, quick, uneven. */
export function shaking(seconds: number, seed: number): Hit[] {
  const draw = draws(seed);
  const hits: Hit[] = [];
  for (let at = 0.01; at < seconds; at += 0.012 + 0.05 * draw()) hits.push({ at, surface: "die", speed: 12 + below(draw, 70) });
  return hits;
}
