import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { beaconOf, diceBeacon, dicePlan, drandBeacon, drandPlan } from "../src/fair/beacon";
import { ascii, hash, hex, tag, u32, unhex, ZERO } from "../src/fair/bytes";
import * as fair from "../src/fair/derive";
import { signedByDrand } from "../src/fair/drand";
import { plannedIn, roundTime } from "../src/fair/plan";

interface Vectors {
  game_id: string;
  rules_hash: string;
  L: number;
  seats: { seat: number; flags: number; server_commit: string; server_end: string; player_commit: string | null; player_end: string | null }[];
  cases: { beacon: string; plan: string; beacon_bytes: string; T0: string; J: string; sas: string; throws: Throw[] }[];
  reject_vector: { seat: number; k: number; s: string; faces: string };
  late: { seat: number; server_commit: string; player_commit: string; c1: string; links: [number, number, string][]; J: string; throw1: Record<"s" | "c" | "faces", string> };
  event_chain: { canonical: string; h: string }[];
}
type Throw = { seat: number; k: number; s: string; c: string | null; faces: string; digests: string[] };

const path = new URL("../../vectors/fairness/bobing-fair-1.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vectors;
const [plain, drandCase, diceCase] = vectors.cases as [Vectors["cases"][0], Vectors["cases"][0], Vectors["cases"][0]];
const game = unhex(vectors.game_id, 16);
const link = (text: string | null) => (text === null ? null : unhex(text, 32));
const commits = vectors.seats.map(({ seat, flags, server_commit, player_commit }) => ({
  seat,
  flags,
  server: unhex(server_commit),
  player: link(player_commit),
}));

test.each(vectors.seats)("the chains of seat $seat", ({ seat, server_commit, server_end, player_commit, player_end }) => {
  expect(hex(fair.chain("sc", game, seat, vectors.L, unhex(server_end))[0]!)).toBe(server_commit);
  if (player_end) expect(hex(fair.chain("pc", game, seat, vectors.L + 1, unhex(player_end))[0]!)).toBe(player_commit);
});

describe.each(vectors.cases)("beacon: $beacon", ({ plan, beacon_bytes, T0, J, sas, throws }) => {
  test("T0, J and the six signs", () => {
    const rules = unhex(vectors.rules_hash);
    const opening = { game, rules, previous: ZERO, throws: vectors.L, plan: unhex(plan), seats: commits };
    expect(hex(fair.openingHash(opening))).toBe(T0);
    const reveals = vectors.seats.map(
      ({ seat, player_end }) => [seat, player_end ? fair.chain("pc", game, seat, vectors.L + 1, unhex(player_end))[1]! : null] as const,
    );
    const seed = fair.tableSeed(unhex(T0), reveals, unhex(beacon_bytes));
    expect(hex(seed)).toBe(J);
    expect(fair.comparison(seed)).toBe(sas);
  });

  test.each(throws)("throw $k of seat $seat", ({ seat, k, s, c, faces, digests }) => {
    const draw = { game, seed: unhex(J), seat, k, server: unhex(s), link: link(c) };
    expect(fair.dice(draw).faces).toBe(faces);
    const stream = fair.stream(draw);
    expect(hex(Uint8Array.from({ length: 32 }, () => stream.next().value))).toBe(digests[0]!);
    const { server, player } = commits.find((one) => one.seat === seat)!;
    const back = (whose: "sc" | "pc", from: number, end: string) =>
      Array.from({ length: from }, (_, i) => from - i).reduce((at, i) => fair.before(whose, game, seat, i, at), unhex(end));
    expect(back("sc", k, s)).toEqual(server);
    if (c) expect(back("pc", k + 1, c)).toEqual(player);
  });
});

test("bytes of 252 and more are passed over", () => {
  const { seat, k, s, faces } = vectors.reject_vector;
  const seed = unhex(plain.J);
  expect(fair.dice({ game, seed, seat, k, server: unhex(s), link: null }).faces).toBe(faces);
});

test("each face stands for 42 values of a byte", () => {
  const all = Array.from({ length: 256 }, (_, byte) => fair.face(byte));
  for (const face of [1, 2, 3, 4, 5, 6]) expect(all.filter((one) => one === face)).toHaveLength(42);
  expect(all.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.slice(252)).toEqual([null, null, null, null]);
});

test("a spill is the next two bytes below q, read only where q is above 0", () => {
  const { seat, k, s, c } = plain.throws[0]!;
  const draw = { game, seed: unhex(plain.J), seat, k, server: unhex(s), link: link(c) };
  // 4ea1fbc76997 862f: six faces, then 0x862f = 34351.
  expect(fair.dice(draw, 6, 34351)).toEqual({ faces: "166242", spill: false });
  expect(fair.dice(draw, 6, 34352)).toEqual({ faces: "166242", spill: true });
});

test("a seat that came late", () => {
  const { seat, server_commit, player_commit, c1, links, J, throw1 } = vectors.late;
  const commit = { seat, flags: 1, server: unhex(server_commit), player: unhex(player_commit) };
  const lap = links.map(([q, k, text]) => [q, k, unhex(text)] as const);
  const seed = fair.lateSeed(unhex(plain.J), commit, unhex(c1), lap);
  expect(hex(seed)).toBe(J);
  expect(fair.dice({ game, seed, seat, k: 1, server: unhex(throw1.s), link: unhex(throw1.c) }).faces).toBe(throw1.faces);
});

test("the chain of entries", () => {
  let last = ZERO;
  for (const { canonical, h } of vectors.event_chain) {
    const bytes = ascii(canonical);
    last = hash(tag("ev"), last, u32(bytes.length), bytes);
    expect(hex(last)).toBe(h);
  }
});

describe("beacons", () => {
  const drand = unhex(drandCase.beacon_bytes);
  const plan = unhex(drandCase.plan);
  const signature = drand.slice(-48);

  test("a round of drand is what was planned, and signed", () => {
    expect(beaconOf(plan, drand)).toMatchObject({ kind: "drand", round: 657413, signature });
    expect(plannedIn(drandCase.plan)).toEqual({ kind: "drand", signs: 96, round: 657413, at: 1000 * roundTime(657413) });
    expect(plannedIn(diceCase.plan)).toEqual({ kind: "dice", signs: 30 });
    expect(plannedIn("")).toBeNull();
    expect(plan).toEqual(drandPlan(657413));
    expect(drand).toEqual(drandBeacon(657413, signature));
    expect(signedByDrand(657413, signature)).toBe(true);
    expect(roundTime(1)).toBe(1692803367);
  });

  test("another round, another signature, no signature at all", () => {
    expect(beaconOf(drandPlan(657414), drand)).toBeNull();
    expect(signedByDrand(657414, signature)).toBe(false);
    expect(signedByDrand(657413, signature.map((byte, i) => (i === 47 ? byte ^ 1 : byte)))).toBe(false);
    expect(signedByDrand(657413, new Uint8Array(48))).toBe(false);
    expect(signedByDrand(657413, Uint8Array.of(0xc0, ...new Uint8Array(47)))).toBe(false); // the point at infinity
    expect(beaconOf(plan, drand.slice(0, -1))).toBeNull();
    expect(beaconOf(plan.map((byte, i) => (i === 5 ? byte ^ 1 : byte)), drand)).toBeNull();
    const foreign = plan.map((byte, i) => (i === 5 ? byte ^ 1 : byte));
    expect(beaconOf(foreign, Uint8Array.of(...foreign, 0, 48, ...signature))).toBeNull(); // another chain, as planned
  });

  test("dice read aloud are as many as planned, each a face", () => {
    const faces = "362451".repeat(5);
    expect(unhex(diceCase.beacon_bytes)).toEqual(diceBeacon(faces));
    expect(beaconOf(dicePlan(30), diceBeacon(faces))).toEqual({ kind: "dice", faces });
    expect(beaconOf(dicePlan(31), diceBeacon(faces))).toBeNull();
    expect(beaconOf(dicePlan(30), diceBeacon(faces.replace("1", "7")))).toBeNull();
    expect(beaconOf(plan, diceBeacon(faces))).toBeNull();
    expect(beaconOf(new Uint8Array(), diceBeacon(faces))).toBeNull();
  });
});

test.each(["A0", "0", "zz", " 00"])("%j is no hex of ours", (text) => expect(() => unhex(text)).toThrow());
test("hex of another length is refused", () => expect(() => unhex("00", 32)).toThrow());
test.each([-1, 65536, 1.5])("%d is no u16", (n) => expect(() => fair.before("sc", game, n, 1, ZERO)).toThrow(RangeError));
