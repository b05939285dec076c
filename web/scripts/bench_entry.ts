/** What `bench/verify_page.py` measures, for a page of its own. */
import { sha256 } from "@noble/hashes/sha2.js";
import { signedByDrand } from "../src/fair/drand";
import { Proofs } from "../src/fair/proofs";
import { report } from "../src/fair/record";

const millis = (work: () => void): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};

/** So many hashes of 64 bytes: the anchor. */
export function plain(times: number): number {
  const bytes = new Uint8Array(64);
  return millis(() => {
    for (let i = 0; i < times; i++) bytes.set(sha256(bytes));
  });
}

/** A whole record. */
export function whole(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return millis(() => {
    const { faults, throws } = report(bytes, signedByDrand);
    if (faults.length || throws.some(({ verdict }) => verdict === "FAILED")) throw new Error("this record does not hold");
  });
}

/** Each throw as a phone takes it in at the table, one after the other. */
export function each(text: string): number[] {
  const [header, ...lines] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const proofs = new Proofs(header.rules_hash, signedByDrand);
  const times: number[] = [];
  for (const line of lines) {
    if (line.fair) proofs.event(line.fair);
    else if (line.act) times.push(millis(() => proofs.act(line.n, line.act, line.proof, line.struck)));
  }
  return times;
}
