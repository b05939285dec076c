/** Short messages: the same one is told once, and trouble stays until it is closed. */
import { expect, test, vi } from "vitest";
import { closeNotice, closeTrouble, notices, notify } from "../src/lib/notices.svelte";

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

test("what was refused goes when somebody turns to something else; other messages stay their time", () => {
  notify("refused", "trouble");
  notify("done", "good");
  closeTrouble();
  expect(notices.map((notice) => notice.text)).toEqual(["done"]);
  for (const { id } of [...notices]) closeNotice(id);
});
