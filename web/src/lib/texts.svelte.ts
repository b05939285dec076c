/**
 * Every text that people read. `t("web.home_start")` in a template follows the language on the spot.
 * An area is loaded, in the present language only, when a page asks for it (`useTexts`; see `pages.ts`).
 */
import hokkienNames from "../generated/hokkien.json";
import type { Area, Slots, Word } from "../generated/keys";
import { fill } from "./fill";
import { recall, remember } from "./store";

export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"] as const;
export type Lang = (typeof LANGUAGES)[number];
export type TextKey = keyof Slots;
/** A text that comes in all languages at once, as the server sends it. */
export type Said = Readonly<Record<Lang, string>>;
type Table = Readonly<Record<string, string>>;

const files = import.meta.glob<Table>("../generated/*.*.json", { import: "default" });
const wanted = new Set<Area>();
let next: Lang = "en"; // what was asked for last; shown once its texts are there
const cache = new Map<string, Promise<Table>>();
let shown = $state.raw<{ lang: Lang; tables: Readonly<Partial<Record<Area, Table>>> }>({ lang: "en", tables: {} });

/** The present language. */
export function lang(): Lang {
  return shown.lang;
}

/** A text with its values put in. */
export function t<K extends TextKey>(key: K, ...values: Slots[K] extends null ? [] : [Slots[K]]): string {
  const [area, name] = key.split(".") as [Area, string];
  const text = shown.tables[area]?.[name];
  if (text === undefined) return import.meta.env.DEV ? `⟦${key}⟧` : "";
  return fill(text, values[0] ?? {});
}

/** The text of the present language among those that came from the server. */
export function said(texts: Said): string {
  return texts[shown.lang];
}

/** What a word of the game is called, such as `word("sihong")`; an unknown one is called by its key. */
export function word(key: string): string {
  return shown.tables.names?.[key] ?? key;
}

/** The Hokkien name that is shown beside it, where a source prints one. */
export function hokkien(key: string): string | undefined {
  const reading = (hokkienNames as Readonly<Record<string, { said: string; of?: Readonly<Record<string, string>> }>>)[key];
  const of = reading?.of?.[lang()];
  return of ? `${of} ${reading?.said}` : reading?.said;
}

export function isWord(key: string): key is Word {
  return key in (shown.tables.names ?? {});
}

/** Makes sure that the texts of these areas are there, now and after a change of language. */
export async function useTexts(...areas: Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  await show(next);
}

/** Changes the language of the whole page and remembers it; where its texts do not come, all stays as it is. */
export async function setLanguage(language: Lang): Promise<void> {
  next = language;
  try {
    await show(language);
  } catch (error) {
    next = shown.lang;
    throw error;
  }
  remember("lang", language);
}

/** The language chosen before, else the first that the browser asks for and we have. */
export function firstLanguage(): Lang {
  const kept = recall<string>("lang", "");
  return LANGUAGES.find((one) => one === kept) ?? languageFor(navigator.languages);
}

/** As `bobing.i18n.language`: zh-TW and its like are Traditional, other Chinese is Simplified, the rest is English. */
export function languageFor(wishes: readonly string[]): Lang {
  for (const wish of wishes) {
    const tag = wish.toLowerCase();
    if (tag.startsWith("zh")) return /hant|-tw|-hk|-mo/.test(tag) ? "zh-Hant" : "zh-Hans";
    if (/^(nan|hak|yue)\b/.test(tag)) return /hans|-cn/.test(tag) ? "zh-Hans" : "zh-Hant";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

async function show(language: Lang): Promise<void> {
  const areas = [...wanted];
  const tables = await Promise.all(areas.map((area) => load(area, language)));
  // Meanwhile another language or more areas may have been asked for; the last one shows them all.
  if (language !== next) return;
  shown = { lang: language, tables: { ...(shown.lang === language && shown.tables), ...pairs(areas, tables) } };
  document.documentElement.lang = language;
}

function pairs(areas: readonly Area[], tables: readonly Table[]): Partial<Record<Area, Table>> {
  return Object.fromEntries(areas.map((area, i) => [area, tables[i]]));
}

function load(area: Area, language: Lang): Promise<Table> {
  const name = `../generated/${area}.${language}.json`;
  const file = files[name];
  if (!file) throw new Error(`there are no texts ${name}`);
  const found = cache.get(name) ?? file();
  cache.set(name, found);
  found.catch(() => cache.delete(name)); // asked again when the connection is back
  return found;
}
