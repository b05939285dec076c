/** The plan of public chance: a round of drand named beforehand, or faces of real dice to be thrown in public. */

/** Hash of the drand chain "quicknet", and its clock: one round every three seconds. */
export const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const GENESIS_S = 1_692_803_367;
const PERIOD_S = 3;
const SIGNATURE_SIGNS = 96;

/** When a round of quicknet is out, in seconds since 1970. */
export function roundTime(round: number): number {
  return GENESIS_S + PERIOD_S * (round - 1);
}

export type Planned =
  /** signs: how many it is written with; at: when it is out, in milliseconds since 1970. */
  | { readonly kind: "drand"; readonly signs: number; readonly round: number; readonly at: number }
  | { readonly kind: "dice"; readonly signs: number };

/** Where drand publishes a round. */
export function roundAddress(round: number): string {
  return `https://api.drand.sh/${QUICKNET}/public/${round}`;
}

/** The signature in what was pasted: alone, or somewhere in what drand answers. */
export function signatureIn(pasted: string): string {
  const found = /(?<![0-9a-f])[0-9a-f]{96}(?![0-9a-f])/i.exec(pasted);
  return (found?.[0] ?? pasted.trim()).toLowerCase();
}

/** What a plan, in hex, promises; null where it promises nothing. */
export function plannedIn(plan: string): Planned | null {
  if (plan.startsWith(`01${QUICKNET}`) && /^[0-9a-f]{82}$/.test(plan)) {
    const round = Number(BigInt(`0x${plan.slice(-16)}`));
    return { kind: "drand", signs: SIGNATURE_SIGNS, round, at: 1000 * roundTime(round) };
  }
  return /^02(?!0000)[0-9a-f]{4}$/.test(plan) ? { kind: "dice", signs: parseInt(plan.slice(2), 16) } : null;
}
