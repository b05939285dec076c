/** What a page says where it could not have something: that was refused, the server failed, or it is out of reach. */
import { afterEach, expect, test, vi } from "vitest";
import { ask, Failed, Refusal, Unreachable } from "$lib/api";
import { useTexts } from "$lib/texts.svelte";
import { whyNot, whyNotTitle } from "$lib/trouble";
import web from "../src/generated/web.en.json";

afterEach(() => vi.unstubAllGlobals());

async function asked(answer: () => Promise<Response>): Promise<unknown> {
  vi.stubGlobal("document", { documentElement: {} });
  await useTexts("web");
  vi.stubGlobal("fetch", answer);
  return ask("/sheets").catch((error: unknown) => error);
}

test("a server that failed is not said to be out of reach", async () => {
  for (const status of [500, 502, 504]) {
    const error = await asked(async () => new Response("Internal Server Error", { status, headers: { "content-type": "text/plain" } }));
    expect([error instanceof Failed, whyNot(error), whyNotTitle(error)]).toEqual([true, web.failed_text, web.failed_title]);
    expect(error instanceof Unreachable, "what was kept is shown all the same").toBe(true);
  }
  expect(whyNot(new Refusal("http/error", "", 500))).toBe(web.failed_text);
});

test("where nothing answers, or something else does, the network is looked at", async () => {
  const cut = await asked(() => Promise.reject(new TypeError("Failed to fetch")));
  const other = await asked(async () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } }));
  for (const error of [cut, other]) expect([error instanceof Failed, whyNot(error), whyNotTitle(error)]).toEqual([false, web.unreachable_text, web.unreachable_title]);
});

test("what is refused is told as the server words it", async () => {
  const words = { "zh-Hans": "不行", "zh-Hant": "不行", en: "no" };
  const error = await asked(async () => Response.json({ code: "table/full", words, detail: "" }, { status: 409 }));
  expect([whyNot(error), whyNotTitle(error)]).toEqual(["no", web.broken_title]);
});
