/** The public chance of a prize event: planned in T0, added to J. A drand round, or the faces of real dice read aloud. */
import { join, long, u16, u64, unhex, type Bytes } from "./bytes";

/** Hash of the drand chain "quicknet", and its clock: one round every three seconds. */
export const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const GENESIS_S = 1_692_803_367;
const PERIOD_S = 3;
export const DRAND = 1;
export const DICE = 2;
const DRAND_PLAN = 41;

export type Beacon = { readonly kind: "drand"; readonly round: number; readonly signature: Bytes } | { readonly kind: "dice"; readonly faces: string };

/** When a round of quicknet is out, in seconds since 1970. */
export function roundTime(round: number): number {
  return GENESIS_S + PERIOD_S * (round - 1);
}

export const drandPlan = (round: number): Bytes => join(Uint8Array.of(DRAND), unhex(QUICKNET, 32), u64(round));
export const dicePlan = (faces: number): Bytes => join(Uint8Array.of(DICE), u16(faces));
export const drandBeacon = (round: number, signature: Bytes): Bytes => join(drandPlan(round), long(signature));
export const diceBeacon = (faces: string): Bytes => join(Uint8Array.of(DICE), long(new TextEncoder().encode(faces)));

/** The round that a plan names; null where it names none. */
export function plannedRound(plan: Bytes): number | null {
  if (plan[0] !== DRAND || plan.length !== DRAND_PLAN) return null;
  return Number(new DataView(plan.buffer, plan.byteOffset).getBigUint64(DRAND_PLAN - 8));
}

/** What beacon bytes hold, where they are what the plan promised; null where they are not. The signature is not checked. */
export function beaconOf(plan: Bytes, beacon: Bytes): Beacon | null {
  const body = beacon.subarray(plan[0] === DRAND ? DRAND_PLAN : 1);
  const [high = 0, low = 0, ...content] = body;
  if (content.length !== high * 256 + low) return null;
  if (plan[0] === DRAND) {
    const promised = plan.length === DRAND_PLAN && plan.every((byte, i) => byte === beacon[i]);
    const round = plannedRound(plan) ?? 0;
    const ours = promised && drandPlan(round).every((byte, i) => byte === plan[i]);
    return ours && content.length === 48 ? { kind: "drand", round, signature: Uint8Array.from(content) } : null;
  }
  const faces = String.fromCharCode(...content);
  const count = plan.length === 3 ? (plan[1] ?? 0) * 256 + (plan[2] ?? 0) : 0;
  const promised = plan[0] === DICE && beacon[0] === DICE && count > 0 && content.length === count;
  return promised && /^[1-6]+$/.test(faces) ? { kind: "dice", faces } : null;
}
