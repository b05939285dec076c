import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../src/", import.meta.url);
const templates = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte"));

// The server's Content-Security-Policy (bobing.server.static) would make these fail in the browser, silently.
test.each([
  ["a style attribute", /\sstyle=/, "use style:property={value} or a class"],
  ["raw HTML", /\{@html/, "write a template"],
  ["a handler as text", /\son[a-z]+="/, "use onclick={…}"],
  ["an address outside", /(?:src|href)="https?:/, "nothing is asked of other servers"],
])("no template has %s", (_, pattern, instead) => {
  expect(templates.length).toBeGreaterThan(20);
  const found = templates.filter((name) => pattern.test(readFileSync(new URL(name, source), "utf8")));
  expect(found, instead).toEqual([]);
});

test("the lock names no registry, so that any will do", () => {
  const lock = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
  expect(lock).toContain('"integrity"');
  expect(lock).not.toContain('"resolved"');
});
