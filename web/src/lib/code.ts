/** Codes of tables: 8 of these 31 signs. 0 O 1 I L are not among them, since people mix them up. */
export const SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const LENGTH = 8;

/** The signs of a code in what a person typed: any case and width, with or without spaces and hyphens. */
export function tidyCode(typed: string): string {
  const plain = typed.normalize("NFKC").toUpperCase();
  return [...plain].filter((sign) => SIGNS.includes(sign)).join("").slice(0, LENGTH);
}

/** The code that was typed, or null where it is none. */
export function readCode(typed: string): string | null {
  const plain = typed.normalize("NFKC").toUpperCase().replace(/[\s\-‐–—_.]/g, "");
  return plain.length === LENGTH && [...plain].every((sign) => SIGNS.includes(sign)) ? plain : null;
}

/** A code in two groups, easier to read out: ABCD 2345. */
export function showCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
