/** Where the eye is, so that the whole bowl is in the picture, whatever the shape of the window. */
import type { Vec } from "../cube.ts";
import { BOWL, RIM } from "../shape.ts";

export const FIELD = 26; // degrees from the lower to the upper edge
const AIM: Vec = [0, 3.4, 0];

export interface Window {
  readonly width: number;
  readonly height: number;
  /** Pixels at each edge that something else covers. */
  readonly cover: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
}

export interface Eye {
  readonly place: Vec;
  readonly aim: Vec;
  /** By how many pixels the picture is moved to its place. */
  readonly shift: readonly [x: number, y: number];
}

const around = (radius: number, y: number): Vec[] =>
  Array.from({ length: 32 }, (_, i) => [radius * Math.sin((i * Math.PI) / 16), y, radius * Math.cos((i * Math.PI) / 16)]);
const OUTLINE = [...around(BOWL.radius + BOWL.wall, RIM), ...around(BOWL.foot + 1.5, 0)];

/** The nearest eye at this height (degrees above the table) that sees the bowl and these places besides, and a margin. */
export function eyeFor(window: Window, degrees: number, besides: readonly Vec[] = []): Eye {
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const { width, height, cover } = window;
  const room = [Math.max(40, width - cover.left - cover.right), Math.max(40, height - cover.top - cover.bottom)] as const;
  const scale = height / 2 / Math.tan((FIELD * Math.PI) / 360); // pixels for one unit at distance one
  const seen = [...OUTLINE, ...besides];
  let box = boxAt(40);
  let [near, far] = [12, 400];
  for (let i = 0; i < 24; i++) {
    const distance = (near + far) / 2;
    box = boxAt(distance);
    if (box.right - box.left > room[0] || box.bottom - box.top > room[1]) near = distance;
    else far = distance;
  }
  box = boxAt(far);
  const shift = [cover.left + room[0] / 2 - width / 2 - (box.left + box.right) / 2, cover.top + room[1] / 2 - height / 2 - (box.top + box.bottom) / 2] as const;
  return { place: [AIM[0], AIM[1] + sine * far, AIM[2] + cosine * far], aim: AIM, shift };

  /** What the seen places fill at a distance, in pixels from the middle of the window. */
  function boxAt(distance: number) {
    const edges = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (const [x, y, z] of seen) {
      const [up, back] = [y - AIM[1], z - AIM[2]];
      const depth = distance - (up * sine + back * cosine);
      const [across, down] = [(x * scale) / depth, ((back * sine - up * cosine) * scale) / depth];
      edges.left = Math.min(edges.left, across);
      edges.right = Math.max(edges.right, across);
      edges.top = Math.min(edges.top, down);
      edges.bottom = Math.max(edges.bottom, down);
    }
    return edges;
  }
}

export function blend(a: Eye, b: Eye, share: number): Eye {
  const mix = (x: number, y: number) => x + (y - x) * share;
  const vec = (p: Vec, q: Vec): Vec => [mix(p[0], q[0]), mix(p[1], q[1]), mix(p[2], q[2])];
  return { place: vec(a.place, b.place), aim: vec(a.aim, b.aim), shift: [mix(a.shift[0], b.shift[0]), mix(a.shift[1], b.shift[1])] };
}
