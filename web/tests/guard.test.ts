import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { drandPlan } from "../src/fair/beacon";
import { hex, unhex } from "../src/fair/bytes";
import { chain, tableSeed } from "../src/fair/derive";
import type { FairEvent } from "../src/fair/events";
import { allGood, covered } from "../src/fair/covered";
import { AGAIN_MS, Guard } from "../src/fair/guard";
import { FairSide } from "../src/lib/fair.svelte";
import { fold, type TableState } from "../src/lib/live";
import { findChain } from "../src/fair/keeper";
import { roundTime } from "../src/fair/plan";
import { warnedOf } from "../src/fair/memory";
import { receipts } from "../src/fair/receipts";
import { recall, remember } from "../src/lib/store";
import type { FairView, Line, View } from "../src/protocol";
import { Dealer, RULES } from "./dealer";
import { line } from "./samples";
import { LINKS, ME, Table } from "./table";

beforeEach(() => {
  for (const shelf of ["chains", "receipts", "seen"]) remember(shelf, []);
});

/** The two dice for who begins, drawn as the k-th of a seat. */
function startOf(table: Table, seat: number, k: number): Partial<Line> {
  const { proof, faces } = table.dealer.draw(seat, k, 2);
  return { act: { start: { seat, dice: faces } }, seat, roll: faces, digital: true, proof };
}

/** A table at which this phone has taken part, ready for throws. */
async function begun(now = Date.now): Promise<{ table: Table; guard: Guard }> {
  const [table, guard] = [new Table(), new Guard(now)];
  await guard.follow(table.state);
  table.add(table.dealer.attempt([await mine(table), true]));
  await guard.follow(table.state);
  table.add(table.dealer.reveals()).add(table.dealer.ready());
  expect(await guard.follow(table.state)).toBeNull();
  return { table, guard };
}

/** A phone hears that nothing was new at that moment; then it takes in what is. */
function hears(guard: Guard, state: TableState, ms: number) {
  guard.hear({ at: ms, skew: 0 });
  return guard.follow(state);
}

async function mine(table: Table, lost = 0) {
  return (await findChain({ game: table.dealer.game, seat: ME + 1, throws: LINKS, lost }))!;
}

test("a phone commits, reveals once it sees itself bound, and has a link for each throw", async () => {
  const [table, guard] = [new Table(), new Guard()];
  const commit = await guard.follow(table.state);
  expect(commit).toMatchObject({ t: "commit", seat: ME, game: table.dealer.game });
  expect(await guard.follow(table.state)).toEqual(commit);
  const links = await mine(table);
  expect(guard.link(table.dealer.game, 1)).toBeNull(); // not bound yet: nothing leaves the phone
  table.add(table.dealer.attempt([links, true]));
  const reveal = await guard.follow(table.state);
  expect(reveal).toMatchObject({ t: "reveal", seat: ME });
  expect(chain("pc", unhex(table.dealer.game), 1, 1, unhex((reveal as { link: string }).link))[0]).toEqual(links[0]);
  table.add(table.dealer.reveals()).add(table.dealer.ready());
  expect(await guard.follow(table.state)).toBeNull();
  expect(guard.signs).toBe(table.sas);
  await guard.follow(table.throw(0, 1).throw(1, 1).throw(0, 2).state);
  expect(guard.alarm).toBeNull();
  expect(guard.judged.map(({ verdict }) => verdict)).toEqual(["PROVED-A", "PROVED-A", "PROVED-A"]);
  expect(guard.link(table.dealer.game, 1)).toBe(table.lines[0]!.proof!.c);
});

test("after a reload all is there again, and the same link goes with the same throw", async () => {
  const { table, guard } = await begun();
  const link = guard.link(table.dealer.game, 1);
  const other = new Guard();
  await other.follow(table.throw(0, 1).state);
  expect(other.link(table.dealer.game, 1)).toBe(link);
  expect(other.alarm).toBeNull();
  expect(other.judged).toHaveLength(1);
  expect(receipts()).toEqual([{ code: table.state.code, game: table.dealer.game, t0: other.t0, h: "ab" }]);
});

test("a phone whose storage was cleared has no link, and does not complain", async () => {
  const { table } = await begun();
  for (const shelf of ["chains", "receipts", "seen"]) remember(shelf, []);
  const other = new Guard();
  await other.follow(table.state);
  expect(other.link(table.dealer.game, 1)).toBeNull();
  expect(other.alarm).toBeNull();
});

test("nothing is revealed where somebody else's head stands for the seat", async () => {
  const [table, guard] = [new Table(), new Guard()];
  await guard.follow(table.state);
  table.add(table.dealer.attempt([true, true]));
  expect(await guard.follow(table.state)).toBeNull();
  expect(guard.alarm?.why).toBe("own");
  expect(guard.link(table.dealer.game, 1)).toBeNull();
});

test("nothing is revealed under a T0 that does not follow from the heads", async () => {
  const [table, guard] = [new Table(), new Guard()];
  await guard.follow(table.state);
  const event = table.dealer.attempt([await mine(table), true]);
  expect(await guard.follow(table.add({ ...event, t0: "00".repeat(32) }).state)).toBeNull();
  expect(guard.alarm?.why).toBe("t0");
});

test("two openings of one game are told, also after a reload", async () => {
  const { table } = await begun();
  const [first] = table.fair as [{ after: number; event: FairEvent }];
  table.fair[0] = { ...first, event: { ...first.event, t0: "00".repeat(32) } as FairEvent };
  const other = new Guard();
  await other.follow(table.state);
  expect(other.alarm?.why).toBe("changed");
});

test.each([
  ["other dice", (table: Table) => table.throw(0, 1, { roll: "111111", act: { seat: 0, roll: "111111" } }), "faces"],
  ["no proof", (table: Table) => table.throw(0, 1, { proof: null }), "no_proof"],
  ["a throw left out", (table: Table) => table.throw(0, 2), "number"],
  ["a throw twice", (table: Table) => table.throw(0, 1).throw(0, 1), "number"],
])("%s: a loud alarm", async (_, spoil, why) => {
  const { table, guard } = await begun();
  await guard.follow(spoil(table).state);
  expect(guard.alarm?.why).toBe(why);
  expect(guard.alarm?.judged?.verdict).toBe("FAILED");
});

test("what was seen may not change behind", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  table.lines = [{ ...table.lines[0]!, roll: "111111", act: { seat: 0, roll: "111111" } }];
  await guard.follow(table.state);
  expect(guard.alarm?.why).toBe("changed");
});

test("other signs than those worked out here", async () => {
  const { table, guard } = await begun();
  table.sas = "AAAAAA";
  await guard.follow(table.state);
  expect(guard.alarm?.why).toBe("signs");
});

