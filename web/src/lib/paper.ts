/** What the server prints of a sheet. */
import { lang } from "./texts.svelte";

export const PAPERS = ["rules", "score", "prizes"] as const;

/** The address of a paper as PDF, in the language of the page; its QR leads to where the page was opened. */
export function paperLink(sheet: string, paper: (typeof PAPERS)[number]): string {
  const wanted = new URLSearchParams({ lang: lang(), address: location.origin });
  return `/api/sheets/${encodeURIComponent(sheet)}/${paper}.pdf?${wanted}`;
}
