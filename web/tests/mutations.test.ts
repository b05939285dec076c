import { expect, test } from "vitest";
import type { FairEvent, Proof } from "../src/fair/events";
import { outcome, report } from "../src/fair/record";
import { chained, Dealer, lines, type Entry } from "./dealer";

function roll(dealer: Dealer, seat: number, k: number): Entry & { proof: Proof } {
  const { proof, faces, spill } = dealer.draw(seat, k);
  return { act: { seat, roll: faces, ...(spill && { spill }) }, proof };
}

/** A game with all that can happen: an attempt that came to nothing, an undo, lost links, a late seat, a new attempt. */
function eventful(): Entry[] {
  const dealer = new Dealer();
  const game: Entry[] = [dealer.attempt([true, true, false]), { t: "void", missing: [1] }];
  game.push(dealer.attempt([true, true, false], "void"), dealer.reveals(), dealer.ready());
  game.push(...[0, 1, 2].map((seat) => roll(dealer, seat, 1)), { act: { undo: 3 }, proof: null }, roll(dealer, 2, 1));
  game.push(dealer.late(3, true));
  game.push(roll(dealer, 0, 2), roll(dealer, 1, 2));
  const lap = [roll(dealer, 0, 3), roll(dealer, 1, 3)];
  game.push(...lap, dealer.lateReady(3, lap.map(({ proof }) => proof)), roll(dealer, 3, 1), dealer.lose(1), roll(dealer, 1, 4));
  game.push(dealer.attempt([true, false, false, true], "again"), dealer.reveals(), dealer.ready(), roll(dealer, 0, 1), roll(dealer, 3, 1));
  return game;
}

const sound = lines(3, eventful());
const file = chained(sound);

test("an eventful game holds", () => {
  const found = report(file);
  expect(found).toMatchObject({ faults: [], restarts: 1, voids: 1, late: [3], lost: [1] });
  expect(found.throws.map(({ verdict }) => verdict)).not.toContain("FAILED");
  expect(outcome(found)).toBe("partly");
});

/** Whether a changed file is taken for a game whose dice hold. */
function accepted(changed: Uint8Array): boolean {
  try {
    return outcome(report(changed)) !== "failed";
  } catch {
    return false;
  }
}

test("no file in which one byte was changed is taken", () => {
  const taken: number[] = [];
  for (let at = 0; at < file.length; at += 13) {
    const changed = file.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    if (accepted(changed)) taken.push(at);
  }
  expect(file.length / 13).toBeGreaterThan(600);
  expect(taken).toEqual([]);
});

/** Every way to change one leaf of a value a little. */
function* altered(value: unknown, path = ""): Generator<[string, unknown]> {
  if (typeof value === "string") {
    for (const at of new Set([0, value.length >> 1, value.length - 1])) {
      const other = value[at] === "1" ? "2" : "1";
      yield [`${path}[${at}]`, value.slice(0, Math.max(at, 0)) + other + value.slice(at + 1)];
    }
    if (value) yield [`${path} without its end`, value.slice(0, -1)];
  } else if (typeof value === "number") {
    yield [`${path}+1`, value + 1];
    yield [`${path}-1`, value - 1];
  } else if (typeof value === "boolean") {
    yield [path, !value];
  } else if (value === null) {
    yield [`${path} something`, "00".repeat(32)];
  } else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) {
      yield [`${path}/${i} gone`, value.toSpliced(i, 1)];
      yield [`${path}/${i} twice`, value.toSpliced(i, 0, entry)];
      for (const [where, other] of altered(entry, `${path}/${i}`)) yield [where, value.with(i, other)];
    }
  } else if (typeof value === "object") {
    for (const [key, entry] of Object.entries(value)) {
      yield [`${path}/${key} gone`, Object.fromEntries(Object.entries(value).filter(([one]) => one !== key))];
      for (const [where, other] of altered(entry, `${path}/${key}`)) yield [where, { ...value, [key]: other }];
    }
  }
}

/** What stands in a line about dice; the rest is for who replays the rules. */
const ABOUT_DICE = ["fair", "act", "proof", "rules_hash"];
/** What a verifier can only believe: why links were lost or an attempt came, who did not answer, and the clock. */
const BELIEVED = /\/(why|at|missing)\b/;

test("no file is taken in which something about the dice was changed, even with every hash made anew", () => {
  const taken: string[] = [];
  let tried = 0;
  for (const [i, line] of sound.entries())
    for (const key of ABOUT_DICE.filter((one) => one in line))
      for (const [where, other] of altered(line[key], `${i}/${key}`)) {
        if (BELIEVED.test(where)) continue;
        tried++;
        if (accepted(chained(sound.with(i, { ...line, [key]: other })))) taken.push(where);
      }
  expect(tried).toBeGreaterThan(600);
  expect(taken).toEqual([]);
});

test("no file is taken in which an event or a throw is missing, doubled or at another place", () => {
  const taken: string[] = [];
  const renumbered = (values: typeof sound) => {
    let n = 0;
    return chained(values.map((value) => ("act" in value ? { ...value, n: ++n } : value)));
  };
  for (const [i, line] of sound.entries()) {
    if (i === 0) continue;
    if (!ends(i) && accepted(renumbered(sound.toSpliced(i, 1)))) taken.push(`${i} gone`);
    if (accepted(renumbered(sound.toSpliced(i, 0, line)))) taken.push(`${i} twice`);
  }
  expect(taken).toEqual([]);
});

/** A seat's last draw of an attempt, of which nothing follows, may be missing: only a receipt, or the rules, would tell. */
function ends(i: number): boolean {
  const { proof } = sound[i] as { proof?: Proof | null };
  if (!proof) return false;
  const attempt = sound.findIndex((value, at) => at > i && (value.fair as FairEvent | undefined)?.t === "attempt");
  const rest = sound.slice(i + 1, attempt < 0 ? undefined : attempt);
  return !rest.some((value) => (value.proof as Proof | undefined)?.seat === proof.seat);
}