/** What a server could tell to be shown in another place, or not to be looked at; each beside a throw with chosen dice. */
const CHOSEN = { act: { seat: 1, roll: "444444" }, seat: 1, roll: "444444", digital: true };
test.each<[string, (table: Table) => void, string]>([
  ["the dice of a throw, and others in its act", (table) => table.throw(1, 1, { roll: "444444" }), "form"],
  ["dice beside an act that brings none", (table) => (table.lines = [...table.lines, line({ ...CHOSEN, n: 2, act: { seat: 1, pass: true } })]), "form"],
  ["dice of a die that is cocked", (table) => (table.lines = [...table.lines, line({ ...CHOSEN, n: 2, act: { ...CHOSEN.act, cocked: true } })]), "form"],
  ["a throw behind the act that came after it", (table) => (table.lines = [...table.lines, line({ n: 3, act: { seat: 1, pass: true }, roll: null }), line({ ...CHOSEN, n: 2 })]), "form"],
  ["a throw without a number", (table) => (table.lines = [...table.lines, line({ ...CHOSEN, n: null as never })]), "form"],
  ["an act that is none", (table) => table.throw(1, 1, { act: null as never }), "form"],
  ["an event that is none", (table) => table.fair.push({ after: 1, event: null as never }), "form"],
  ["an event at no place", (table) => table.fair.push({ ...table.fair.at(-1)!, after: "1" as never }), "form"],
  ["dice in the place of an undo", (table) => (table.lines = [...table.lines, line({ n: 2, act: { undo: 1 }, took: [1], roll: null }), line({ n: 3, act: { correct: 2, act: CHOSEN.act }, roll: null })]), "order"],
  ["other dice than fell, beside how the act was first", (table) => table.throw(1, 1, { ...CHOSEN, first: { seat: 1, roll: table.dealer.draw(1, 1).faces } }), "form"],
  ["a throw in the place of a turn that went by", (table) => (table.lines = [...table.lines, line({ ...CHOSEN, n: 2, first: { seat: 1, pass: true } })]), "form"],
  ["a throw that nobody took back as taken back", (table) => table.throw(1, 1, { struck: true }), "form"],
  ["a throw that was taken back as standing", (table) => (table.throw(1, 1).undo(2), (table.lines = table.lines.map((one) => ({ ...one, struck: false })))), "form"],
  ["a throw of another seat", (table) => table.throw(1, 1, { seat: 0 }), "form"],
  ["a champion by dice that nobody threw", (table) => (table.throw(1, 1).title = { seat: 1, roll: "444444", combination: "liubohong", words: {} }), "form"],
  ["rules that are not those of the sealing", (table) => (table.throw(1, 1).digest = "11".repeat(32)), "rules"],
  ["the dice for who begins when all play", (table) => (table.lines = [...table.lines, line({ n: 2, ...startOf(table, 1, 1) })]), "order"],
  ["digital dice where it said that they are real", (table) => (table.add({ t: "real" }), (table.lines = [...table.lines, line({ ...CHOSEN, n: 2 })])), "no_proof"],
])("what is told shows %s: a loud alarm, and nothing is green", async (_, spoil, why) => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  expect([guard.alarm, shown(guard)]).toEqual([null, "own"]);
  spoil(table);
  await guard.follow(table.state);
  expect(guard.alarm?.why).toBe(why);
  expect(shown(guard)).not.toBe("own");
});

test("an act that is shown as another, once it was followed, is found out", async () => {
  const { table, guard } = await begun();
  table.lines = [line({ n: 1, act: { seat: 1, pass: true }, roll: null })];
  await guard.follow(table.state);
  table.lines = [line({ ...CHOSEN, first: { seat: 1, pass: true } })];
  await guard.follow(table.state);
  expect(guard.alarm?.why).toBe("form");
});

test("dice beside the title that fell are nothing to cry about, nor are acts that stand as they were corrected", async () => {
  const { table, guard } = await begun();
  table.throw(0, 1);
  const { roll, act } = table.lines[0]!;
  table.title = { seat: 0, roll: roll!, combination: "sihong", words: {} };
  await guard.follow(table.state);
  const chosen = { ...act, choose: "yixiu" };
  table.lines = [{ ...table.lines[0]!, act: chosen, first: act }, line({ n: 2, act: { correct: 1, act: chosen }, roll: null })];
  await guard.follow(table.state);
  table.lines = [table.lines[0]!, { ...table.lines[1]!, struck: true }, line({ n: 3, act: { undo: 2 }, took: [2], roll: null })];
  table.lines[0] = { ...table.lines[0]!, act, first: null };
  await guard.follow(table.state);
  expect(guard.alarm).toBeNull();
});

describe("a seat that somebody else bound, while its phone was there and was not asked,", () => {
  /** The server deals, with a chain of its own for the seat of this phone. */
  async function faked(guard: Guard, table = new Table()) {
    table.asked = [];
    await guard.follow(table.state);
    guard.hear({ at: 1, skew: 0 });
    await guard.follow(table.add(table.dealer.attempt([true, true])).state);
    await guard.follow(table.add(table.dealer.reveals()).add(table.dealer.ready()).throw(0, 1).throw(1, 1).state);
    return table;
  }

  test("is told, and is not green there", async () => {
    const guard = new Guard();
    await faked(guard);
    expect(guard.alarm).toEqual({ why: "own", judged: null });
    expect(guard.cover?.own).toEqual([1]);
    const side = { cover: guard.cover, alarm: null, doubts: () => false, missed: [] };
    expect([covered(ME, side), allGood(ME, side), allGood(null, side)]).toEqual(["none", false, true]);
  });

  test("is not green either where the phone comes then, which does not cry: another phone may be there", async () => {
    const table = await faked(new Guard());
    for (const shelf of ["chains", "seen"]) remember(shelf, []);
    const guard = new Guard();
    await hears(guard, table.state, 1);
    await guard.follow(table.throw(0, 2).state);
    expect([guard.alarm, guard.cover?.own]).toEqual([null, [1]]);
  });

  test("while the phone was cut off is told from the last of what was missed alone", async () => {
    const { table, guard } = await begun();
    guard.hear({ at: 1, skew: 0 });
    table.dealer.begin();
    table.add(table.dealer.attempt([true, true], "again")).add({ t: "void", missing: [0] });
    table.dealer.begin();
    table.add(table.dealer.attempt([false, true], "void")).add(table.dealer.reveals()).add(table.dealer.ready());
    await guard.follow(table.state);
    expect([guard.alarm, guard.cover?.own]).toEqual([null, [1]]);
  });
});

test("nothing is green while less is told than was seen", async () => {
  const { table, guard } = await begun();
  const early = table.throw(0, 1).lines;
  await guard.follow(table.throw(1, 1).state);
  expect(shown(guard)).toBe("own");
  table.lines = early;
  await guard.follow(table.state);
  expect([shown(guard), guard.alarm]).toEqual([null, null]);
});

test.each([
  ["chains without end", (table: Table) => (table.links = 2 ** 31)],
  ["chains of a length that is a text", (table: Table) => (table.links = "8")],
  ["a game that has no id", (table: Table) => (table.dealer.game = "x")],
])("whoever asks for %s gets none", async (_, spoil) => {
  const [table, guard] = [new Table(), new Guard()];
  spoil(table);
  expect([await guard.follow(table.state), guard.alarm?.why]).toEqual([null, "form"]);
});

test("a seat that is no number is found out", async () => {
  const { table, guard } = await begun();
  await guard.follow({ ...table.state, you: { role: "seat", seat: "0" as never } });
  expect(guard.alarm?.why).toBe("form");
});

test("no link beyond its next draw leaves a phone that is asked for it with a text", async () => {
  const [table, guard] = [new Table(), new Guard()];
  const { game } = table.dealer;
  table.links = 64; // "1" and 1 are "11": the link with that number is there
  await guard.follow(table.state);
  const links = (await findChain({ game, seat: ME + 1, throws: 64, lost: 0 }))!;
  await guard.follow(table.add(table.dealer.attempt([links, true])).state);
  await guard.follow(table.add(table.dealer.reveals()).add(table.dealer.ready()).state);
  expect(guard.link(game, 1)).toBe(hex(links[2]!));
  for (const k of ["1", ["1"], [1], "01", 1.5, NaN, null]) expect(guard.link(game, k as never)).toBeNull();
});

/** What a page shows of the dice of seat 1. */
function shown(guard: Guard) {
  return covered(1, { cover: guard.cover, doubts: () => guard.alarm !== null, missed: guard.missed });
}

test("what the server calls proved is not, where this device finds otherwise", async () => {
  const [table, guard] = [new Table(), new Guard()];
  await guard.follow(table.state);
  table.add(table.dealer.attempt([await mine(table), false]));
  await guard.follow(table.state);
  expect(shown(guard)).toBeNull();
  table.add(table.dealer.reveals()).add(table.dealer.ready()); // own: [0, 1], says the server, and nothing of the rest
  await guard.follow(table.state);
  expect([shown(guard), guard.cover]).toEqual(["none", { plan: "", own: [0], late: [], unheard: [], thrown: [], restarts: 0, voids: 0 }]);
  const late = table.dealer.late(2, true);
  table.lines = [line({ n: 1, act: { join: true }, roll: null }), line({ n: 2, act: { seat: 0, leave: true }, roll: null })];
  await guard.follow(table.add(late).state);
  expect(guard.cover?.late).toEqual([2]);
  await guard.follow(table.add(table.dealer.lateReady(2, [])).state);
  expect(guard.cover).toMatchObject({ own: [0, 2], late: [], unheard: [{ seat: 2, devices: [0] }] });
  table.dealer.begin();
  table.add(table.dealer.attempt([false, true], "again")).add(table.dealer.reveals()).add(table.dealer.ready());
  await guard.follow(table.state);
  expect(guard.cover).toMatchObject({ own: [1], unheard: [], restarts: 1 });
  await guard.follow(table.add({ t: "real" }).state);
  expect([shown(guard), guard.alarm]).toEqual([null, null]);
});

