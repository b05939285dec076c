/**
 * Compiles the texts of ../src/bobing/i18n and the words of the glossary into src/generated:
 * one JSON file per area and language, loaded when a page needs it, and `keys.ts` with the keys and their slots.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKAGE = join(WEB, "..", "src", "bobing");
const OUT = join(WEB, "src", "generated");
export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"];
/** Files of i18n/ that pages need. A file that is not there yet is left out. */
const AREAS = JSON.parse(readFileSync(join(WEB, "package.json"), "utf8")).bobing.texts;
export const SOURCES = [join(PACKAGE, "i18n"), join(PACKAGE, "core", "glossary.toml")];

const SLOT = /\{(\w+)(?:\|[^|{}]*\|[^|{}]*)?\}/g;

/** The names of the values that a text needs, and whether each is a number that a word agrees with. */
export function slotsOf(text) {
  const slots = {};
  for (const [whole, name] of text.matchAll(SLOT)) slots[name] = slots[name] || whole.includes("|");
  return slots;
}

function readArea(area) {
  const table = parse(readFileSync(join(PACKAGE, "i18n", `${area}.toml`), "utf8"));
  for (const [key, said] of Object.entries(table)) {
    for (const lang of LANGUAGES) if (typeof said[lang] !== "string") throw new Error(`${area}.${key} has no ${lang}`);
    for (const lang of Object.keys(said)) if (!LANGUAGES.includes(lang)) throw new Error(`${area}.${key} has a ${lang}`);
  }
  return table;
}

/** The words of the game: each entry's name in every language, and beside it the Hokkien. */
function readNames() {
  const { entry } = parse(readFileSync(join(PACKAGE, "core", "glossary.toml"), "utf8"));
  const first = (form) => (Array.isArray(form) ? form[0] : form);
  const names = {};
  const hokkien = {};
  for (const [key, table] of Object.entries(entry)) {
    names[key] = Object.fromEntries(LANGUAGES.map((lang) => [lang, first(table[lang] ?? table["zh-Hans"])]));
    if (table.poj) hokkien[key] = { said: first(table.poj), ...(table["poj-of"] ? { of: table["poj-of"] } : {}) };
  }
  return { names, hokkien };
}

/** Writes only what changed, so that a running Vite does not reload for nothing. */
function write(name, text) {
  const path = join(OUT, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  return name;
}

function slotType(table) {
  const slots = Object.assign({}, ...LANGUAGES.map((lang) => slotsOf(table[lang])));
  const fields = Object.keys(slots).map((name) => `${name}: string | number`);
  return fields.length ? `{ ${fields.join("; ")} }` : "null";
}

export function compileTexts() {
  mkdirSync(OUT, { recursive: true });
  const { names, hokkien } = readNames();
  const areas = AREAS.filter((area) => existsSync(join(PACKAGE, "i18n", `${area}.toml`)));
  const tables = { names, ...Object.fromEntries(areas.map((area) => [area, readArea(area)])) };
  const written = [write("hokkien.json", JSON.stringify(hokkien))];
  const lines = ["// Made by scripts/texts.mjs from src/bobing/i18n and the glossary.", ""];
  for (const [area, table] of Object.entries(tables)) {
    for (const lang of LANGUAGES) {
      const said = Object.fromEntries(Object.entries(table).map(([key, texts]) => [key, texts[lang]]));
      written.push(write(`${area}.${lang}.json`, JSON.stringify(said)));
    }
  }
  lines.push("/** The texts and the values that each needs. */", "export interface Slots {");
  for (const [area, table] of Object.entries(tables))
    for (const [key, texts] of Object.entries(table)) lines.push(`  "${area}.${key}": ${slotType(texts)};`);
  lines.push("}", "", `export type Area = ${Object.keys(tables).map((area) => `"${area}"`).join(" | ")};`);
  lines.push(`export type Word = ${Object.keys(names).map((key) => `"${key}"`).join(" | ")};`, "");
  written.push(write("keys.ts", lines.join("\n")));
  for (const name of readdirSync(OUT)) if (!written.includes(name)) rmSync(join(OUT, name));
}

/** Compiles at the start of a build and again whenever a text changes while Vite serves. */
export function textsPlugin() {
  return {
    name: "bobing-texts",
    buildStart: compileTexts,
    configureServer(server) {
      server.watcher.add(SOURCES);
      server.watcher.on("change", (path) => path.endsWith(".toml") && compileTexts());
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileTexts();
