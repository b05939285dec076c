/** Numbers as people write them in addresses, and the spans that are taken. */

export interface Span {
  readonly least: number;
  readonly most: number;
  /** Whether parts of one count, such as 7.5. */
  readonly parts?: boolean;
}

/** How far full-width signs stand behind those of ASCII. */
const WIDER = 0xfee0;

export const PLAYERS: Span = { least: 2, most: 30 };
export const PLAYERS_USUAL = 10;

/** A number of a span, in half-width or full-width digits; null where it is none. */
export function numberIn(text: string, { least, most, parts = false }: Span): number | null {
  const plain = text.trim().replace(/[０-９．]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - WIDER));
  if (!(parts ? /^\d{1,9}(\.\d{1,3})?$/ : /^\d{1,9}$/).test(plain)) return null;
  const found = Number(plain);
  return found >= least && found <= most ? found : null;
}
