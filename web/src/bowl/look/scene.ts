/** The bowl in light: what three.js draws. It is told where the dice are and draws when it is asked to. */
import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  PMREMGenerator,
  Quaternion,
  Scene,
  SphereGeometry,
  type Texture,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Vec } from "../cube.ts";
import { BOWL, innerHeight, profile, RIM, turned } from "../shape.ts";
import { FIELD, type Eye } from "./camera.ts";
import { dieGeometry, dieTextures } from "./die.ts";
import { cloth, porcelain, type Marks } from "./paint.ts";

export type Quality = "high" | "low";
const ASKED_MS = 20;
const MOST = 6; // dice
const BLUR = 0.035; // radians, of what is mirrored
const MIRRORED = 64; // pixels along a side of it: finer than that blur
const AWAY = -99; // where a die is that is not there

export interface Picture {
  readonly quality: Quality;
  /** Waits until the graphics card has made ready what it needs, where it can do so meanwhile. */
  ready(): Promise<void>;
  resize(width: number, height: number, density: number): void;
  look(eye: Eye): void;
  /** Seven numbers for each die, as `pose` gives them; the other dice are away. */
  place(poses: Float32Array): void;
  /** The values on top, read back from what is drawn. */
  shown(dice: number): number[];
  /** How much the red pips of these dice shine, 0 to 1, and the gold light above the bowl. */
  shine(amount: number, dice: readonly boolean[]): void;
  draw(): void;
  readonly calls: number;
  dispose(): void;
}

