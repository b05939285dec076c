import { describe, expect, test } from "vitest";
import { claimChain, findChain, longOver, takeChain, type Store, type Which } from "../src/fair/keeper";
import { before } from "../src/fair/derive";
import { unhex } from "../src/fair/bytes";

const which: Which = { game: "00".repeat(16), seat: 3, throws: 4 };

function memory(): Store & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const change: Store["change"] = async (key, become) => {
    const value = become(kept.get(key) ?? null);
    kept.set(key, value);
    return value;
  };
  return { kept, get: async (key) => kept.get(key) ?? null, change };
}

const broken: Store = {
  get: () => Promise.reject(new Error("switched off")),
  change: () => Promise.reject(new Error("switched off")),
};

test("a chain is made once, kept twice, and found again", async () => {
  const stores = [memory(), memory()];
  const made = await takeChain(which, stores);
  expect(made).toHaveLength(6);
  expect(made[0]).toEqual(before("pc", unhex(which.game), 3, 1, made[1]!));
  expect(stores.map(({ kept }) => kept.size)).toEqual([1, 1]);
  expect(await takeChain(which, stores)).toEqual(made);
  expect(await findChain(which, stores)).toEqual(made);
});

test.each([0, 1])("one store that was cleared is filled from the other (%d)", async (cleared) => {
  const stores = [memory(), memory()] as const;
  const made = await takeChain(which, stores);
  stores[cleared]!.kept.clear();
  expect(await findChain(which, stores)).toEqual(made);
  expect(stores[cleared]!.kept.size).toBe(1);
});

test.each([0, 1])("a store that is switched off costs nothing (%d)", async (off) => {
  const stores = off ? [memory(), broken] : [broken, memory()];
  const made = await takeChain(which, stores);
  expect(await findChain(which, stores)).toEqual(made);
});

test("another length, seat or game has another chain; cleared everywhere, there is none", async () => {
  const stores = [memory(), memory()];
  const ends = new Set<string>();
  for (const other of [which, { ...which, throws: 5 }, { ...which, seat: 4 }, { ...which, game: "01".repeat(16) }]) {
    expect(await findChain(other, stores)).toBeNull();
    ends.add(String((await takeChain(other, stores)).at(-1)));
  }
  expect(ends.size).toBe(4);
  for (const { kept } of stores) kept.clear();
  expect(await findChain(which, stores)).toBeNull();
});

test("of chains those are thrown away that were not used for two months, and never the newest", () => {
  const day = 24 * 3_600_000;
  const used = (days: number, i: number) => [`${days}.${i}`, (1000 - days) * day] as const;
  const many = (count: number, days: number) => Array.from({ length: count }, (_, i) => used(days, i));
  expect(longOver(many(24, 900), 1000 * day)).toEqual([]);
  expect(longOver(many(300, 60), 1000 * day)).toEqual([]);
  expect(longOver([...many(3, 61), ...many(23, 90), ...many(2, 1)], 1000 * day)).toEqual(["90.19", "90.20", "90.21", "90.22"]);
});

test("what is no end of a chain is not taken for one", async () => {
  const store = memory();
  store.get = async () => "not hex";
  expect(await findChain(which, [store])).toBeNull();
});

test.each([0, 1])("a chain serves one purpose for ever, also where one store was cleared (%d)", async (cleared) => {
  const stores = [memory(), memory()] as const;
  const made = await takeChain(which, stores);
  expect(await claimChain(which, "ABCD one", stores)).toBe(true);
  stores[cleared]!.kept.clear();
  expect(await claimChain(which, "ABCD other", stores)).toBe(false);
  expect(await claimChain(which, "ABCD one", stores)).toBe(true);
  expect(await takeChain(which, stores)).toEqual(made);
  expect(stores.map(({ kept }) => [...kept.values()][0]?.slice(64))).toEqual([" ABCD one", " ABCD one"]);
});

test("of two stores the one that knows what the chain serves is believed", async () => {
  const stores = [memory(), memory()] as const;
  const made = await takeChain(which, stores);
  await claimChain(which, "ABCD one", [stores[1]]);
  expect(await findChain(which, stores)).toEqual(made);
  expect(await claimChain(which, "ABCD other", [stores[0]])).toBe(false);
});

describe.each([
  ["both stores", () => [memory(), memory()]],
  ["only one", () => [broken, memory()]],
])("two pages at once, with %s", (_, made) => {
  test("take one chain between them", async () => {
    const stores = made();
    const [one, other] = await Promise.all([takeChain(which, stores), takeChain(which, stores)]);
    expect(one).toEqual(other);
    expect(await findChain(which, stores)).toEqual(one);
  });

  test("have it serve one purpose between them", async () => {
    const stores = made();
    await takeChain(which, stores);
    expect(await Promise.all([claimChain(which, "ABCD one", stores), claimChain(which, "WXYZ other", stores)])).toEqual([true, false]);
    expect(await claimChain(which, "WXYZ other", stores)).toBe(false);
  });
});