test("what was cried out is told after a reload though the server says nothing of a proof", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).throw(0, 1).state);
  const side = new FairSide(() => undefined);
  side.follow({ ...table.state, view: { ...table.state.view, fair: null } });
  await vi.waitFor(() => expect(side.alarm?.why).toBe("number"));
  side.close();
});

test.each([
  ["of what was drawn, and nothing was cried out before", false, "older"],
  ["of a proof, and what was cried out is told", true, "number"],
])("a server that says nothing any more %s, is found out after a reload", async (_, cried, why) => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  if (cried) await guard.follow(table.throw(0, 1).state);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const side: FairSide = new FairSide(() => undefined, () => side.answered(Date.now(), 0));
  side.follow({ ...table.state, fair: [], lines: cried ? table.lines : [], view: { ...table.state.view, fair: null } });
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect(side.alarm?.why).toBe(why);
  });
  side.close();
});

test("a page asks for nothing where it never saw provable dice", async () => {
  const [table, side] = [new Table(), new FairSide(() => undefined)];
  side.follow({ ...table.state, fair: [], view: { ...table.state.view, fair: null } });
  await side.linked({ t: "throw", seat: ME });
  expect([recall("seen", []), side.cover]).toEqual([[], null]);
  side.close();
});

test("nothing is green that waits to be followed, whatever it waits for", async () => {
  const { table } = await begun();
  const side = new FairSide(() => undefined);
  side.follow(table.throw(0, 1).state);
  await vi.waitFor(() => expect(covered(1, side)).toBe("own"));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("indexedDB", { open: () => ({}) }); // which never answers, as a part of the page that never comes
  onTestFinished(() => void vi.unstubAllGlobals());
  table.dealer.begin();
  side.follow(table.add(table.dealer.attempt([true, true], "again")).throw(0, 1, { roll: "444444", act: { seat: 0, roll: "444444" } }).state);
  await vi.advanceTimersByTimeAsync(4000);
  expect([side.cover, side.signs]).toEqual([null, null]);
  side.close();
});

test("nothing is green that a page could not follow", async () => {
  const side = new FairSide(() => undefined);
  const { table } = await begun();
  side.follow(table.state);
  await vi.waitFor(() => expect(covered(1, side)).toBe("own"));
  const said = vi.spyOn(console, "error").mockReturnValue();
  side.follow({ ...table.state, rules: null as never, lines: null as never });
  await vi.waitFor(() => expect([side.cover, side.signs]).toEqual([null, null]));
  expect(said).toHaveBeenCalledOnce();
  said.mockRestore();
  side.close();
});

test("an undo and the same throw again are nothing to complain about", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).throw(1, 1).state);
  table.lines = [...table.lines.map((one, i) => ({ ...one, struck: i === 1 })), line({ n: 3, act: { undo: 2 }, seat: null, roll: null })];
  await guard.follow(table.throw(1, 1).throw(0, 2).state);
  expect(guard.alarm).toBeNull();
  const fresh = new Guard();
  await fresh.follow(table.state);
  expect(fresh.alarm).toBeNull();
});

test("a new attempt asks for a new chain", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  const first = table.dealer.game;
  const old = guard.link(first, 2);
  table.dealer.begin();
  Object.assign(table, { stage: "commit", asked: [0, 1] });
  expect(await guard.follow(table.state)).toMatchObject({ t: "commit", game: table.dealer.game });
  table.add(table.dealer.attempt([await mine(table), true], "again"));
  expect(await guard.follow(table.state)).toMatchObject({ t: "reveal" });
  expect(guard.link(first, 2)).toBeNull();
  await guard.follow(table.add(table.dealer.reveals()).add(table.dealer.ready()).throw(0, 1).state);
  expect(guard.link(table.dealer.game, 2)).not.toBe(old);
  expect(guard.alarm).toBeNull();
});

test("no link leaves the phone but that of its own next draw, and those before it", async () => {
  const { table, guard } = await begun();
  const { game } = table.dealer;
  const open = () => [0, 1, 2, 3, LINKS].filter((k) => guard.link(game, k));
  expect(open()).toEqual([1]);
  await guard.follow(table.throw(1, 1).state);
  expect(open()).toEqual([1]);
  await guard.follow(table.throw(0, 1).state);
  expect(open()).toEqual([1, 2]);
  table.undo(2);
  await guard.follow(table.state);
  expect(open()).toEqual([1, 2]);
  expect(guard.link("00".repeat(16), 1)).toBeNull();
});

test("a draw that is not sound opens no other link", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1, { roll: "111111", act: { seat: 0, roll: "111111" } }).state);
  expect(guard.link(table.dealer.game, 1)).not.toBeNull();
  expect(guard.link(table.dealer.game, 2)).toBeNull();
});

test("the dice for who begins, which come again in a new attempt, are no draw of it", async () => {
  const { table, guard } = await begun();
  const { proof, faces } = table.dealer.draw(0, 1, 2);
  const start = (n: number) => line({ n, act: { start: { seat: 0, dice: faces } }, seat: null, roll: faces, digital: true, proof });
  table.lines = [start(1)];
  await guard.follow(table.state);
  expect(guard.link(table.dealer.game, 2)).not.toBeNull();
  table.undo(1);
  table.dealer.begin();
  Object.assign(table, { stage: "commit", asked: [0, 1] });
  await guard.follow(table.state);
  table.add(table.dealer.attempt([await mine(table), true], "again")).add(table.dealer.reveals()).add(table.dealer.ready());
  table.lines = [...table.lines, start(3)];
  await guard.follow(table.state);
  expect(guard.alarm).toBeNull();
  expect(guard.link(table.dealer.game, 1)).not.toBeNull();
  expect(guard.link(table.dealer.game, 2)).toBeNull();
});

test("a phone gives no link before the dice are fixed, for another game, or ahead of its draw, however it is asked", async () => {
  const said: { t: string; k?: number; link?: string }[] = [];
  const [table, side] = [new Table(), new FairSide((remark) => said.push(remark as never))];
  const links = () => said.filter(({ t }) => t === "link" || t === "lost_links").map(({ k }) => k);
  const want = (k: number, game = table.dealer.game) => side.wanted({ t: "link_wanted", seat: ME, game, k });
  /** Takes in how the table stands; all that was set off before is done then. */
  const follow = async () => {
    side.follow(table.state);
    expect(await thrown(LINKS)).toMatchObject({ link: null }); // a throw that has no link waits for what is being done
  };
  /** The draft of a throw where the server calls it the k-th. */
  const thrown = async (k: number) => {
    table.k = [k, 1];
    side.follow(table.state);
    return side.linked({ t: "throw", seat: ME });
  };
  await follow();
  table.add(table.dealer.attempt([await mine(table), true]));
  await follow();
  want(LINKS);
  await follow();
  table.add(table.dealer.reveals()).add(table.dealer.ready());
  await follow();
  want(1, "00".repeat(16));
  want(LINKS);
  want(2);
  await follow();
  expect(links()).toEqual([]);
  table.throw(0, 1);
  await follow();
  expect(links()).toEqual([2]);
  expect(await thrown(2)).toMatchObject({ link: said.at(-1)!.link });
  expect(side.alarm).toBeNull();
});

test.each([
  ["at a new table", "WXYZ6789", true],
  ["with other heads", "ABCD2345", false],
])("an old game %s is not revealed for, though its receipt is gone", async (_, code, other) => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  remember("receipts", []); // a phone keeps the last few alone; the chain lies in IndexedDB for ever
  const [again, late] = [new Table(), new Guard()];
  again.code = code;
  expect(again.dealer.game).toBe(table.dealer.game);
  await late.follow(again.state);
  again.add(again.dealer.attempt([await mine(again), other]));
  expect(await late.follow(again.state)).toBeNull();
  expect(late.alarm?.why).toBe("changed");
  await late.follow(again.add(again.dealer.reveals()).add(again.dealer.ready()).state);
  expect(late.link(again.dealer.game, 1)).toBeNull();
});

