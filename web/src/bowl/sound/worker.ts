/** Renders sounds beside the page, which meanwhile moves on. */
import { render, type Hit } from "./synth.ts";

export interface Order {
  readonly id: number;
  readonly hits: readonly Hit[];
  readonly rate: number;
  readonly seconds: number;
}

export interface Sound {
  readonly id: number;
  readonly samples: Float32Array<ArrayBuffer>;
}

addEventListener("message", ({ data: { id, hits, rate, seconds } }: MessageEvent<Order>) => {
  const samples = render(hits, rate, seconds);
  postMessage({ id, samples } satisfies Sound, { transfer: [samples.buffer] });
});
