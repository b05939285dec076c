/** The picture of a die: a cube with round edges, hollow pips, a large red 1 and a red 4. */
import { BufferAttribute, BufferGeometry, DataTexture, LinearFilter, LinearMipmapLinearFilter, RGBAFormat, SRGBColorSpace } from "three";
import { LOOKS, type Vec } from "../cube.ts";
import { EDGE } from "../shape.ts";

const ROUND = 0.27;
const IVORY = [250, 246, 236] as const;
const RED = [196, 14, 24] as const;
const BLACK = [24, 26, 36] as const;
const FILL = 0.96; // of a cell of the texture that a face takes

/** Two edges of a face that make a right-handed frame with where it looks. */
function frame(value: number): readonly [Vec, Vec, Vec] {
  const n = LOOKS[value] as Vec;
  const u: Vec = [Math.abs(n[1]), Math.abs(n[2]), Math.abs(n[0])];
  return [n, u, [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]]];
}

const cell = (value: number) => [(value - 1) % 3, Math.floor((value - 1) / 3)] as const;

/** `flat`: steps across the flat of a face; `arc`: steps over half a rounded edge. */
export function dieGeometry(flat: number, arc: number): BufferGeometry {
  const inner = EDGE / 2 - ROUND;
  // Along one edge of a face: where the flat part is, and how far the surface leans out.
  const line: { at: number; lean: number }[] = [];
  for (let i = 0; i <= arc; i++) line.push({ at: -inner, lean: -Math.tan((Math.PI / 4) * (1 - i / arc)) });
  for (let i = 1; i < flat; i++) line.push({ at: -inner + (2 * inner * i) / flat, lean: 0 });
  for (let i = 0; i <= arc; i++) line.push({ at: inner, lean: Math.tan((Math.PI / 4) * (i / arc)) });
  const [places, normals, spots, corners]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let value = 1; value <= 6; value++) {
    const [n, u, v] = frame(value);
    const [column, row] = cell(value);
    const first = places.length / 3;
    for (const a of line)
      for (const b of line) {
        const out = n.map((part, k) => part + u[k]! * a.lean + v[k]! * b.lean);
        const length = Math.hypot(...out);
        const normal = out.map((part) => part / length);
        const place = normal.map((part, k) => n[k]! * inner + u[k]! * a.at + v[k]! * b.at + part * ROUND);
        const along = (axis: Vec) => axis.reduce((sum, part, k) => sum + part * place[k]!, 0) / EDGE;
        places.push(...place);
        normals.push(...normal);
        spots.push((column + 0.5 + along(u) * FILL) / 3, (row + 0.5 + along(v) * FILL) / 2);
      }
    const size = line.length;
    for (let a = 0; a + 1 < size; a++)
      for (let b = 0; b + 1 < size; b++) {
        const i = first + a * size + b;
        corners.push(i, i + size, i + 1, i + size, i + size + 1, i + 1);
      }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(spots), 2));
  geometry.setIndex(corners);
  return geometry;
}

interface Pips {
  readonly at: readonly (readonly [number, number])[];
  readonly radius: number;
  /** Of the hollow, in radii. */
  readonly depth: number;
  readonly ink: readonly [number, number, number];
}

const A = 0.255;
const PIPS: readonly Pips[] = [
  { at: [[0, 0]], radius: 0.235, depth: 0.36, ink: RED },
  { at: [[-A, -A], [A, A]], radius: 0.115, depth: 0.52, ink: BLACK },
  { at: [[-A, -A], [0, 0], [A, A]], radius: 0.112, depth: 0.52, ink: BLACK },
  { at: [[-A, -A], [-A, A], [A, -A], [A, A]], radius: 0.122, depth: 0.52, ink: RED },
  { at: [[-A, -A], [-A, A], [A, -A], [A, A], [0, 0]], radius: 0.112, depth: 0.52, ink: BLACK },
  { at: [[-A, -0.29], [-A, 0], [-A, 0.29], [A, -0.29], [A, 0], [A, 0.29]], radius: 0.106, depth: 0.52, ink: BLACK },
];

/** Colours, and normals of the hollows, for all six faces. */
export function dieTextures(size: number): { map: DataTexture; normalMap: DataTexture } {
  const [width, height] = [size * 3, size * 2];
  const colours = new Uint8Array(width * height * 4);
  const normals = new Uint8Array(width * height * 4);
  for (let i = 0; i < colours.length; i += 4) {
    colours.set([...IVORY, 255], i);
    normals.set([128, 128, 255, 255], i);
  }
  PIPS.forEach((pips, i) => {
    const [column, row] = cell(i + 1);
    for (const [x, y] of pips.at) hollow(pips, (column + 0.5 + x * FILL) * size, (row + 0.5 + y * FILL) * size, size * FILL);
  });

  /** A pip is a part of a sphere cut out of the face, painted, darker at its bottom. */
  function hollow({ radius, depth, ink }: Pips, cx: number, cy: number, scale: number): void {
    const sphere = (radius * (1 + depth * depth)) / (2 * depth);
    const reach = Math.ceil(radius * 1.3 * scale);
    for (let y = Math.round(cy) - reach; y < cy + reach; y++)
      for (let x = Math.round(cx) - reach; x < cx + reach; x++) {
        const [dx, dy] = [(x + 0.5 - cx) / scale, (y + 0.5 - cy) / scale];
        const d = Math.hypot(dx, dy);
        if (d > radius * 1.25) continue;
        const inside = Math.min(1, Math.max(0, ((radius * 0.98 - d) * scale) / 1.3 + 0.5));
        const shade = d < radius ? 0.8 + 0.2 * (d / radius) ** 2 : 1 - 0.1 * (1 - (d - radius) / (radius * 0.25));
        const o = (y * width + x) * 4;
        IVORY.forEach((body, k) => (colours[o + k] = (body + ((ink[k] ?? 0) - body) * inside) * shade));
        if (d >= radius || d === 0) continue;
        const slope = (d / Math.sqrt(sphere * sphere - d * d)) * Math.min(1, (radius - d) / (radius * 0.12));
        const length = Math.hypot(slope, 1);
        normals.set([128 - (127 * slope * dx) / d / length, 128 - (127 * slope * dy) / d / length, 128 + 127 / length], o);
      }
  }

  const texture = (data: Uint8Array<ArrayBuffer>) => {
    const made = new DataTexture(data, width, height, RGBAFormat);
    made.magFilter = LinearFilter;
    made.minFilter = LinearMipmapLinearFilter;
    made.generateMipmaps = true;
    made.anisotropy = 8;
    made.needsUpdate = true;
    return made;
  };
  const map = texture(colours);
  map.colorSpace = SRGBColorSpace;
  return { map, normalMap: texture(normals) };
}
