/** Plays throws in the picture: what moves when, and what of it is drawn. Nothing is drawn while nothing moves. */
import { blend, eyeFor, type Eye, type Window } from "./look/camera.ts";
import { createPicture, type Picture, type Quality } from "./look/scene.ts";
import { pose, strayed, type Plan } from "./plan.ts";
import { EDGE, RIM } from "./shape.ts";
import { rateOf, secondsAt } from "./timing.ts";
import type { Vec } from "./cube.ts";

const FLYING = 52; // degrees of the eye above the table
const RESTING = 64;
const ABOVE = 74; // for a die outside, which may lie behind the bowl
const SLOW = { high: 34, low: 60 } as const; // milliseconds a frame
const SHINE_MS = 2600;

export interface Happenings {
  /** The graphics card gave the picture up. */
  lost: () => void;
  /** Frames come too slowly for this quality. */
  slow: () => void;
}

export class Stage {
  readonly #picture: Picture;
  readonly #canvas: HTMLCanvasElement;
  readonly #happenings: Happenings;
  #window: Window = { width: 1, height: 1, cover: { top: 0, right: 0, bottom: 0, left: 0 } };
  #density = 1;
  #eyes: { flying: Eye; resting: Eye } | null = null;
  #plan: Plan | null = null;
  #poses = new Float32Array(0);
  #frame = 0;
  #times: number[] = [];
  #moving: ((now: number) => boolean) | null = null;
  #closed = false;

  private constructor(canvas: HTMLCanvasElement, picture: Picture, happenings: Happenings) {
    this.#canvas = canvas;
    this.#picture = picture;
    this.#happenings = happenings;
    canvas.addEventListener("webglcontextlost", this.#lost);
  }

  /** Gives the stage when it can be shown at once; throws where the device cannot. */
  static async open(canvas: HTMLCanvasElement, quality: Quality, happenings: Happenings): Promise<Stage> {
    const picture = createPicture(canvas, quality);
    await picture.ready();
    return new Stage(canvas, picture, happenings);
  }

  get quality(): Quality {
    return this.#picture.quality;
  }

  get calls(): number {
    return this.#picture.calls;
  }

  resize(window: Window, density: number): void {
    [this.#window, this.#density] = [window, density];
    this.#picture.resize(window.width, window.height, density);
    this.#eyes = null;
    this.#redraw();
  }

  /** Dice that rest; none for an empty bowl. */
  rest(plan: Plan | null): void {
    this.#judge();
    this.#show(plan);
    this.#run(null);
    this.#at(Infinity, 1);
    this.#picture.draw();
  }

  /** A throw that is to rest `ms` after `begun` (in the time of `performance.now`). */
  play(plan: Plan, ms: number, begun: number): void {
    this.#show(plan);
    const rate = rateOf(plan, ms);
    const times: number[] = (this.#times = []);
    let last = 0;
    this.#run((now) => {
      if (last) times.push(now - last);
      last = now;
      const share = (now - begun) / ms;
      this.#at(secondsAt(now - begun, rate), smooth((share - 0.5) / 0.5));
      return share < 1;
    });
  }

  /** Dice in a hand that shakes, until the next throw or `rest`. */
  shake(dice: number): void {
    const poses = new Float32Array(dice * 7);
    const begun = performance.now();
    this.#run((now) => {
      const eyes = this.#looks();
      inHand(poses, dice, (now - begun) / 1000);
      this.#picture.place(poses);
      this.#picture.look(eyes.flying);
      return true;
    });
  }

  /** The red pips of these values light up once and fade. */
  celebrate(values: readonly number[]): void {
    const plan = this.#plan;
    if (!plan) return;
    const lit = plan.values.map((value) => values.includes(value));
    const begun = performance.now();
    this.#run((now) => {
      const share = Math.min(1, (now - begun) / SHINE_MS);
      this.#picture.shine(smooth(share / 0.25) * (1 - 0.45 * smooth((share - 0.55) / 0.45)), lit);
      return share < 1;
    });
  }

  /** The values on top as the picture has them. */
  shown(): number[] {
    return this.#picture.shown(this.#plan?.track.dice ?? 0);
  }

  close(): void {
    this.#closed = true;
    cancelAnimationFrame(this.#frame);
    this.#canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#picture.dispose();
  }

  readonly #lost = (event: Event): void => {
    event.preventDefault();
    cancelAnimationFrame(this.#frame);
    this.#happenings.lost();
  };

  #show(plan: Plan | null): void {
    if (plan === this.#plan) return;
    this.#plan = plan;
    this.#eyes = null;
    this.#poses = new Float32Array((plan?.track.dice ?? 0) * 7);
    this.#picture.shine(0, []);
  }

  #at(seconds: number, share: number): void {
    this.#picture.place(this.#plan ? pose(this.#plan, seconds, this.#poses) : this.#poses);
    const { flying, resting } = this.#looks();
    this.#picture.look(blend(flying, resting, share));
  }

  #looks(): { flying: Eye; resting: Eye } {
    if (this.#eyes) return this.#eyes;
    const out = this.#plan && strayed(this.#plan);
    const beside: Vec[] = out ? [-1, 1].flatMap((side) => [[out[0] + side * EDGE, EDGE, out[2]], [out[0], 0, out[2] + side * EDGE]] satisfies Vec[]) : [];
    this.#eyes = { flying: eyeFor(this.#window, FLYING), resting: eyeFor(this.#window, out ? ABOVE : RESTING, beside) };
    return this.#eyes;
  }

  /** Draws frame after frame while `step` says that there is more; null stops. */
  #run(step: ((now: number) => boolean) | null): void {
    cancelAnimationFrame(this.#frame);
    this.#moving = step;
    if (!step) return;
    const frame = () => {
      if (this.#closed || this.#moving !== step) return;
      const more = step(performance.now());
      this.#picture.draw();
      if (more) this.#frame = requestAnimationFrame(frame);
      else this.#moving = null;
    };
    this.#frame = requestAnimationFrame(frame);
  }

  #redraw(): void {
    if (this.#moving) return;
    this.#at(Infinity, 1);
    this.#picture.draw();
  }

  /** Whether the frames of the throw that is over came quickly enough. */
  #judge(): void {
    const times = this.#times.toSorted((a, b) => a - b);
    this.#times = [];
    if ((times[times.length >> 1] ?? 0) > SLOW[this.quality]) queueMicrotask(this.#happenings.slow);
  }
}

function smooth(share: number): number {
  const t = Math.min(1, Math.max(0, share));
  return t * t * (3 - 2 * t);
}

/** Dice that jump about over the near rim. */
function inHand(poses: Float32Array, dice: number, seconds: number): void {
  for (let die = 0; die < dice; die++) {
    const [column, row] = [(die % 3) - 1, Math.floor(die / 3)];
    const wave = (speed: number, k: number) => Math.sin(seconds * speed + die * 2.4 + k);
    const place = [column * 1.75 + 0.3 * wave(23, 0), RIM + 1.6 + row * 1.8 + 0.45 * wave(27, 1), 5.2 + 0.35 * wave(19, 2)];
    const angles = [wave(7, 3), wave(9, 4), wave(8, 5)].map((angle, k) => angle * 1.4 + die * (k + 1));
    const [x, y, z] = angles as [number, number, number];
    const length = Math.hypot(x, y, z) || 1;
    const sine = Math.sin(length / 2) / length;
    poses.set([...place, x * sine, y * sine, z * sine, Math.cos(length / 2)], die * 7);
  }
}
