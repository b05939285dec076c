/** Names of tiers and combinations at a table, in the present language. */
import type { RulesView } from "../protocol";
import { isWord, lang, word } from "./texts.svelte";

export function tierName(rules: RulesView, key: string): string {
  return rules.tiers.find((tier) => tier.key === key)?.names[lang()] ?? word(key);
}

export function combinationName(rules: RulesView, key: string): string {
  const name = isWord(key) ? word(key) : tierName(rules, key);
  return name.charAt(0).toUpperCase() + name.slice(1); // it stands alone, as "Nothing" does
}

/** What a cake of each tier counts. */
export function pointsEach(rules: RulesView): string {
  const each = rules.tiers.flatMap((tier) => (tier.points ? `${tier.names[lang()]} ${tier.points}` : []));
  return each.join(lang() === "en" ? ", " : "、");
}
