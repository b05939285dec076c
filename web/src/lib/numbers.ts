/** Numbers as people of the present language read them. */
import { lang } from "./texts.svelte";

export function count(n: number): string {
  return new Intl.NumberFormat(lang()).format(n);
}

/** A share of all throws, to three figures: 37.3%, 0.00214%. */
export function percent(share: number): string {
  return new Intl.NumberFormat(lang(), { style: "percent", maximumSignificantDigits: 3 }).format(share);
}