test("a game that lies at another table as its record has it is nothing to cry about, and gets no link", async () => {
  const { table } = await begun();
  table.code = "WXYZ6789";
  const there = new Guard();
  expect(await there.follow(table.throw(0, 1).state)).toBeNull();
  there.hear({ at: 1, skew: 0 });
  const again = new Guard();
  expect(await again.follow(table.state)).toBeNull();
  for (const one of [there, again]) expect([one.alarm, one.link(table.dealer.game, 1)]).toEqual([null, null]);
});

test("a game that is drawn on under another code, as no record allows, is found out", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  table.code = "WXYZ6789";
  const there = new Guard();
  await there.follow(table.state);
  expect(there.alarm).toBeNull();
  await hears(there, table.throw(1, 1).state, 1);
  expect(there.alarm?.why).toBe("changed");
  expect(receipts().map(({ code }) => code)).toEqual(["ABCD2345"]);
});

test("what was cried out stands after a reload, though all looks right by then", async () => {
  const { table, guard } = await begun();
  const { sas } = table;
  table.sas = "AAAAAA";
  await guard.follow(table.state);
  table.sas = sas;
  const again = new Guard();
  await again.follow(table.state);
  expect(again.alarm).toEqual({ why: "signs", judged: null });
  expect([warnedOf(new Map([[table.dealer.game, again.t0!]])), warnedOf(new Map([["ff".repeat(16), "00".repeat(32)]]))]).toEqual(["signs", null]);
  const other = new Table();
  other.code = "WXYZ6789";
  other.dealer.begin();
  const elsewhere = new Guard();
  await elsewhere.follow(other.state);
  expect(elsewhere.alarm).toBeNull();
});

test("a server whose clock says no time does not make a phone forget", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).throw(0, 1).state);
  for (const skew of [NaN, Infinity, "x" as never]) guard.hear({ at: 1, skew });
  const again = new Guard();
  table.lines = table.lines.slice(0, 1); // nothing that is told now would make it cry
  await again.follow(table.state);
  expect([guard.alarm?.why, again.alarm?.why]).toEqual(["number", "number"]);
});

test("a warning counts for the record of the game, whatever game was told when it came", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).state);
  const openings = new Map([[table.dealer.game, guard.t0!]]);
  table.fair.push({ after: 1, event: { t: "attempt", game: "none", t0: "none" } as never });
  await guard.follow(table.state);
  expect([guard.alarm?.why, warnedOf(openings), warnedOf(new Map([["ff".repeat(16), "00".repeat(32)]]))]).toEqual(["form", "form", null]);
});

test("a phone that comes to a seat which another one bound says nothing, and does not cry", async () => {
  const [table, guard] = [new Table(), new Guard()];
  table.asked = [];
  await guard.follow(table.state);
  table.add(table.dealer.attempt([false, true])).add(table.dealer.reveals()).add(table.dealer.ready());
  table.asked = [ME];
  expect(await guard.follow(table.state)).toMatchObject({ t: "commit" });
  const late = { ...table.dealer.late(ME, true), server: hex(table.dealer.seats.get(ME)!.server[0]!), player: hex((await mine(table))[0]!) };
  table.add(late as FairEvent);
  expect(await guard.follow(table.state)).toMatchObject({ t: "reveal" });
  for (const shelf of ["chains", "seen"]) remember(shelf, []);
  const other = new Guard();
  expect([await other.follow(table.state), other.alarm, other.lacks(table.dealer.game)]).toEqual([null, null, true]);
});

test("two pages of a phone that take part at once have one chain between them", async () => {
  const [table, one, other] = [new Table(), new Guard(), new Guard()];
  const [first, second] = await Promise.all([one.follow(table.state), other.follow(table.state)]);
  expect(first).toEqual(second);
  table.add(table.dealer.attempt([await mine(table), true]));
  expect([await one.follow(table.state), await other.follow(table.state)]).toMatchObject([{ t: "reveal" }, { t: "reveal" }]);
});

/** A turn that went by becomes a leaving, and takes the throw behind it back; what comes of it as the server tells it. */
function corrected(table: Table): Table {
  const [pass, thrown] = table.lines as [Line, Line];
  const leave = { seat: 1, leave: true };
  const now = { ...pass, act: leave, first: pass.act };
  table.lines = [now, { ...thrown, struck: true }, line({ n: 3, act: { correct: 1, act: leave, cut: true }, seat: null, roll: null, took: [2] })];
  return table;
}

test.each(["line by line", "both in one news", "after a reload"])("a correction that took a draw back is nothing to cry about, %s", async (how) => {
  const { table, guard: live } = await begun();
  table.lines = [line({ n: 1, act: { seat: 1, pass: true }, roll: null })];
  await live.follow(table.throw(0, 1).state);
  corrected(table);
  if (how === "line by line") await live.follow(table.state);
  const guard = how === "after a reload" ? new Guard() : live;
  await guard.follow(table.throw(0, 1).state); // drawn anew, with the same dice
  expect(guard.alarm).toBeNull();
  expect(guard.judged.map(({ n, verdict }) => [n, verdict])).toEqual([[2, "PROVED-A"], [4, "PROVED-A"]]); // prettier-ignore
  table.dealer.begin();
  Object.assign(table, { stage: "commit", asked: [0, 1] });
  await guard.follow(table.state);
  expect(await guard.follow(table.add(table.dealer.attempt([await mine(table), true], "again")).state)).toMatchObject({ t: "reveal" });
  await guard.follow(table.add(table.dealer.reveals()).add(table.dealer.ready()).state);
  await guard.follow(table.throw(0, 1, { roll: "444444", act: { seat: 0, roll: "444444" } }).state);
  expect(guard.alarm).toMatchObject({ why: "faces", judged: { n: 5, verdict: "FAILED" } });
});

test("dice that were typed in may be corrected", async () => {
  const { table, guard } = await begun();
  table.add({ t: "real" });
  table.lines = [line({ n: 1, act: { seat: 0, roll: "123455" } })];
  await guard.follow(table.state);
  const right = { seat: 0, roll: "123456" };
  table.lines = [line({ n: 1, act: right, first: table.lines[0]!.act, roll: "123456" }), line({ n: 2, act: { correct: 1, act: right }, seat: null, roll: null })];
  await guard.follow(table.state);
  expect(guard.alarm).toBeNull();
});

