/** The public chance of a prize event as bytes: planned in T0, added to J. */
import { ascii, hex, join, long, u16, u64, unhex, type Bytes } from "./bytes";
import { plannedIn, QUICKNET } from "./plan";

const DRAND = 1;
const DICE = 2;
const DRAND_PLAN = 41;

export type Beacon = { readonly kind: "drand"; readonly round: number; readonly signature: Bytes } | { readonly kind: "dice"; readonly faces: string };

export const drandPlan = (round: number): Bytes => join(Uint8Array.of(DRAND), unhex(QUICKNET, 32), u64(round));
export const dicePlan = (faces: number): Bytes => join(Uint8Array.of(DICE), u16(faces));
export const drandBeacon = (round: number, signature: Bytes): Bytes => join(drandPlan(round), long(signature));
export const diceBeacon = (faces: string): Bytes => join(Uint8Array.of(DICE), long(ascii(faces)));

/** What beacon bytes hold, where they are what the plan promised; null where they are not. The signature is not checked. */
export function beaconOf(plan: Bytes, beacon: Bytes): Beacon | null {
  const planned = plannedIn(hex(plan));
  const [high = 0, low = 0, ...content] = beacon.subarray(plan[0] === DRAND ? DRAND_PLAN : 1);
  if (!planned || content.length !== high * 256 + low) return null;
  if (planned.kind === "drand") {
    const promised = plan.every((byte, i) => byte === beacon[i]);
    return promised && 2 * content.length === planned.signs ? { ...planned, signature: Uint8Array.from(content) } : null;
  }
  const faces = String.fromCharCode(...content);
  return beacon[0] === DICE && faces.length === planned.signs && /^[1-6]+$/.test(faces) ? { kind: "dice", faces } : null;
}
