/** One throw by physics: dice leave a hand over the rim, run round the bowl and come to rest. Centimetres, grams, seconds. */
import RAPIER from "@dimforge/rapier3d-deterministic-compat";
import { draws } from "../src/bowl/chance.ts";
import type { Quat, Vec } from "../src/bowl/cube.ts";
import { BOWL, EDGE, innerHeight, profile, RIM, turned } from "../src/bowl/shape.ts";
import { FRAMES_PER_SECOND, TICKS_PER_SECOND, type Contact, type Surface, type Track } from "../src/bowl/track.ts";

const GRAVITY = 981;
const MASS = 4.9;
const ROUNDED = 0.22;
const COLUMNS = 48;
const LONGEST = 5; // seconds; a throw that is not at rest by then is none
const CALM = 0.9; // cm/s
const CALM_TICKS = 24;
const DAMPING = { straight: 0.05, spin: 0.25 };
// Averages of the two that touch: little friction keeps dice from leaning on the wall.
const DIE = { bounce: 0.58, friction: 0.12 };
const PORCELAIN = { bounce: 0.74, friction: 0.08 };
const CLOTH = { bounce: 0.25, friction: 0.6 };
const LOUD = 8; // cm/s: softer contacts are not heard
const GAP = 0.02; // seconds between two hits of the same pair

export interface Rest {
  readonly place: Vec;
  readonly facing: Quat;
  readonly outside: boolean;
  /** How far the middle is above where it would be flat on the ground. */
  readonly lift: number;
}

export interface Thrown extends Track {
  readonly settled: boolean;
  readonly rests: readonly Rest[];
}

/** Bake a throw of so many dice with a strength from 0 to 1. The same seed gives the same throw. */
export function simulate(seed: number, dice: number, strength: number): Thrown {
  const world = new RAPIER.World({ x: 0, y: -GRAVITY, z: 0 });
  world.timestep = 1 / TICKS_PER_SECOND;
  world.lengthUnit = EDGE;
  world.numSolverIterations = 6;
  const table = furnish(world);
  const bodies = launches(draws(seed), dice, strength).map((start) => addDie(world, start));
  const dieOf = new Map(bodies.map((body, i) => [body.collider(0).handle, i]));
  const hear = listener(dieOf, table);
  const events = new RAPIER.EventQueue(true);
  const frames: number[][] = [posesOf(bodies)];
  let [tick, calm] = [0, 0];
  while (calm < CALM_TICKS && tick < LONGEST * TICKS_PER_SECOND) {
    world.step(events);
    tick++;
    events.drainContactForceEvents((event) => hear.hit(event, tick));
    if (tick % (TICKS_PER_SECOND / FRAMES_PER_SECOND) === 0) frames.push(posesOf(bodies));
    calm = bodies.every(resting) ? calm + 1 : 0;
  }
  const rests = bodies.map(restOf);
  const out = rests.findIndex((rest) => rest.outside);
  world.free();
  events.free();
  const last = frames.length - 1 - stillFrames(frames);
  return {
    dice,
    frames: last + 1,
    poses: Float32Array.from(frames.slice(0, last + 1).flat()),
    contacts: hear.contacts.filter((one) => one.at <= last / FRAMES_PER_SECOND),
    out: out < 0 ? null : out,
    settled: calm >= CALM_TICKS,
    rests,
  };
}

function furnish(world: RAPIER.World): number {
  const { points } = profile(12, 8, 4);
  const places = Array.from({ length: COLUMNS }, (_, s) => {
    const angle = (2 * Math.PI * s) / COLUMNS;
    return points.flatMap(([r, y]) => [r * Math.cos(angle), y, r * Math.sin(angle)]);
  }).flat();
  const corners = turned(points, COLUMNS, (s, i) => (s % COLUMNS) * points.length + i);
  const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
  const bowl = RAPIER.ColliderDesc.trimesh(Float32Array.from(places), Uint32Array.from(corners), RAPIER.TriMeshFlags.FIX_INTERNAL_EDGES);
  world.createCollider(surface(bowl, PORCELAIN), ground);
  const cloth = RAPIER.ColliderDesc.cuboid(60, 1, 60).setTranslation(0, -1, 0);
  return world.createCollider(surface(cloth, CLOTH), ground).handle;
}

function surface(shape: RAPIER.ColliderDesc, { bounce, friction }: { bounce: number; friction: number }): RAPIER.ColliderDesc {
  return shape
    .setRestitution(bounce)
    .setFriction(friction)
    .setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Average)
    .setFrictionCombineRule(RAPIER.CoefficientCombineRule.Average);
}

interface Start {
  readonly place: Vec;
  readonly facing: Quat;
  readonly speed: Vec;
  readonly spin: Vec;
}