describe("a round of drand that was announced", () => {
  const ROUND = 657_413;
  const out = 1000 * roundTime(ROUND);
  const signed: string = JSON.parse(readFileSync(new URL("../../vectors/fairness/bobing-fair-1.json", import.meta.url), "utf8")).cases[1].beacon_bytes;
  const plan = (round = ROUND) => hex(drandPlan(round));

  /** A table that is about to be sealed with this round, and a phone whose clock is at `now.ms`. */
  async function announced(now: { ms: number }): Promise<{ table: Table; guard: Guard }> {
    const [table, guard] = [new Table(plan()), new Guard(() => now.ms)];
    await guard.follow(table.state);
    table.add(table.dealer.attempt([await mine(table), true], "begin", out - 40_000));
    return { table, guard };
  }

  async function sealedAnew(table: Table, guard: Guard, round: number) {
    table.add({ t: "void", missing: [ME] });
    table.dealer.plan = plan(round);
    table.dealer.begin();
    Object.assign(table, { stage: "commit", asked: [0, 1] });
    expect(await guard.follow(table.state)).toMatchObject({ t: "commit", game: table.dealer.game });
    table.add(table.dealer.attempt([await mine(table), true], "void", out));
    return guard.follow(table.state);
  }

  test("is revealed for as long as it is to come by the clock of the phone, and proves its throws once drand signed it", async () => {
    const { table, guard } = await announced({ ms: out - 1 });
    expect(await guard.follow(table.state)).toMatchObject({ t: "reveal" });
    expect(guard.doubts).toBe(false);
    await guard.follow(table.add(table.dealer.reveals(out - 1)).add(table.dealer.ready(signed)).throw(0, 1).state);
    expect([guard.alarm, guard.judged.map(({ verdict }) => verdict)]).toEqual([null, ["PROVED-B"]]);
  });

  test("is not once it is out: that is told where nothing else comes, and the next round is for this phone again", async () => {
    const now = { ms: out };
    const { table, guard } = await announced(now);
    expect([await guard.follow(table.state), guard.alarm, guard.doubts]).toEqual([null, null, true]);
    now.ms += AGAIN_MS - 1;
    expect([await guard.follow(table.state), guard.alarm]).toEqual([null, null]);
    now.ms += 1;
    expect(await guard.follow(table.state)).toBeNull();
    expect(guard.alarm).toEqual({ why: "clock", judged: null });
    expect(await sealedAnew(table, guard, ROUND + 100)).toMatchObject({ t: "reveal", game: table.dealer.game });
    expect(guard.alarm).toBeNull();
  });

  test("is nothing to cry about where another is named before this phone looks again", async () => {
    const now = { ms: out };
    const { table, guard } = await announced(now);
    expect(await guard.follow(table.state)).toBeNull();
    now.ms += AGAIN_MS;
    expect(await sealedAnew(table, guard, ROUND + 100)).toMatchObject({ t: "reveal" });
    expect(guard.alarm).toBeNull();
  });

  test.each([
    ["a seat of another", 1],
    ["somebody who came late", 2],
  ])("for %s is held against the clock as well, where it is told while this phone listens", async (_, seat) => {
    const now = { ms: out - 35_000 };
    const { table, guard } = await announced(now);
    await hears(guard, table.state, now.ms);
    table.add(table.dealer.reveals(out - 34_000)).add(table.dealer.ready(signed)).throw(0, 1);
    if (seat === 1) table.add({ t: "lost", seat, why: "lost" });
    now.ms = out + 3_600_000;
    await hears(guard, table.state, now.ms);
    expect([guard.alarm, guard.doubts]).toEqual([null, false]);
    const own = chain("pc", unhex(table.dealer.game), seat + 1, LINKS + 1, new Uint8Array(32));
    table.add(table.dealer.seatAttempt(seat, own, plan(ROUND + 20), out - 33_000)); // so the server says
    await hears(guard, table.state, now.ms);
    expect([guard.alarm, guard.doubts]).toEqual([null, true]);
    now.ms += AGAIN_MS;
    await hears(guard, table.state, now.ms);
    expect([guard.alarm?.why, guard.doubts]).toEqual(["clock", false]);
  });

  test.each([false, true])("is cried out at once where dice are drawn by it, and drawing anew (%s) takes that not back", async (anew) => {
    vi.doMock("../src/fair/drand", () => ({ signedByDrand: () => true })); // signatures of that round are not at hand
    onTestFinished(() => vi.doUnmock("../src/fair/drand"));
    const now = { ms: out - 35_000 };
    const { table, guard } = await announced(now);
    await hears(guard, table.state, now.ms);
    table.add(table.dealer.reveals(out - 34_000)).add(table.dealer.ready(signed)).throw(0, 1).add({ t: "lost", seat: 1, why: "lost" });
    await hears(guard, table.state, now.ms);
    now.ms = out + 3_600_000;
    const own = chain("pc", unhex(table.dealer.game), 2, LINKS + 1, new Uint8Array(32));
    await hears(guard, table.add(table.dealer.seatAttempt(1, own, plan(ROUND + 20), out - 33_000)).state, now.ms);
    expect(guard.alarm).toBeNull();
    const alone = table.fair.at(-1)!.event as FairEvent & { t0: string };
    const beacon = plan(ROUND + 20) + signed.slice(plan().length);
    const j = hex(tableSeed(unhex(alone.t0), [[2, own[1]!]], unhex(beacon)));
    table.add({ t: "seat_reveal", seat: 1, link: hex(own[1]!), at: out - 32_000 }).add({ t: "seat_ready", seat: 1, beacon, j });
    if (anew) {
      table.dealer.begin();
      table.dealer.plan = plan(ROUND + 2000);
      table.add(table.dealer.attempt([await mine(table), true], "again", now.ms));
    }
    await hears(guard, table.state, now.ms);
    expect(guard.alarm).toEqual({ why: "clock", judged: null });
    await hears(guard, table.state, now.ms);
    expect(guard.alarm?.why).toBe("clock");
  });

  test("does not hide that the table went back, and that stands when another is named in time", async () => {
    const now = { ms: out - 35_000 };
    const { table, guard } = await announced(now);
    await hears(guard, table.state, now.ms);
    table.add(table.dealer.reveals(out - 34_000)).add(table.dealer.ready(signed)).throw(0, 1).throw(1, 1).add({ t: "lost", seat: 1, why: "lost" });
    await hears(guard, table.state, now.ms);
    now.ms = out + 3_600_000;
    const own = chain("pc", unhex(table.dealer.game), 2, LINKS + 1, new Uint8Array(32));
    table.add(table.dealer.seatAttempt(1, own, plan(ROUND + 20), out - 33_000));
    await hears(guard, table.state, now.ms);
    now.ms += AGAIN_MS;
    await hears(guard, table.state, now.ms);
    expect(guard.alarm?.why).toBe("clock");
    table.lines = [table.lines[0]!, line({ n: 2, act: { seat: 1, pass: true }, roll: null })];
    const again = new Guard(() => now.ms);
    await again.follow(table.state);
    expect(again.alarm?.why).toBe("older");
  });

  test("is held against the clock where this phone has no part in it", async () => {
    const now = { ms: out };
    const [table, guard] = [new Table(plan()), new Guard(() => now.ms)];
    table.asked = [1];
    await guard.follow(table.state);
    await hears(guard, table.add(table.dealer.attempt([false, true], "begin", out - 40_000)).state, now.ms);
    now.ms += AGAIN_MS;
    await hears(guard, table.add(table.dealer.reveals(out - 39_000)).state, now.ms);
    expect(guard.alarm?.why).toBe("clock");
  });

  test("is looked at for a seat that gets its own as well", async () => {
    const now = { ms: out - 1 };
    const { table, guard } = await announced(now);
    await guard.follow(table.state);
    table.add(table.dealer.reveals(out - 1)).add(table.dealer.ready(signed)).add({ t: "lost", seat: ME, why: "lost" });
    Object.assign(table, { stage: "ready", asked: [ME] });
    await guard.follow(table.state);
    table.add(table.dealer.seatAttempt(ME, await mine(table, 1), plan(ROUND + 20), out));
    now.ms = out + 60_000;
    expect([await guard.follow(table.state), guard.alarm, guard.doubts]).toEqual([null, null, true]);
    now.ms -= 1;
    expect(await guard.follow(table.state)).toMatchObject({ t: "reveal" });
    expect(guard.alarm).toBeNull();
  });

  test("for its own seat is given up for another that is named in time", async () => {
    const now = { ms: out - 1 };
    const { table, guard } = await announced(now);
    await hears(guard, table.state, now.ms);
    table.add(table.dealer.reveals(out - 1)).add(table.dealer.ready(signed)).add({ t: "lost", seat: ME, why: "lost" });
    Object.assign(table, { stage: "ready", asked: [ME] });
    await hears(guard, table.state, now.ms);
    table.add(table.dealer.seatAttempt(ME, await mine(table, 1), plan(ROUND + 20), out));
    now.ms = out + 60_000;
    await hears(guard, table.state, now.ms);
    now.ms += AGAIN_MS;
    expect([await hears(guard, table.state, now.ms), guard.alarm?.why]).toEqual([null, "clock"]);
    expect(await hears(guard, table.add({ t: "seat_void", seat: ME }).state, now.ms)).toMatchObject({ t: "commit" });
    table.add(table.dealer.seatAttempt(ME, await mine(table, 2), plan(ROUND + 80), out + 60_000));
    expect(await hears(guard, table.state, now.ms)).toMatchObject({ t: "reveal" });
    expect(guard.alarm).toBeNull();
  });

  describe("of another seat that a phone hears of when it is out", () => {
    const OTHER = ROUND + 20;
    const there = 1000 * roundTime(OTHER);

    beforeEach(() => void vi.doMock("../src/fair/drand", () => ({ signedByDrand: () => true })));
    afterEach(() => void vi.doUnmock("../src/fair/drand"));

    /** A table that is played at, where seat 1 is about to get a round of its own. */
    async function sealed(now: { ms: number }) {
      const { table, guard } = await announced(now);
      await guard.follow(table.state);
      table.add(table.dealer.reveals(out - 34_000)).add(table.dealer.ready(signed)).add({ t: "lost", seat: 1, why: "lost" });
      await guard.follow(table.state);
      const named = () => {
        const own = chain("pc", unhex(table.dealer.game), 2, LINKS + 1, new Uint8Array(32));
        return table.add(table.dealer.seatAttempt(1, own, plan(OTHER), out - 33_000)); // so the server says
      };
      return { table, guard, named };
    }

    /** What a phone cries that heard last at that moment that it was not named, and hears at another that it is. */
    async function cried(heard: number, told: number, reload = false, skews: readonly number[] = [0, 0]) {
      const now = { ms: out - 35_000 };
      const { table, guard, named } = await sealed(now);
      now.ms = heard;
      guard.hear({ at: heard, skew: skews[0]! });
      named();
      now.ms = told;
      const then = reload ? new Guard(() => now.ms) : guard;
      await then.follow(table.state, skews[1]);
      now.ms += AGAIN_MS;
      await then.follow(table.state, skews[1]);
      return then.alarm?.why;
    }

    describe.each([false, true])("after a reload: %s", (reload) => {
      test.each([
        ["while it listens", there + 60_000, there + 61_000, "clock"],
        ["after it was cut off just before", there, there + 600_000, "clock"],
        ["after it was cut off later than any honest server names it", there - 20_000, there + 5, "clock"],
        ["after it was away from before it was named, in time for all it knows", there - 20_001, there + 600_000, undefined],
        ["after it slept through the naming", there - 31_000, there + 5_000, undefined],
      ])("%s", async (_, heard, told, why) => {
        expect(await cried(heard, told, reload)).toBe(why);
      });
    });

    test.each([
      ["is not out when it hears of it, whoever asked late", there - 19_000, there - 1, [0, 0], undefined],
      ["had its own clock set back meanwhile", there + 3_600_000, there + 600_000, [0, 0], undefined],
      ["was away for long, and one of the clocks was set since", there, there + 600_000, [-3_600_000, 0], undefined],
      ["is told that the other clock was set, just after it heard", there, there + 29_000, [0, 3_600_000], "clock"],
      ["was away for long, and the clocks differ as they did", there, there + 600_000, [5_000, -5_000], "clock"],
    ])("a phone that %s", async (_, heard, told, skews, why) => {
      expect(await cried(heard, told, true, skews)).toBe(why);
    });

    test.each([
      ["was away when it was named", there - 20_001, there + 600_000, [1]],
      ["was asleep for long, and one of the clocks was set since", there + 900_000, there + 600_000, [1]],
      ["heard of it in time", there - 40_000, there - 1, []],
      ["cries out", there, there + 1_000, []],
    ])("a phone that %s says in the details whether it was there, over a reload, until another is named", async (_, heard, told, missed) => {
      const now = { ms: out - 35_000 };
      const { table, guard, named } = await sealed(now);
      guard.hear({ at: heard, skew: 0 });
      now.ms = told;
      await guard.follow(named().state);
      now.ms = there + 3_600_000;
      guard.hear({ at: now.ms, skew: 0 });
      const again = new Guard(() => now.ms);
      await again.follow(table.state);
      expect([guard.missed, again.missed]).toEqual([missed, missed]);
      const seats = { ...guard.cover!, own: [0, 1], late: [] };
      const side = { cover: seats, doubts: () => false, missed: again.missed };
      expect([covered(0, side), covered(1, side)]).toEqual(["own", missed.length ? "missed" : "own"]);
      await again.follow(table.add({ t: "seat_void", seat: 1 }).state);
      expect(again.missed).toEqual([]);
    });

    test("a phone that is loaded again before it looks again cries all the same", async () => {
      const now = { ms: out - 35_000 };
      const { guard, named } = await sealed(now);
      now.ms = there;
      guard.hear({ at: now.ms, skew: 0 });
      const { state } = named();
      await guard.follow(state);
      const again = new Guard(() => now.ms);
      await again.follow(state);
      expect([guard.alarm, again.alarm, again.doubts]).toEqual([null, null, true]);
      now.ms += AGAIN_MS;
      await again.follow(state);
      expect(again.alarm?.why).toBe("clock");
    });

    test("a phone that is loaded again cries also where another page of it slept when it was named", async () => {
      const now = { ms: out - 35_000 };
      const { table, guard, named } = await sealed(now);
      const asleep = new Guard(() => now.ms);
      await asleep.follow(table.state);
      now.ms = there;
      guard.hear({ at: now.ms, skew: 0 });
      const { state } = named();
      await guard.follow(state);
      asleep.hear({ at: there - 60_000, skew: 0 });
      await asleep.follow(state);
      const again = new Guard(() => now.ms);
      await again.follow(state);
      now.ms += AGAIN_MS;
      await again.follow(state);
      expect(again.alarm?.why).toBe("clock");
    });

    test("a phone that heard of it in time says nothing after a reload either", async () => {
      const now = { ms: out - 35_000 };
      const { guard, named } = await sealed(now);
      const { state } = named();
      await guard.follow(state);
      guard.hear({ at: there + 60_000, skew: 0 });
      const again = new Guard(() => there + 61_000);
      await again.follow(state);
      expect([again.alarm, again.doubts]).toEqual([null, false]);
    });

    test("a phone that has never heard the table without it says nothing", async () => {
      const { named } = await sealed({ ms: out - 35_000 });
      const { state } = named();
      remember("seen", []);
      const guard = new Guard(() => out + 600_000);
      await guard.follow(state);
      guard.hear({ at: out + 600_000, skew: 0 });
      await guard.follow(state);
      expect([guard.alarm, guard.doubts, guard.missed]).toEqual([null, false, ["all", 1]]);
    });

    test("another page of the phone that slept meanwhile knows no more than it heard itself", async () => {
      const now = { ms: out - 35_000 };
      const { table, guard, named } = await sealed(now);
      const asleep = new Guard(() => now.ms);
      await asleep.follow(table.state);
      asleep.hear({ at: now.ms, skew: 0 });
      await guard.follow(named().state);
      now.ms = there + 60_000;
      guard.hear({ at: now.ms, skew: 0 });
      await asleep.follow(table.state);
      now.ms += AGAIN_MS;
      await asleep.follow(table.state);
      expect([asleep.alarm, asleep.doubts, guard.alarm]).toEqual([null, false, null]);
    });
  });

  describe("looked at again", () => {
    /** A page of a table whose server answers at once. */
    function answering(remark: (said: { t: string }) => void = () => undefined): FairSide {
      const side: FairSide = new FairSide(remark, () => side.answered(Date.now(), 0));
      return side;
    }

    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test("by itself, though nothing new comes", async () => {
      vi.setSystemTime(out);
      const said: { t: string }[] = [];
      const [table, side] = [new Table(plan()), answering((remark) => said.push(remark))];
      side.follow(table.state);
      await vi.waitFor(() => expect(said).toHaveLength(1));
      table.add(table.dealer.attempt([await mine(table), true], "begin", out - 40_000));
      side.follow(table.state);
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(AGAIN_MS);
        expect(side.alarm?.why).toBe("clock");
      });
      expect(said.map(({ t }) => t)).toEqual(["commit"]);
      side.close();
    });

    test("not before the server answers: what a phone that slept knows may be long over", async () => {
      vi.setSystemTime(out);
      const asked: number[] = [];
      const [table, side] = [new Table(plan()), new FairSide(() => undefined, () => asked.push(Date.now()))];
      side.follow(table.state);
      await side.linked({ t: "throw", seat: ME });
      table.add(table.dealer.attempt([await mine(table), true], "begin", out - 40_000));
      side.follow(table.state);
      await side.linked({ t: "throw", seat: ME });
      await vi.advanceTimersByTimeAsync(10 * AGAIN_MS);
      expect([side.alarm, asked.length]).toEqual([null, 1]);
      side.answered(asked[0]! - 1, 0); // what was asked before it slept
      await vi.advanceTimersByTimeAsync(AGAIN_MS);
      expect(side.alarm).toBeNull();
      side.answered(asked[0]!, 0);
      await side.linked({ t: "throw", seat: ME });
      expect(side.alarm?.why).toBe("clock");
      side.close();
    });

    test("where what it asked was answered before there were dice to be proved", async () => {
      vi.setSystemTime(out + 1);
      const [table, side] = [new Table(plan()), answering()];
      side.answered(out, 0);
      table.asked = [];
      side.follow(table.state);
      side.follow(table.add(table.dealer.attempt([false, true], "begin", out - 40_000)).state);
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(AGAIN_MS);
        expect(side.alarm?.why).toBe("clock");
      });
      side.close();
    });

    test.each([
      ["that was asked just before", 1, "clock"],
      ["that was asked half a minute before it is out, and was answered when it was, as after a sleep", 90_000, undefined],
      ["that shows what others say late", null, undefined],
    ])("where the round of another seat is told too late by a server %s", async (_, asked, why) => {
      vi.setSystemTime(out - 1);
      const [table, side] = [new Table(plan()), answering()];
      const done = async () => void (await side.linked({ t: "throw", seat: ME }));
      table.asked = [];
      side.follow(table.state);
      side.follow(table.add(table.dealer.attempt([false, true], "begin", out - 40_000)).state);
      side.follow(table.add(table.dealer.reveals(out - 2)).add(table.dealer.ready(signed)).add({ t: "lost", seat: 1, why: "lost" }).state);
      await done();
      await vi.advanceTimersByTimeAsync(120_000);
      expect(side.alarm).toBeNull();
      if (asked === null) side.follow({ ...table.state, late: true });
      side.answered(Date.now() - (asked ?? 0), 0);
      side.reconnected();
      const own = chain("pc", unhex(table.dealer.game), 2, LINKS + 1, new Uint8Array(32));
      side.follow(table.add(table.dealer.seatAttempt(1, own, plan(ROUND + 20), out)).state);
      await done();
      await vi.advanceTimersByTimeAsync(2 * AGAIN_MS);
      await done();
      expect(side.alarm?.why).toBe(why);
      side.close();
    });
  });
});

