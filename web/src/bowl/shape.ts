/** The bowl and the dice in centimetres, for the physics that bakes throws and for the picture alike. y points up. */

export const BOWL = { radius: 8.6, depth: 6.4, wall: 0.38, floor: 1.45, foot: 3.3, footHeight: 0.9 } as const;
export const RIM = BOWL.floor + BOWL.depth;
export const EDGE = 1.6;

export type Point = readonly [r: number, y: number];

/** Height of the inner side at a distance from the axis: flat in the middle, steep at the rim. */
export function innerHeight(r: number): number {
  const t = (r / BOWL.radius) ** 2;
  return BOWL.floor + BOWL.depth * t * (0.25 + 0.75 * t);
}

export interface Profile {
  readonly points: readonly Point[];
  /** Where the lip begins and ends among the points. */
  readonly lip: readonly [from: number, to: number];
  /** Where the foot begins. */
  readonly foot: number;
}

/** The outline of half a bowl, closed at the axis: the inner side up, over the lip, the outer side down to the foot. */
export function profile(inner: number, outer: number, lip: number): Profile {
  const points: Point[] = [];
  for (let i = 0; i <= inner; i++) {
    const r = BOWL.radius * (1 - (1 - i / inner) ** 1.25); // closer together where the wall is steep
    points.push([r, innerHeight(r)]);
  }
  const half = BOWL.wall / 2;
  for (let i = 1; i < lip; i++) {
    const angle = Math.PI * (1 - i / lip);
    points.push([BOWL.radius + half + half * Math.cos(angle), RIM + 0.9 * half * Math.sin(angle)]);
  }
  const widest = BOWL.radius + BOWL.wall;
  for (let i = 0; i <= outer; i++) {
    const t = (i / outer) ** 0.8;
    points.push([widest + (BOWL.foot - widest) * t, BOWL.footHeight + (RIM - BOWL.footHeight) * (1 - t) ** 1.75]);
  }
  const { foot } = BOWL;
  const stands = points.length - 1;
  points.push([foot - 0.1, 0.36], [foot - 0.2, 0], [foot - 0.6, 0], [foot - 0.65, 0.45], [0, 0.5]);
  return { points, lip: [inner, inner + lip], foot: stands };
}

/** Corners of triangles over a profile turned round the axis; `at(s, i)` is the number of point i in column s. */
export function turned(points: readonly Point[], columns: number, at: (s: number, i: number) => number): number[] {
  const corners: number[] = [];
  for (let s = 0; s < columns; s++) {
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b, c, d] = [at(s, i), at(s, i + 1), at(s + 1, i), at(s + 1, i + 1)];
      if ((points[i]?.[0] ?? 0) > 0) corners.push(a, c, b);
      if ((points[i + 1]?.[0] ?? 0) > 0) corners.push(b, c, d);
    }
  }
  return corners;
}