/** Dice leave a hand over the near rim two by two, past the middle, so that they run round the wall. */
function launches(draw: () => number, dice: number, strength: number): Start[] {
  const between = (low: number, high: number) => low + (high - low) * draw();
  const [forward, down, spin] = [45 + 75 * strength, 15 + 50 * strength, 12 + 26 * strength];
  const aside = (draw() < 0.5 ? -1 : 1) * between(0.6, 1.8);
  const [dx, dz] = [aside / Math.hypot(aside, 1), -1 / Math.hypot(aside, 1)];
  const hand: Vec = [-4.2 * dx + between(-0.7, 0.7), RIM + 3.2 + between(0, 0.8), 4 + between(-0.7, 0.7)];
  return Array.from({ length: dice }, (_, i) => {
    const [column, row] = [(i % 2) - 0.5, Math.floor(i / 2)];
    const jitter = () => between(-0.2, 0.2);
    const push = between(0.85, 1.15);
    const roll = spin * between(0.6, 1.3);
    const axis = onSphere(draw, 3);
    return {
      place: [
        hand[0] - 2.5 * dz * column - 0.9 * dx * row + jitter(),
        hand[1] + 2.1 * row + 0.5 * column + jitter(),
        hand[2] + 2.5 * dx * column - 0.9 * dz * row + jitter(),
      ],
      facing: onSphere(draw, 4) as unknown as Quat,
      speed: [dx * forward * push + between(-9, 9), -down * push, dz * forward * push + between(-9, 9)],
      spin: [axis[0]! * roll + 0.6 * dz * spin, axis[1]! * roll, axis[2]! * roll - 0.6 * dx * spin],
    };
  });
}

/** A direction in so many dimensions, each as likely as any other. */
function onSphere(draw: () => number, dimensions: number): number[] {
  for (;;) {
    const parts = Array.from({ length: dimensions }, () => 2 * draw() - 1);
    const length = Math.hypot(...parts);
    if (length > 0.1 && length <= 1) return parts.map((part) => part / length);
  }
}

function addDie(world: RAPIER.World, { place, facing, speed, spin }: Start): RAPIER.RigidBody {
  const [x, y, z, w] = facing;
  const body = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(...place)
      .setRotation({ x, y, z, w })
      .setLinvel(...speed)
      .setAngvel({ x: spin[0], y: spin[1], z: spin[2] })
      .setLinearDamping(DAMPING.straight)
      .setAngularDamping(DAMPING.spin)
      .setCcdEnabled(true),
  );
  const flat = EDGE / 2 - ROUNDED;
  const shape = surface(RAPIER.ColliderDesc.roundCuboid(flat, flat, flat, ROUNDED), DIE)
    .setMass(MASS)
    .setActiveEvents(RAPIER.ActiveEvents.CONTACT_FORCE_EVENTS)
    .setContactForceEventThreshold(4 * MASS * GRAVITY);
  world.createCollider(shape, body);
  return body;
}

function listener(dieOf: ReadonlyMap<number, number>, table: number) {
  const contacts: Contact[] = [];
  const last = new Map<string, number>();
  const hit = (event: RAPIER.TempContactForceEvent, tick: number) => {
    const [a, b] = [event.collider1(), event.collider2()];
    const at = tick / TICKS_PER_SECOND;
    const speed = event.totalForceMagnitude() / TICKS_PER_SECOND / MASS;
    const pair = `${a}/${b}`;
    const fresh = at - (last.get(pair) ?? -1) > GAP;
    last.set(pair, at);
    if (speed < LOUD || !fresh) return;
    const kind: Surface = dieOf.has(a) && dieOf.has(b) ? "die" : a === table || b === table ? "table" : "bowl";
    contacts.push({ at, die: dieOf.get(b) ?? dieOf.get(a) ?? 0, surface: kind, speed });
  };
  return { contacts, hit };
}

function posesOf(bodies: readonly RAPIER.RigidBody[]): number[] {
  return bodies.flatMap((body) => {
    const { x, y, z } = body.translation();
    const q = body.rotation();
    return [x, y, z, q.x, q.y, q.z, q.w];
  });
}

function resting(body: RAPIER.RigidBody): boolean {
  if (body.isSleeping()) return true;
  const [v, w] = [body.linvel(), body.angvel()];
  return Math.hypot(v.x, v.y, v.z) + 0.8 * Math.hypot(w.x, w.y, w.z) < CALM;
}

function restOf(body: RAPIER.RigidBody): Rest {
  const { x, y, z } = body.translation();
  const q = body.rotation();
  const r = Math.hypot(x, z);
  const outside = r > BOWL.radius + 0.2 || y < BOWL.footHeight;
  return { place: [x, y, z], facing: [q.x, q.y, q.z, q.w], outside, lift: y - EDGE / 2 - (outside ? 0 : innerHeight(r)) };
}

/** How many of the last frames show nothing that moves. */
function stillFrames(frames: readonly number[][]): number {
  const last = frames.at(-1) ?? [];
  const moved = frames.findLastIndex((frame) => frame.some((value, k) => Math.abs(value - (last[k] ?? 0)) > 0.004));
  return Math.max(0, frames.length - 2 - moved);
}