describe("a table that goes back behind what the phone has seen", () => {
  /** A table at which three draws were seen, and what it was after one. */
  async function played() {
    const now = { ms: 0 };
    const { table, guard } = await begun(() => now.ms);
    table.throw(0, 1);
    const [early, events] = [table.lines, table.fair.length];
    await guard.follow(table.throw(1, 1).throw(0, 2).state);
    expect(guard.link(table.dealer.game, 3)).not.toBeNull();
    const back = () => void (table.lines = early);
    return { table, guard, back, events, now };
  }
  const links = (guard: Guard, table: Table) => [1, 2, 3, 4].map((k) => guard.link(table.dealer.game, k) !== null);
  const NONE = [false, false, false, false];

  test.each(["after a reload", "before the eyes of the page"])("gets no link, and that is told where it stays so, %s", async (how) => {
    const { table, guard: live, back, now } = await played();
    const guard = how === "after a reload" ? new Guard(() => now.ms) : live;
    back();
    await guard.follow(table.state);
    expect([links(guard, table), guard.alarm, guard.doubts]).toEqual([NONE, null, true]);
    now.ms = AGAIN_MS;
    await guard.follow(table.state);
    expect([links(guard, table), guard.alarm?.why, guard.lacks(table.dealer.game)]).toEqual([NONE, "older", true]);
    const again = new Guard(() => now.ms); // a reload silences nothing, and nothing leaves the phone for this attempt any more
    await again.follow(table.throw(0, 2).throw(1, 1).throw(0, 3).state);
    expect([links(again, table), again.alarm?.why]).toEqual([NONE, "older"]);
    await anew(table, guard);
    expect(JSON.stringify(recall("chains", []))).toContain(`${table.code} ${guard.t0}`); // and for no other from here on
    expect([links(guard, table), guard.alarm]).toEqual([[true, false, false, false], null]);
    const later = new Guard(() => now.ms); // all is drawn anew, and this phone has its part in it
    await later.follow(table.state);
    expect([links(later, table), later.alarm]).toEqual([[true, false, false, false], null]);
  });

  /** The server deals anew, and this phone takes its part in it. */
  async function anew(table: Table, guard: Guard) {
    table.dealer.begin();
    Object.assign(table, { stage: "commit", asked: [0, 1] });
    expect(await guard.follow(table.state)).toMatchObject({ t: "commit" });
    table.add(table.dealer.attempt([await mine(table), true], "again"));
    expect(await guard.follow(table.state)).toMatchObject({ t: "reveal" });
    await guard.follow(table.add(table.dealer.reveals()).add(table.dealer.ready()).state);
  }

  /** A late seat whose coming is told when its lap is known, as if it had come before. */
  async function backdated() {
    const { table, guard } = await begun();
    await guard.follow(table.throw(0, 1).throw(1, 1).state);
    table.lines = [...table.lines, line({ n: 3, act: { join: true }, seat: null, roll: null })];
    await guard.follow(table.throw(0, 2).throw(1, 2).throw(0, 3).throw(1, 3).state);
    expect(guard.link(table.dealer.game, 4)).not.toBeNull();
    const lap = table.lines.flatMap(({ proof }) => (proof?.k === 3 ? [proof] : []));
    table.fair.push({ after: 3, event: table.dealer.late(2, true) });
    table.add(table.dealer.lateReady(2, lap as never));
    return { table, guard };
  }

  test.each(["after a reload", "before the eyes of the page"])("or puts a late seat before what was seen is found out, %s", async (how) => {
    const { table, guard: live } = await backdated();
    const guard = how === "after a reload" ? new Guard() : live;
    const openings = () => new Map(table.fair.flatMap(({ event }) => (event.t === "attempt" ? [[event.game, event.t0] as const] : [])));
    expect(warnedOf(openings())).toBeNull();
    await guard.follow(table.state);
    await guard.follow(table.throw(2, 1).state);
    const again = new Guard();
    await again.follow(table.state);
    for (const one of [guard, again]) expect([links(one, table), one.alarm?.why]).toEqual([NONE, "older"]);
    await anew(table, guard);
    expect(warnedOf(openings())).toBe("older"); // a record says so on this phone for ever
    const later = new Guard(); // and what was put in between is no news any more
    await later.follow(table.state);
    for (const one of [guard, later]) expect([links(one, table), one.alarm]).toEqual([[true, false, false, false], null]);
    await later.follow(table.throw(0, 1).state);
    expect([links(later, table), later.alarm]).toEqual([[true, true, false, false], null]);
  });

  test.each<[string, Line["act"], Partial<Line>, Line["act"], Partial<Line>]>([
    ["who changed places", { swap: [0, 1] }, {}, { seat: 1, pass: true }, {}],
    ["what was taken back", { undo: 2 }, { took: [2] }, { undo: 1 }, { took: [1, 2] }],
  ])("or tells otherwise %s, though no dice lie there", async (_, act, more, other, changed) => {
    const { table, guard } = await begun();
    const thrown = table.throw(0, 1).throw(1, 1).lines;
    const marked = (taken: number[] = []) => thrown.map((one) => ({ ...one, struck: taken.includes(one.n) }));
    table.lines = [...marked(more.took), line({ n: 3, act, seat: null, roll: null, ...more })];
    await guard.follow(table.state);
    expect(guard.alarm).toBeNull();
    table.lines = [...marked(changed.took), line({ n: 3, act: other, seat: null, roll: null, ...changed })];
    const fresh = new Guard();
    await fresh.follow(table.state);
    expect([links(fresh, table), fresh.alarm?.why]).toEqual([NONE, "older"]);
    await guard.follow(table.state);
    expect(guard.alarm?.why).toBe("changed");
  });

  test("or gives the cakes of a grab to others is found out", async () => {
    const { table, guard } = await begun();
    const { roll } = table.throw(0, 1).lines[0]!;
    const grab = (seat: number) => void (table.lines = [{ ...table.lines[0]!, act: { seat: 0, roll, grab: { yixiu: [seat] } } }]);
    grab(0);
    await guard.follow(table.state);
    expect(links(guard, table)[0]).toBe(true);
    grab(1);
    const fresh = new Guard();
    await fresh.follow(table.state);
    expect(links(fresh, table)).toEqual(NONE);
  });

  test("for a moment, as a page that comes up behind another may see it, is nothing to cry about", async () => {
    const { table, back } = await played();
    const [now, all] = [{ ms: 0 }, table.lines];
    const guard = new Guard(() => now.ms);
    back();
    await guard.follow(table.state);
    now.ms = AGAIN_MS;
    table.lines = all;
    await guard.follow(table.state);
    expect([links(guard, table), guard.alarm, guard.doubts]).toEqual([[true, true, true, false], null, false]);
  });

  test("and tells the rest otherwise is found out however long it is by then", async () => {
    const { table, back } = await played();
    back();
    const guard = new Guard();
    await guard.follow(table.throw(0, 2).throw(1, 1).throw(0, 3).state);
    expect([links(guard, table), guard.alarm?.why]).toEqual([NONE, "older"]);
  });

  test("while the page had no connection is found out, though as much is told as before", async () => {
    const { table, guard } = await begun();
    const late = table.dealer.late(2, true);
    await guard.follow(table.add(late).throw(0, 1).throw(1, 1).throw(0, 2).throw(1, 2).state);
    expect(guard.alarm).toBeNull();
    table.fair[table.fair.length - 1] = { after: 0, event: { ...late, player: "11".repeat(32) } as FairEvent }; // an accomplice's, tried until it suits
    await guard.follow(table.state);
    expect([links(guard, table), guard.alarm?.why]).toEqual([NONE, "older"]);
  });

  test("behind a sealing shows nothing of its part in it again", async () => {
    const { table, events } = await played();
    table.lines = [];
    table.fair.length = events - 1; // the public chance, or whoever comes late, could be another
    Object.assign(table, { stage: "reveal", asked: [0, 1], sas: "" });
    const now = { ms: 0 };
    const guard = new Guard(() => now.ms);
    expect(await guard.follow(table.state)).toBeNull();
    now.ms = AGAIN_MS;
    expect(await guard.follow(table.state)).toBeNull();
    expect(guard.alarm?.why).toBe("older");
    const again = new Guard();
    expect(await again.follow(table.add(table.dealer.ready()).state)).toBeNull();
    expect(links(again, table)).toEqual(NONE);
  });

  test("behind all sealings shows nothing for those that it had seen", async () => {
    const { table } = await played();
    const sealed = table.fair.splice(0);
    table.lines = [];
    Object.assign(table, { stage: "commit", asked: [0, 1] });
    const now = { ms: 0 };
    const guard = new Guard(() => now.ms);
    await guard.follow(table.state);
    now.ms = AGAIN_MS;
    await guard.follow(table.state);
    expect(guard.alarm?.why).toBe("older");
    for (const { event } of sealed.slice(0, 1)) table.add(event);
    expect(await guard.follow(table.state)).toBeNull(); // not the first link either
    expect(await new Guard().follow(table.state)).toBeNull();
  });

  test("is not taken for another table", async () => {
    const { table } = await played();
    const other = new Table();
    other.code = "WXYZ6789";
    other.dealer.begin();
    const guard = new Guard();
    await guard.follow(other.state);
    expect([guard.alarm, guard.doubts]).toEqual([null, false]);
    expect(table.code).not.toBe(other.code);
  });

  test("is told after a reload also where the server speaks of another game first", async () => {
    const { table, guard, back, now } = await played();
    back();
    await guard.follow(table.state);
    now.ms = AGAIN_MS;
    await guard.follow(table.state);
    const { view: told, ...rest } = table.state;
    const again = new Guard();
    await again.follow({ ...rest, view: { ...told, fair: { ...told.fair!, game: "ff".repeat(16) } } });
    await again.follow(table.state);
    expect([links(again, table), again.alarm?.why]).toEqual([NONE, "older"]);
  });

  test("is told for as long as it does, whatever game the server speaks of meanwhile", async () => {
    const { table, back } = await played();
    back();
    const { view: told, ...rest } = table.throw(0, 2).throw(1, 1).throw(0, 3).state;
    const guard = new Guard();
    await guard.follow({ ...rest, view: { ...told, fair: { ...told.fair!, game: "ff".repeat(16) } } });
    await guard.follow(table.state);
    const again = new Guard();
    await again.follow(table.state);
    for (const one of [guard, again]) expect([links(one, table), one.alarm?.why]).toEqual([NONE, "older"]);
    expect(receipts().map(({ game }) => game)).toEqual([table.dealer.game]);
  });

  test("behind all sealings is told as long as one of these is drawn from", async () => {
    const { table, now } = await played();
    const sealed = table.fair.splice(0);
    Object.assign(table, { lines: [], stage: "commit", asked: [0, 1] });
    const guard = new Guard(() => now.ms);
    await guard.follow(table.state);
    now.ms = AGAIN_MS;
    await guard.follow(table.state);
    for (const { event } of sealed) table.add(event);
    await guard.follow(table.state);
    expect(guard.alarm?.why).toBe("older");
    await anew(table, guard);
    expect(guard.alarm).toBeNull();
  });

  test("is told after a reload whatever another page of the same phone has stored since", async () => {
    const { table, guard } = await played();
    const other = new Guard();
    await other.follow(table.state);
    const { sas } = table;
    table.sas = "AAAAAA";
    await guard.follow(table.state);
    table.sas = sas;
    await other.follow(table.throw(1, 2).state);
    const again = new Guard();
    await again.follow(table.state);
    expect([guard.alarm?.why, again.alarm?.why]).toEqual(["signs", "signs"]);
  });
});

