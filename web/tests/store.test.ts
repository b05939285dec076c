import { afterEach, expect, test, vi } from "vitest";
import { recall, remember } from "../src/lib/store";

afterEach(() => vi.unstubAllGlobals());

function storage(): { kept: Map<string, string>; full: boolean } {
  const disk = { kept: new Map<string, string>(), full: false };
  const setItem = (key: string, text: string) => {
    if (disk.full) throw new Error("full");
    disk.kept.set(key, text);
  };
  vi.stubGlobal("localStorage", { getItem: (key: string) => disk.kept.get(key) ?? null, setItem });
  return disk;
}

/** A storage in which so many signs have room; its keys are listed as a browser does it. */
function small(room: number): Record<string, string> {
  const kept: Record<string, string> = {};
  const define = (name: string, value: unknown) => Object.defineProperty(kept, name, { value });
  define("getItem", (key: string) => kept[key] ?? null);
  define("removeItem", (key: string) => void delete kept[key]);
  define("setItem", (key: string, text: string) => {
    const others = Object.entries(kept).reduce((sum, [one, value]) => sum + (one === key ? 0 : value.length), 0);
    if (others + text.length > room) throw new Error("full");
    kept[key] = text;
  });
  vi.stubGlobal("localStorage", kept);
  return kept;
}

test("what is kept against a server has room, however much that server tells", () => {
  const kept = small(1_000_000);
  remember("last.ABCD2345", "x".repeat(500_000));
  remember("last.WXYZ6789", "x".repeat(480_000));
  remember("seen", "y".repeat(400_000));
  expect(Object.keys(kept)).toEqual(["bobing.seen"]);
  remember("last.ABCD2345", "x".repeat(600_000));
  expect(Object.keys(kept)).toEqual(["bobing.seen"]);
  expect(recall("last.ABCD2345", "")).toHaveLength(600_000); // by the page alone
  remember("seen", "y".repeat(700_000), Infinity);
  expect(kept["bobing.seen"]).toHaveLength(700_002);
});

test("what does not fit any more is remembered by the page, not what lay there before", () => {
  const disk = storage();
  remember("shelf", 1);
  disk.full = true;
  remember("shelf", 2);
  expect(recall("shelf", 0)).toBe(2);
  disk.full = false;
  remember("shelf", 3);
  expect([recall("shelf", 0), disk.kept.get("bobing.shelf")]).toEqual([3, "3"]);
});

test("what another page stored is seen", () => {
  const disk = storage();
  remember("shelf", 1);
  disk.kept.set("bobing.shelf", "2");
  expect(recall("shelf", 0)).toBe(2);
});

test("without storage the page remembers", () => {
  remember("shelf", { one: 1 });
  expect(recall("shelf", null)).toEqual({ one: 1 });
  expect(recall("other", 7)).toBe(7);
});
