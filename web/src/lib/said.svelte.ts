/** Names of tiers and combinations at a table, in the present language. */
import type { RulesView, View } from "../protocol";
import { isWord, lang, t, word } from "./texts.svelte";

export function tierName(rules: RulesView, key: string): string {
  return rules.tiers.find((tier) => tier.key === key)?.names[lang()] ?? word(key);
}

export function combinationName(rules: RulesView, key: string): string {
  const name = isWord(key) ? word(key) : tierName(rules, key);
  return name.charAt(0).toUpperCase() + name.slice(1); // it stands alone, as "Nothing" does
}

const listed = (parts: readonly string[]) => parts.join(lang() === "en" ? ", " : "、");

/** What a seat holds of each tier, from high to low, and which prizes these are where they have names. */
export function holding(rules: RulesView, view: View, seat: number): { key: string; name: string; count: number; prizes: string }[] {
  const { held = {}, items = {} } = view.seats[seat] ?? {};
  return rules.tiers.flatMap(({ key, names }) => {
    const count = held[key];
    const named = Object.entries(items[key] ?? {});
    const prizes = listed(named.map(([prize, n]) => (n === count ? prize : `${prize} ${n}`)));
    return count ? { key, name: names[lang()] ?? key, count, prizes: prizes && t("table.held_prizes", { prizes }) } : [];
  });
}

/** What a cake of each tier counts. */
export function pointsEach(rules: RulesView): string {
  const each = rules.tiers.flatMap((tier) => (tier.points ? `${tier.names[lang()]} ${tier.points}` : []));
  return listed(each);
}
