/** Numbers as people of the present language read them. */
import { lang } from "./texts.svelte";

export function count(n: number): string {
  return new Intl.NumberFormat(lang()).format(n);
}

/** A share of all throws, to three figures: 37.3%, 0.00214%. */
export function percent(share: number): string {
  return new Intl.NumberFormat(lang(), { style: "percent", maximumSignificantDigits: 3 }).format(share);
}

/** A chance: never 0% or 100% unless it is. */
export function chance(value: number): string {
  if (value > 0 && value < 0.001) return `< ${percent(0.001)}`;
  if (value < 1 && value > 0.999) return `> ${percent(0.999)}`;
  return percent(value);
}

/** A mean to one place: never 0 unless it is. */
export function mean(value: number): string {
  const one = new Intl.NumberFormat(lang(), { maximumFractionDigits: 1 });
  return value > 0 && value < 0.05 ? `< ${one.format(0.1)}` : one.format(value);
}

/** Before what is simulated. */
export const NEAR = "≈\u00a0";

/** Behind what is simulated, its standard error: of a chance or of a number. */
export function give(error: number, style: "percent" | "decimal" = "decimal"): string {
  return `±\u00a0${new Intl.NumberFormat(lang(), { style, maximumSignificantDigits: error < 1 ? 1 : 2 }).format(error)}`;
}

/** Once in so many: whole numbers as they are, others to three figures and never coarser than one. */
export function once(inSo: number): string {
  return inSo >= 100 ? count(Math.round(inSo)) : new Intl.NumberFormat(lang(), { maximumSignificantDigits: 3 }).format(inSo);
}

/** An amount of money in hundredths, always with two places, so that amounts stand under one another. */
export function amount(hundredths: number): string {
  return new Intl.NumberFormat(lang(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(hundredths / 100);
}

/** An amount with its currency behind it, where the event says one; as `bobing.amounts` writes it. */
export function money(hundredths: number, currency: string): string {
  return `${amount(hundredths)} ${currency}`.trimEnd();
}
