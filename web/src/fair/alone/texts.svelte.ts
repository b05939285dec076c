/** Stands in for `$lib/texts.svelte` in the page that is one file: the few texts of it, in all languages at once. */
import type { Area, Slots } from "../../generated/keys";
import { fill } from "../../lib/fill";

export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"] as const;
export type Lang = (typeof LANGUAGES)[number];
export type TextKey = keyof Slots;

const files = import.meta.glob<Readonly<Record<string, string>>>(["../../generated/proof.*.json", "../../generated/fairness.*.json"], {
  import: "default",
  eager: true,
});
let shown = $state<Lang>(first());

export const lang = (): Lang => shown;

export function setLanguage(language: Lang): void {
  shown = language;
  document.documentElement.lang = language;
}

export function t<K extends TextKey>(key: K, ...values: Slots[K] extends null ? [] : [Slots[K]]): string {
  const [area, name] = key.split(".") as [Area, string];
  return fill(files[`../../generated/${area}.${shown}.json`]?.[name] ?? key, values[0] ?? {});
}

function first(): Lang {
  const [wish = "en"] = navigator.languages;
  if (!/^zh/i.test(wish)) return "en";
  return /hant|-tw|-hk|-mo/i.test(wish) ? "zh-Hant" : "zh-Hans";
}
