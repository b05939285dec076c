/** Short messages: the same one is told once, and trouble stays until it is closed. */
import { expect, test, vi } from "vitest";
import { notices, notify } from "../src/lib/notices.svelte";

test("what is said again stands once, and trouble stays while other messages go", () => {
  vi.useFakeTimers();
  notify("no", "trouble");
  const close = notify("no", "trouble");
  notify("done", "good", 3);
  expect(notices.map((notice) => notice.text)).toEqual(["no", "done"]);
  vi.advanceTimersByTime(60_000);
  expect(notices.map((notice) => notice.text)).toEqual(["no"]);
  close();
  expect(notices).toHaveLength(0);
  vi.useRealTimers();
});