describe("a phone that changes its seat", () => {
  const at = (table: Table, seat: number | null): TableState => ({ ...table.state, you: { role: "host", seat } });

  test("has its links where it was welcomed before it sat down", async () => {
    const { table } = await begun();
    const guard = new Guard();
    await hears(guard, at(table.throw(0, 1), null), 1);
    await hears(guard, at(table, ME), 1);
    expect([guard.link(table.dealer.game, 2) !== null, guard.lacks(table.dealer.game), guard.alarm]).toEqual([true, false, null]);
  });

  test("leaves behind that somebody took its place there, and finds it again where it comes back", async () => {
    const [table, guard] = [new Table(), new Guard()];
    await guard.follow(at(table, ME));
    table.add(table.dealer.attempt([true, true]));
    await guard.follow(at(table, ME));
    expect([guard.alarm?.why, warnedOf(new Map([[table.dealer.game, guard.t0!]]))]).toEqual(["own", null]);
    table.asked = [];
    const whys = [];
    for (const seat of [1, ME]) {
      const reloaded = new Guard();
      for (const one of [guard, reloaded]) whys.push((await one.follow(at(table, seat)), one.alarm?.why));
    }
    expect(whys).toEqual([undefined, undefined, "own", "own"]);
  });

  test("goes on telling what is wrong with the table, whoever sits where", async () => {
    const { table, guard } = await begun();
    await guard.follow(table.throw(0, 1).throw(1, 1).state);
    table.lines = [table.lines[0]!, line({ n: 2, act: { seat: 1, pass: true }, roll: null })];
    const back = new Guard();
    await back.follow(at(table, ME));
    const reloaded = new Guard();
    for (const one of [back, reloaded]) expect((await one.follow(at(table, 1)), one.alarm?.why)).toBe("older");
  });

  test("makes a chain for the other seat, and shows none of the one before", async () => {
    const [table, guard] = [new Table(), new Guard()];
    table.asked = [ME];
    await guard.follow(at(table, ME));
    await guard.follow(at(table.add(table.dealer.attempt([await mine(table), false])), ME));
    await guard.follow(at(table.add(table.dealer.reveals()).add(table.dealer.ready()).throw(0, 1), ME));
    table.asked = [1];
    table.add({ t: "lost", seat: ME, why: "freed" });
    const said = await guard.follow(at(table, 1));
    expect([said, guard.alarm]).toEqual([await new Guard().follow(at(table, 1)), null]);
    expect(said).toMatchObject({ t: "commit", seat: 1 });
  });
});

test("a game that was drawn on under another code while nobody looked is found out by who had heard that table before", async () => {
  const { table } = await begun();
  table.code = "WXYZ6789";
  const there = new Guard();
  await there.follow(table.throw(0, 1).state);
  there.hear({ at: 1, skew: 0 });
  const again = new Guard();
  await again.follow(table.throw(1, 1).state);
  expect(again.alarm?.why).toBe("changed");
});

test("a record that goes on at another table repeats what was taken back, and nobody cheated", async () => {
  const { table, guard } = await begun();
  await guard.follow(table.throw(0, 1).throw(1, 1).state);
  const again = { ...table.lines[1]!, n: 4 };
  table.undo(2);
  await guard.follow(table.state);
  table.code = "WXYZ6789";
  const there = new Guard();
  await there.follow(table.state);
  table.lines = [...table.lines, again];
  await hears(there, table.state, Date.now());
  expect([there.alarm, there.judged.at(-1)?.verdict]).toEqual([null, "PROVED-A"]);
  await hears(there, table.throw(0, 2).state, Date.now());
  expect(there.alarm?.why).toBe("changed"); // what is new there is another thing
});
