/** Dice as turned cubes: quaternions [x, y, z, w], the 24 ways a cube fits its own place, and which face is up. */

export type Quat = readonly [x: number, y: number, z: number, w: number];
export type Vec = readonly [x: number, y: number, z: number];

/** Where each value of a die looks while it is not turned. Opposite values add to 7; 1, 2, 3 run clockwise, as in China. */
export const LOOKS: readonly Vec[] = [
  [0, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [1, 0, 0],
  [0, 0, -1],
  [0, -1, 0],
];

export function times(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export const conjugate = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];

export function turn(q: Quat, [x, y, z]: Vec): Vec {
  const [a, b, c] = times(times(q, [x, y, z, 0]), conjugate(q));
  return [a, b, c];
}

/** A turn by a vector: its direction is the axis, its length the angle in radians. */
export function fromVector([x, y, z]: Vec): Quat {
  const angle = Math.hypot(x, y, z);
  const k = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
  return [x * k, y * k, z * k, Math.cos(angle / 2)];
}

export function toVector(q: Quat): Vec {
  const sign = q[3] < 0 ? -1 : 1;
  const sine = Math.hypot(q[0], q[1], q[2]);
  const k = sine < 1e-9 ? 2 * sign : (2 * sign * Math.atan2(sine, sign * q[3])) / sine;
  return [q[0] * k, q[1] * k, q[2] * k];
}

/** The value that is up, and the cosine between its face and the upright: 1 lies flat. */
export function top(q: Quat): { value: number; cosine: number } {
  let [value, cosine] = [0, -2];
  for (let v = 1; v <= 6; v++) {
    const y = turn(q, LOOKS[v] as Vec)[1];
    if (y > cosine) [value, cosine] = [v, y];
  }
  return { value, cosine };
}

/** All 24 rotations that bring a cube onto itself. */
export const ROTATIONS: readonly Quat[] = rotations();

function rotations(): Quat[] {
  const half = Math.SQRT1_2;
  const found: Quat[] = [[0, 0, 0, 1]];
  const same = (a: Quat, b: Quat) => Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) > 0.999;
  for (const q of found) {
    for (const step of [[half, 0, 0, half], [0, half, 0, half]] as const) {
      const next = times(step, q);
      if (!found.some((one) => same(one, next))) found.push(next);
    }
  }
  return found;
}

/** The four rotations of a die inside itself after which value `shown` looks where `there` looked. */
export function swaps(shown: number, there: number): readonly Quat[] {
  return SWAPS[shown * 7 + there] ?? [];
}

const SWAPS = Array.from({ length: 49 }, (_, i) => {
  const [shown, there] = [Math.floor(i / 7), i % 7];
  if (!shown || !there) return [];
  const aim = LOOKS[there] as Vec;
  return ROTATIONS.filter((q) => {
    const [x, y, z] = turn(q, LOOKS[shown] as Vec);
    return x * aim[0] + y * aim[1] + z * aim[2] > 0.9;
  });
});
