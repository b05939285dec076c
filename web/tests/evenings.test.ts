/** Evenings at random: where nobody cheats a phone never cries, and where what it is told was changed nothing is green that was not. */
import { expect, test } from "vitest";
import { canonical } from "../src/fair/canonical";
import { covered } from "../src/fair/covered";
import type { Proof } from "../src/fair/events";
import { Guard } from "../src/fair/guard";
import { findChain } from "../src/fair/keeper";
import type { TableState } from "../src/lib/live";
import { remember } from "../src/lib/store";
import type { Line } from "../src/protocol";
import { line } from "./samples";
import { LINKS, ME, Table } from "./table";

/** Chance that comes again (mulberry32). */
class Chance {
  constructor(private seed: number) {}

  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }
}

/** A table that is played at by the rules of the proof, and the phone of seat 0, which hears of it as phones do. */
class Evening {
  readonly table = new Table();
  guard = new Guard();
  /** All draws of this attempt, taken back or not; and what a seat that came late waits for. */
  #draws: Proof[] = [];
  #late: { seat: number; lap: Map<number, number> } | null = null;
  #lost = new Set<number>();
  #owns = [true, true, false];
  /** What was told before the last undo. */
  #before: Line[] = [];

  constructor(readonly chance: Chance) {}

  async begin(why = "begin"): Promise<void> {
    const { table } = this;
    table.dealer.begin();
    Object.assign(table, { stage: "commit", asked: [ME, 1] });
    await this.told();
    if (this.chance.next() < 0.2) {
      table.add(table.dealer.attempt([await this.#mine(), ...this.#owns.slice(1)], why)).add({ t: "void", missing: [1] });
      await this.told();
      return this.begin("void");
    }
    table.add(table.dealer.attempt([await this.#mine(), ...this.#owns.slice(1)], why));
    await this.told();
    table.add(table.dealer.reveals()).add(table.dealer.ready());
    [this.#draws, this.#late, this.#lost] = [[], null, new Set()];
    await this.told();
  }

  async #mine() {
    return (await findChain({ game: this.table.dealer.game, seat: ME + 1, throws: LINKS, lost: 0 })) ?? true;
  }

  /** The phone hears how the table stands: at once, told all anew, or after it was loaded again or in another seat. */
  async told(state = this.table.state): Promise<void> {
    const how = this.chance.next();
    if (how < 0.1) this.guard = new Guard();
    await this.guard.follow(how < 0.3 ? structuredClone(state) : state);
    if (how > 0.9 && !this.guard.alarm) {
      await this.guard.follow({ ...state, you: { role: "host", seat: 1 } });
      await this.guard.follow(state);
    }
    if (this.chance.next() < 0.5) this.guard.hear({ at: Date.now(), skew: 0 });
  }

  /** Something happens. */
  async step(): Promise<void> {
    const { table, chance } = this;
    const what = chance.next();
    const joined = table.lines.findLast(({ act }) => act.join)?.n ?? 0; // who joined stays
    const standing = table.lines.filter(({ n, act, struck }) => n > joined && !struck && !("undo" in act || "correct" in act));
    if (what < 0.08 && standing.length) this.#undo(chance.of(standing).n);
    else if (what < 0.16 && table.lines.at(-1)?.act.undo) this.#redo();
    else if (what < 0.2) this.#correct(standing);
    else if (what < 0.22) this.#act({ seat: chance.below(3), pass: true });
    else if (what < 0.25 && !this.#lost.has(1)) {
      this.#lost.add(1);
      table.add(table.dealer.lose(1));
    } else if (what < 0.3 && !this.#late) this.#comes();
    else if (what < 0.34) return this.begin("again");
    else if (!this.#throws(chance.below(this.#owns.length))) return this.begin("spent");
    this.#comesIn();
    if (chance.next() > 0.3) await this.told(); // else it is cut off, and hears of it later
  }

  #act(act: Line["act"]): void {
    this.table.lines = [...this.table.lines, line({ n: this.table.lines.length + 1, act, roll: null })];
  }

  #throws(seat: number): boolean {
    const { table } = this;
    if (!table.dealer.seats.has(seat) || this.#late?.seat === seat) return true;
    const first = table.lines.findIndex(({ proof }) => proof && this.#draws.some(({ s }) => s === proof.s));
    const mine = first < 0 ? [] : table.lines.slice(first).filter((one) => !one.struck && one.proof?.seat === seat);
    const k = mine.length + 1;
    if (k > LINKS) return false;
    const again = this.#draws.find((one) => one.seat === seat && one.k === k);
    if (again) table.lines = [...table.lines, { ...table.lines.find(({ proof }) => proof?.s === again.s)!, n: table.lines.length + 1, struck: false, ...this.#played(again) }];
    else this.#draws.push(table.throw(seat, k).lines.at(-1)!.proof as Proof);
    return true;
  }

  /** How a draw came first, whatever it was corrected to. */
  #played({ s }: Proof): Pick<Line, "act" | "first"> {
    const { act, first } = this.table.lines.find(({ proof }) => proof?.s === s)!;
    return { act: first ?? act, first: null };
  }

  #undo(n: number): void {
    this.#before = this.table.lines;
    this.table.undo(n);
  }

  /** The undo that came last is taken back. */
  #redo(): void {
    const { lines } = this.table;
    const n = lines.length;
    if (this.#before.length !== n - 1) return;
    this.table.lines = [...this.#before, { ...lines[n - 1]!, struck: true }, line({ n: n + 1, act: { undo: n }, took: [n], roll: null })];
  }

  /** What goes beside the same dice is corrected; nobody takes that back here. */
  #correct(standing: readonly Line[]): void {
    const last = standing.findLast(({ proof }) => proof);
    if (!last || last.n !== this.table.lines.length) return;
    const act = { ...last.act, choose: this.chance.of(["yixiu", "erju"]) };
    const { table } = this;
    table.lines = [...table.lines.with(last.n - 1, { ...last, act, first: last.first ?? last.act }), line({ n: last.n + 1, act: { correct: last.n, act }, roll: null })];
  }

  #comes(): void {
    const { table } = this;
    const seat = this.#owns.push(this.chance.next() < 0.5) - 1;
    this.#act({ join: true });
    const devices = [...table.dealer.seats].filter(([, { own }]) => own).map(([one]) => one);
    this.#late = { seat, lap: new Map(devices.map((one) => [one, this.#draws.filter((draw) => draw.seat === one).length + 2])) };
    table.add(table.dealer.late(seat, this.#owns[seat]!));
  }

  #comesIn(): void {
    if (!this.#late) return;
    const { seat, lap } = this.#late;
    const drawn = [...lap].map(([one, k]) => this.#draws.find((draw) => draw.seat === one && draw.k === k));
    if (drawn.some((one, i) => !one && ![...this.#lost].includes([...lap.keys()][i]!))) return;
    this.table.add(this.table.dealer.lateReady(seat, drawn.filter((one) => one?.c) as Proof[]));
    this.#late = null;
  }

  /** The seats whose dice are green on this phone. */
  get green(): number[] {
    const { guard } = this;
    if (guard.alarm) return [];
    return this.#owns.flatMap((_, seat) => (covered(seat, { cover: guard.cover, doubts: () => false, missed: guard.missed }) === "own" ? [seat] : []));
  }
}

async function played(seed: number, steps: number): Promise<Evening> {
  for (const shelf of ["chains", "receipts", "seen"]) remember(shelf, []);
  const evening = new Evening(new Chance(seed));
  await evening.begin();
  for (let step = 0; step < steps; step++) {
    await evening.step();
    expect(evening.guard.alarm, `evening ${seed}, step ${step}`).toBeNull();
  }
  await evening.told();
  expect(evening.guard.alarm, `evening ${seed}`).toBeNull();
  return evening;
}

test("a phone never cries where nobody cheats, and is green then", async () => {
  const greens = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const { guard, green, table } = await played(seed, 30);
    expect(guard.signs).toBe(table.sas);
    expect(green).toContain(ME);
    greens.add(green.join());
  }
  expect(greens.size).toBeGreaterThan(2);
}, 60_000);

/** All that a page shows of dice. */
function shown({ lines }: TableState): string {
  return canonical(lines.flatMap(({ n, act, roll, seat, struck }) => (roll ? [[n, roll, seat ?? (act.seat as number), struck ?? false]] : [])));
}

type Value = Record<string, unknown> | unknown[];

/** One place in a value, however deep, and what stands there becomes something else. */
function altered(value: Value, chance: Chance): void {
  const keys = Object.keys(value);
  if (!keys.length) return;
  const key = chance.of(keys);
  const [at, old] = [value as Record<string, unknown>, (value as Record<string, unknown>)[key]];
  if (typeof old === "object" && old !== null && chance.next() < 0.9) return altered(old as Value, chance);
  if (chance.next() < 0.1) delete at[key];
  else if (typeof old === "string") at[key] = /^[1-6]+$/.test(old) ? "4".repeat(old.length) : old.slice(0, -1) + (old.endsWith("0") ? "1" : "0");
  else if (typeof old === "number") at[key] = old + chance.of([-1, 1]);
  else if (typeof old === "boolean") at[key] = !old;
  else at[key] = chance.of([null, {}, [], 1, "1", { seat: 1, roll: "444444" }]);
}

const FORGED = { act: { seat: 1, roll: "444444" }, seat: 1, roll: "444444", digital: true };

/** What a server could tell instead. */
const LIES: readonly ((told: TableState, chance: Chance) => void)[] = [
  ({ lines }, chance) => altered(chance.of(lines) as never, chance),
  ({ lines }, chance) => void Object.assign(chance.of(lines), FORGED),
  ({ lines }, chance) => void Object.assign(chance.of(lines), { struck: chance.next() < 0.5 }),
  ({ lines }, chance) => {
    const one = chance.of(lines);
    Object.assign(one, FORGED, { first: one.first ?? one.act, seat: 1 });
  },
  ({ fair }, chance) => altered(chance.of(fair) as never, chance),
  ({ lines, fair }, chance) => void (chance.of([lines, fair]) as unknown[]).splice(chance.below(6), 1),
  ({ lines, fair }, chance) => {
    const all = chance.of([lines, fair]) as unknown[];
    all.splice(chance.below(all.length), 0, structuredClone(chance.of(all)));
  },
  ({ lines }, chance) => void (lines as Line[]).push({ ...structuredClone(chance.of(lines.filter(({ roll }) => roll))), n: lines.length + 1 }),
  ({ lines }, chance) => {
    const proof = lines.findLast((one) => one.proof?.seat === 1)?.proof ?? null;
    (lines as Line[]).push(line({ ...FORGED, n: lines.length + 1, proof: chance.of([null, proof, proof && { ...proof, k: proof.k + 1 }]) }));
  },
  (told) => void Object.assign(told.rules, { digest: "11".repeat(32) }),
  (told, chance) => altered(told.view.fair as never, chance),
  (told) => void Object.assign(told, { fair: [], view: { ...told.view, fair: null } }),
];

test("nothing is green that was not, whatever a server tells instead", async () => {
  let found = 0;
  for (let seed = 1; seed <= 96; seed++) {
    const evening = await played(seed, 12);
    const { green, table, chance, guard } = evening;
    const [honest, restarts, voids] = [table.state, guard.cover?.restarts, guard.cover?.voids];
    if (!honest.lines.length) continue;
    const told = structuredClone(honest);
    LIES[seed % LIES.length]!(told, chance);
    await evening.told(told).catch(() => (evening.guard = new Guard())); // what a page cannot follow is not green
    const still = evening.green;
    if (still.length === 0) found++;
    const where = `evening ${seed}, lie ${seed % LIES.length}: ${canonical(JSON.parse(JSON.stringify(told.lines)))}`;
    expect(green, where).toEqual(expect.arrayContaining(still));
    if (still.length) expect([shown(told), evening.guard.cover?.restarts, evening.guard.cover?.voids], where).toEqual([shown(honest), restarts, voids]);
  }
  expect(found).toBeGreaterThan(60);
}, 60_000);
