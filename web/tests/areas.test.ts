/** Every page asks for the texts that it and its parts show: one that is missing would leave a gap there. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const SRC = normalize(join(import.meta.dirname, "../src"));
const ALWAYS = ["common", "web", "names"];
const code = readFileSync(join(SRC, "lib/pages.ts"), "utf8");
const PAGES = [...code.matchAll(/import\("\.\.\/pages\/(\w+)\.svelte"\), areas: \[([^\]]*)\]/g)].map(
  ([, name = "", areas = ""]) => [name, [...areas.matchAll(/"(\w+)"/g)].map(([, area]) => area)] as const,
);

function fileOf(from: string, wanted: string): string | undefined {
  const place = wanted.replace(/^\$(lib|parts)\//, `${SRC}/$1/`);
  if (!/^[./]/.test(place)) return undefined;
  const path = place.startsWith("/") ? place : join(dirname(from), place);
  return [path, `${path}.ts`, `${path}.svelte.ts`].find((one) => /\.(ts|svelte)$/.test(one) && existsSync(one));
}

/** The areas whose texts a file and all that it imports show, with a file that does. */
function shownBy(file: string, seen = new Map<string, string>(), visited = new Set<string>()): Map<string, string> {
  if (visited.has(file)) return seen;
  visited.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, area = ""] of text.matchAll(/\bt\(\s*["`](\w+)\./g)) seen.set(area, seen.get(area) ?? file.slice(SRC.length));
  for (const [, wanted = ""] of text.matchAll(/^\s*import (?!type)[^;]*?["']([^"']+)["']/gm)) {
    const next = fileOf(file, wanted);
    if (next) shownBy(next, seen, visited);
  }
  return seen;
}

test("all pages are found", () => expect(PAGES.length).toBe([...code.matchAll(/load: \(\) => import/g)].length));

test.each(PAGES)("%s asks for all its texts", (name, areas) => {
  const shown = shownBy(join(SRC, "pages", `${name}.svelte`));
  expect([...shown].filter(([area]) => !areas.includes(area) && !ALWAYS.includes(area))).toEqual([]);
});
