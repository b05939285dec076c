/** Tokens come in the part of an address that is never sent to a server, and leave it at once. */
import { forgetTable, keepTable, knownTable } from "./tables";

/** Whether no other device can open an address: it names the device that it is opened on. */
export function onlyHere(address: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname);
}

/** The address that opens a table, with a token or without. */
export function tableLink(code: string, token?: string): string {
  return `${location.origin}/t/${code}${token ? `#k=${token}` : ""}`;
}

export function hallLink(code: string): string {
  return `${location.origin}/hall/${code}`;
}

/** Takes the token out of the address, if there is one, and keeps it for the table. */
export function takeToken(code: string): void {
  const found = /^#k=([0-9A-Za-z_-]{22,64})$/.exec(location.hash);
  if (!found?.[1]) return;
  history.replaceState(null, "", location.pathname);
  keepTable(code, { tokens: { link: found[1] } });
}

/** The token to open a table with: what a link brought last, else the widest right that is known. */
export function bestToken(code: string): string | undefined {
  const { link, host, seat, watch } = knownTable(code)?.tokens ?? {};
  return link ?? host ?? seat ?? watch;
}

/** Whether this device was the host of a table by this token, which may give it less now. */
export function hadKeys(code: string, token: string): boolean {
  return knownTable(code)?.tokens["host"] === token;
}

/** What came to its end with a token: a link that never worked here, the host's right, or a seat. */
export type Ended = "" | "link" | "host" | "seat";

export function endOf(code: string, token: string): Ended {
  const { link, host, ...seats } = knownTable(code)?.tokens ?? {};
  if (host === token) return "host";
  return link === token && !Object.values(seats).includes(token) ? "link" : "seat";
}

/** A token that no longer works is forgotten; what else is known of the table stays. */
export function dropToken(code: string, token: string): void {
  const known = knownTable(code);
  if (!known) return;
  forgetTable(code);
  const tokens = Object.fromEntries(Object.entries(known.tokens).filter(([, kept]) => kept !== token));
  if (Object.keys(tokens).length) keepTable(code, { ...known, tokens });
}
