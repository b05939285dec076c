import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plannedIn, roundAddress, signatureIn } from "../src/fair/plan";

const vectors = JSON.parse(readFileSync(new URL("../../vectors/fairness/bobing-fair-1.json", import.meta.url), "utf8"));
const signature: string = vectors.cases[1].beacon_bytes.slice(-96);

test.each([
  signature,
  ` ${signature.toUpperCase()}\n`,
  `{"round":657413,"randomness":"${"ab".repeat(32)}","signature":"${signature}"}`,
])("a signature is found in what was pasted: %s", (pasted) => expect(signatureIn(pasted)).toBe(signature));

test("what holds no signature stays as it is, and is refused where it goes", () => {
  expect(signatureIn(" abc ")).toBe("abc");
  expect(signatureIn(`${signature}0`)).toBe(`${signature}0`);
});

test("a round of another chain is none of ours", () => {
  const plan: string = vectors.cases[1].plan;
  expect(plannedIn(plan)).toMatchObject({ kind: "drand", round: 657413 });
  expect(plannedIn(plan.replace("52db", "52dc"))).toBeNull();
  expect(plannedIn(plan.slice(2))).toBeNull();
  expect(roundAddress(657413)).toMatch(/\/52db[0-9a-f]{60}\/public\/657413$/);
});
