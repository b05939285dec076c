/** What is heard of a throw: its contacts, rendered beside the page and started with the picture. */
import { audio } from "$lib/audio";
import { scriptUrl } from "$lib/worker";
import workerUrl from "./sound/worker.ts?worker&url";
import type { Plan } from "./plan.ts";
import { shaking, type Hit } from "./sound/synth.ts";
import type { Order, Sound } from "./sound/worker.ts";
import { rateOf, seenAt } from "./timing.ts";

const TAIL = 0.7; // seconds that the bowl rings on
const LATE = 0.25; // a sound that comes later than this is not played

let worker: Worker | null = null;
let orders = 0;
const waiting = new Map<number, (samples: Float32Array<ArrayBuffer>) => void>();

function rendered(hits: readonly Hit[], rate: number, seconds: number): Promise<Float32Array<ArrayBuffer>> {
  if (!worker) {
    worker = new Worker(scriptUrl(workerUrl), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Sound>) => {
      waiting.get(data.id)?.(data.samples);
      waiting.delete(data.id);
    });
  }
  const id = ++orders;
  const answer = new Promise<Float32Array<ArrayBuffer>>((done) => waiting.set(id, done));
  worker.postMessage({ id, hits, rate, seconds } satisfies Order);
  return answer;
}

/** What the contacts of a throw that lasts `ms` sound like. */
export function hitsOf(plan: Plan, ms: number): Hit[] {
  const rate = rateOf(plan, ms);
  return plan.track.contacts.map(({ at, surface, speed }) => ({ at: seenAt(at, rate), surface, speed }));
}

/** The sound of a throw that began at `begun` (performance.now); gives what stops it. */
export function throwSound(plan: Plan, ms: number, begun: number): () => void {
  return sound(hitsOf(plan, ms), ms / 1000 + TAIL, begun);
}

/** Dice in the hand, until it is stopped. */
export function shakeSound(): () => void {
  const seconds = 4;
  return sound(shaking(seconds, Math.floor(performance.now())), seconds, performance.now(), true);
}

function sound(hits: readonly Hit[], seconds: number, begun: number, loop = false): () => void {
  const out = audio();
  if (!out) return () => undefined;
  const { context, output } = out;
  let source: AudioBufferSourceNode | null = null;
  let stopped = false;
  rendered(hits, context.sampleRate, seconds).then(
    (samples) => {
      const late = (performance.now() - begun) / 1000;
      if (stopped || (!loop && late > LATE)) return;
      const buffer = context.createBuffer(1, samples.length, context.sampleRate);
      buffer.copyToChannel(samples, 0);
      source = context.createBufferSource();
      Object.assign(source, { buffer, loop });
      source.connect(output);
      source.start(0, loop ? 0 : late);
    },
    (error: unknown) => console.warn("no sound of dice:", error),
  );
  return () => {
    stopped = true;
    source?.stop();
  };
}