export function createPicture(canvas: HTMLCanvasElement, quality: Quality): Picture {
  const high = quality === "high";
  const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 0.92;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;

  const scene = new Scene();
  scene.background = new Color("#2a0709");
  const [light, red] = surroundings(renderer);
  scene.environment = light;
  scene.environmentIntensity = 0.95;
  const key = lamp(high);
  scene.add(key, key.target);

  const near = { value: Array.from({ length: MOST }, () => new Vector3(0, AWAY, 0)) };
  const gold = { value: 0 };
  const bowl = bowlMesh(high, red);
  const table = tableMesh();
  darkenUnderDice(bowl.material, near);
  darkenUnderDice(table.material, near);
  const dice = diceMesh(high, gold);
  scene.add(bowl, table, dice);
  const lit = dice.geometry.getAttribute("lit") as InstancedBufferAttribute;
  const camera = new PerspectiveCamera(FIELD, 1, 1, 260);
  const [matrix, at, facing, whole] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
  let [width, height] = [1, 1];
  const keyColour = key.color.clone();

  return {
    quality,
    async ready() {
      if (renderer.extensions.has("KHR_parallel_shader_compile")) await renderer.compileAsync(scene, camera);
      await settled(renderer.getContext() as WebGL2RenderingContext);
    },
    resize(w, h, density) {
      [width, height] = [w, h];
      renderer.setPixelRatio(Math.min(density, high ? 2 : 1.25));
      renderer.setSize(w, h, false);
      camera.aspect = w / h;
      renderer.shadowMap.needsUpdate = true;
    },
    look({ place, aim, shift }) {
      camera.position.set(...place);
      camera.lookAt(...aim);
      camera.setViewOffset(width, height, -shift[0], -shift[1], width, height);
      camera.updateProjectionMatrix();
    },
    place(poses) {
      for (let die = 0; die < MOST; die++) {
        const o = die * 7;
        const there = o < poses.length;
        if (there) at.fromArray(poses, o);
        else at.set(0, AWAY, 0);
        if (there) facing.fromArray(poses, o + 3);
        near.value[die]?.copy(at);
        dice.setMatrixAt(die, matrix.compose(at, facing, whole));
      }
      dice.instanceMatrix.needsUpdate = true;
      renderer.shadowMap.needsUpdate = true;
    },
    shown: (count) => Array.from({ length: count }, (_, die) => upOf(dice.instanceMatrix.array, die)),
    shine(amount, which) {
      gold.value = amount;
      which.forEach((on, die) => lit.setX(die, on ? 1 : 0));
      lit.needsUpdate = true;
      key.color.copy(keyColour).lerp(new Color("#ffd98a"), amount * 0.6);
    },
    draw() {
      renderer.render(scene, camera);
    },
    get calls() {
      return renderer.info.render.calls;
    },
    dispose() {
      scene.traverse((one) => one instanceof Mesh && (one.geometry.dispose(), discard(one.material)));
      dice.dispose();
      light.dispose();
      red.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
}

/** Waits, without holding up the page, until the graphics card has done all that it was told. */
async function settled(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  while (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED)
    await new Promise((done) => setTimeout(done, ASKED_MS));
  gl.deleteSync(fence);
}

function discard(material: Material): void {
  for (const part of Object.values(material)) if (part && typeof part === "object" && "isTexture" in part) (part as Texture).dispose();
  material.dispose();
}

/** Which value is up, from the columns of a die's matrix: +x shows 4, +y 1, +z 2. */
function upOf(matrices: ArrayLike<number>, die: number): number {
  const up = [1, 5, 9].map((k) => matrices[die * 16 + k] ?? 0);
  const axis = up.reduce((best, value, k) => (Math.abs(value) > Math.abs(up[best] ?? 0) ? k : best), 0);
  const value = [4, 1, 2][axis] ?? 0;
  return (up[axis] ?? 0) > 0 ? value : 7 - value;
}

/** three takes no fewer than 256 pixels along a side, which keep a device without a graphics card at work for seconds. */
class SmallMirror extends PMREMGenerator {
  declare _cubeSize: number;

  _setSize(): void {
    this._cubeSize = MIRRORED;
  }
}

/** Two rooms to be mirrored: one over pale ground for dice, and one over red cloth for the bowl, which else looked grey. */
function surroundings(renderer: WebGLRenderer): [Texture, Texture] {
  const maker = new SmallMirror(renderer);
  const seen = (room: Scene): Texture => {
    const { texture } = maker.fromScene(room, BLUR, 0.1, 100);
    room.traverse((one) => one instanceof Mesh && (one.geometry.dispose(), discard(one.material)));
    return texture;
  };
  const made: [Texture, Texture] = [seen(studio([1, 0.93, 0.88], 0.95)), seen(studio([0.5, 0.09, 0.07], 0.42))];
  maker.dispose();
  return made;
}

function studio(ground: Vec, bright: number): Scene {
  const room = new Scene();
  room.add(new Mesh(new SphereGeometry(50, 24, 12), new MeshBasicMaterial({ color: new Color(0.3, 0.24, 0.22), side: BackSide })));
  const panel = (size: readonly [number, number], place: Vec, colour: Vec, strength: number) => {
    const material = new MeshBasicMaterial({ color: new Color(...colour).multiplyScalar(strength), side: DoubleSide });
    const mesh = new Mesh(new PlaneGeometry(...size), material);
    mesh.position.set(...place);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  panel([22, 14], [-14, 26, -12], [1, 0.97, 0.93], 9); // a large soft lamp
  panel([9, 26], [26, 14, 6], [1, 0.86, 0.7], 4.5); // a lantern's glow
  panel([30, 5], [0, 16, -36], [1, 0.92, 0.82], 3.5); // a window
  panel([14, 8], [16, 24, 22], [0.9, 0.95, 1], 2.2);
  panel([60, 60], [0, -30, 0], ground, bright);
  return room;
}

function lamp(high: boolean): DirectionalLight {
  const key = new DirectionalLight("#fff1e0", 2);
  key.position.set(-14, 30, -9);
  key.target.position.set(0, 1, 0);
  key.castShadow = true;
  key.shadow.mapSize.setScalar(high ? 1024 : 512);
  Object.assign(key.shadow.camera, { left: -18, right: 18, top: 18, bottom: -18, near: 5, far: 60 });
  Object.assign(key.shadow, { radius: high ? 4 : 2.5, bias: -0.0006, normalBias: 0.05, intensity: 0.78 });
  return key;
}

function bowlMesh(high: boolean, environment: Texture): Mesh<BufferGeometry, MeshStandardMaterial> {
  const { geometry, marks } = bowlGeometry(high ? 128 : 80);
  const map = porcelain(marks, high ? 2048 : 1024);
  const common = { map, vertexColors: true, envMap: environment, envMapIntensity: 0.95 };
  const material = high
    ? new MeshPhysicalMaterial({ ...common, roughness: 0.2, ior: 1.52, clearcoat: 1, clearcoatRoughness: 0.04 })
    : new MeshStandardMaterial({ ...common, roughness: 0.14 });
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function bowlGeometry(columns: number): { geometry: BufferGeometry; marks: Marks } {
  const { points, lip, foot } = profile(26, 22, 9);
  const far = [0];
  points.forEach(([r, y], i) => {
    const before = points[i - 1];
    if (before) far.push((far[i - 1] ?? 0) + Math.hypot(r - before[0], y - before[1]));
  });
  const share = (i: number) => (far[i] ?? 0) / (far.at(-1) ?? 1);
  const [places, normals, spots, shades]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let s = 0; s <= columns; s++) {
    const angle = (2 * Math.PI * s) / columns;
    const [c, d] = [Math.cos(angle), Math.sin(angle)];
    points.forEach(([r, y], i) => {
      const [a, b] = [points[Math.max(0, i - 1)]!, points[Math.min(points.length - 1, i + 1)]!];
      const [across, up] = i === 0 ? [1, 0] : [b[0] - a[0], b[1] - a[1]];
      const length = Math.hypot(across, up) || 1;
      places.push(r * c, y, r * d);
      normals.push((-up / length) * c, across / length, (-up / length) * d);
      spots.push(s / columns, share(i));
      const shade = shadeAt(i, lip, y);
      shades.push(shade, shade, shade);
    });
  }
  const geometry = new BufferGeometry();
  for (const [name, values, size] of [["position", places, 3], ["normal", normals, 3], ["uv", spots, 2], ["color", shades, 3]] as const)
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
  // The foot is left out: no eye of ours sees it, and where it stands on edge it shone through the glaze as dark specks.
  geometry.setIndex(turned(points.slice(0, foot + 1), columns, (s, i) => s * points.length + i));
  return { geometry, marks: { lip: share(lip[0]), outside: share(lip[1]), foot: share(foot) } };
}

/** Less light comes to the bottom of the bowl, and under it. */
function shadeAt(i: number, [from, to]: readonly [number, number], y: number): number {
  if (i <= from) return 0.84 + 0.16 * Math.min(1, (y - innerHeight(0)) / BOWL.depth) ** 0.7;
  return i > to ? 0.45 + 0.55 * Math.max(0, y / RIM) ** 0.6 : 1;
}

function tableMesh(): Mesh<BufferGeometry, MeshStandardMaterial> {
  const map = cloth(512);
  map.repeat.set(13, 13);
  const geometry = new CircleGeometry(62, 64).rotateX(-Math.PI / 2);
  const material = new MeshStandardMaterial({ map, roughness: 0.92, envMapIntensity: 0.55 });
  weave(material, {
    vertexHead: "varying vec2 vOnTable;",
    vertex: "vOnTable = position.xz;",
    head: "varying vec2 vOnTable;",
    colour: `float away = length(vOnTable);
      diffuseColor.rgb *= mix(1.0, 0.1, smoothstep(12.0, 44.0, away)) * (1.0 - 0.55 * exp(-pow(max(away - 3.2, 0.0) / 2.6, 2.0)));`,
  });
  const mesh = new Mesh(geometry, material);
  mesh.receiveShadow = true;
  return mesh;
}

function diceMesh(high: boolean, gold: { value: number }): InstancedMesh {
  const geometry = dieGeometry(high ? 4 : 3, high ? 6 : 4);
  const textures = dieTextures(high ? 192 : 128);
  geometry.setAttribute("lit", new InstancedBufferAttribute(new Float32Array(MOST), 1));
  const material = high
    ? new MeshPhysicalMaterial({ ...textures, roughness: 0.34, clearcoat: 0.32, clearcoatRoughness: 0.16 })
    : new MeshStandardMaterial({ ...textures, roughness: 0.28 });
  // The reds of a die that is lit glow, and its edges take on gold.
  weave(material, {
    uniforms: { gold },
    vertexHead: "attribute float lit; varying float vLit;",
    vertex: "vLit = lit;",
    head: "varying float vLit; uniform float gold;",
    light: `float reds = clamp((diffuseColor.r - max(diffuseColor.g, diffuseColor.b)) * 3.0, 0.0, 1.0);
      float rim = clamp(1.0 - abs(dot(normalize(vViewPosition), normal)), 0.0, 1.0);
      totalEmissiveRadiance += vLit * gold * (reds * vec3(1.5, 0.1, 0.04) + rim * rim * vec3(0.9, 0.55, 0.12));`,
  });
  const mesh = new InstancedMesh(geometry, material, MOST);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return mesh;
}

interface Threads {
  uniforms?: Record<string, { value: unknown }>;
  vertexHead: string;
  vertex: string;
  head: string;
  colour?: string;
  light?: string;
}

/** Lines of our own in three's shaders; several may be woven into one material. */
function weave(material: Material, { uniforms = {}, vertexHead, vertex, head, colour = "", light = "" }: Threads): void {
  const before = material.onBeforeCompile.bind(material);
  material.onBeforeCompile = (shader, renderer) => {
    before(shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    const after = (source: string, place: string, lines: string) => source.replace(`#include <${place}>`, `#include <${place}>\n${lines}`);
    shader.vertexShader = after(after(shader.vertexShader, "common", vertexHead), "begin_vertex", vertex);
    shader.fragmentShader = after(shader.fragmentShader, "common", head);
    if (colour) shader.fragmentShader = after(shader.fragmentShader, "map_fragment", `{ ${colour} }`);
    if (light) shader.fragmentShader = after(shader.fragmentShader, "emissivemap_fragment", `{ ${light} }`);
  };
  const key = material.customProgramCacheKey.bind(material);
  material.customProgramCacheKey = () => key() + colour + light;
}

/** Where a die is near, less light comes: what makes it stand on the ground. */
function darkenUnderDice(material: Material, near: { value: Vector3[] }): void {
  weave(material, {
    uniforms: { near },
    vertexHead: "varying vec3 vPlace; varying vec3 vUp;",
    vertex: "vPlace = (modelMatrix * vec4(position, 1.0)).xyz; vUp = normalize(mat3(modelMatrix) * normal);",
    head: `varying vec3 vPlace; varying vec3 vUp; uniform vec3 near[${MOST}];`,
    colour: `float open = 1.0;
      for (int i = 0; i < ${MOST}; i++) {
        vec3 to = near[i] - vPlace;
        float square = dot(to, to);
        float facing = max(dot(normalize(vUp), to) * inversesqrt(square), 0.0);
        open *= 1.0 - clamp(facing * 0.62 / max(square, 0.62), 0.0, 0.82);
      }
      diffuseColor.rgb *= mix(vec3(0.5, 0.44, 0.42), vec3(1.0), open);`,
  });
}
