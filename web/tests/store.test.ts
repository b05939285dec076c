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
