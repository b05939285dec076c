/** The events that this browser has been at, newest first, with the tokens that open them again. */
import { recall, remember } from "$lib/store";

export interface KnownEvent {
  code: string;
  /** Tokens of this browser, by role. */
  tokens: Readonly<Record<string, string>>;
  /** When it was last open here, in milliseconds since 1970. */
  seen: number;
  title?: string;
}

const KEEP = 40;

export function knownEvents(): KnownEvent[] {
  const kept = recall<unknown>("events", []);
  return Array.isArray(kept) ? (kept as KnownEvent[]).filter((one) => typeof one?.code === "string") : [];
}

export function knownEvent(code: string): KnownEvent | undefined {
  return knownEvents().find((event) => event.code === code);
}

/** Adds to what is known of an event and puts it first. */
export function keepEvent(code: string, more: Partial<Omit<KnownEvent, "code">>): void {
  const old = knownEvent(code);
  const event: KnownEvent = { seen: Date.now(), ...old, ...more, code, tokens: { ...old?.tokens, ...more.tokens } };
  remember("events", [event, ...knownEvents().filter((one) => one.code !== code)].slice(0, KEEP));
}

export function forgetEvent(code: string): void {
  remember("events", knownEvents().filter((event) => event.code !== code));
}

/** The address of a page of an event, with a token or without. */
export function eventLink(code: string, token?: string, place = ""): string {
  return `${location.origin}/events/${code}${place && `/${place}`}${token ? `#k=${token}` : ""}`;
}

/** Takes the token out of the address, if there is one: it is the one of this tab, or kept apart for a screen, as `as`. */
export function takeEventToken(code: string, as = ""): void {
  const found = /^#k=([0-9A-Za-z_-]{22,64})$/.exec(location.hash);
  if (!found?.[1]) return;
  history.replaceState(null, "", location.pathname);
  if (as) return keepEvent(code, { tokens: { [as]: found[1] } });
  ofTab.set(code, found[1]);
  try {
    sessionStorage.setItem(`bobing.event.${code}`, found[1]);
  } catch {
    // storage is switched off
  }
}

const ofTab = new Map<string, string>();

function tabToken(code: string): string | undefined {
  try {
    return ofTab.get(code) ?? sessionStorage.getItem(`bobing.event.${code}`) ?? undefined;
  } catch {
    return ofTab.get(code);
  }
}

const WIDEST = ["desk", "prizes", "door", "referee", "table"] as const;

/** The token to open an event with: what a link brought to this tab, else the widest right that is known, or `role`'s. */
export function bestEventToken(code: string, role?: (typeof WIDEST)[number]): string | undefined {
  const tokens = knownEvent(code)?.tokens ?? {};
  return tabToken(code) ?? (role ? tokens[role] : WIDEST.map((one) => tokens[one]).find(Boolean));
}

/** A token that no longer works is forgotten; what else is known of the event stays. */
export function dropEventToken(code: string, token: string): void {
  if (tabToken(code) === token) {
    ofTab.delete(code);
    try {
      sessionStorage.removeItem(`bobing.event.${code}`);
    } catch {
      // storage is switched off
    }
  }
  const known = knownEvent(code);
  if (!known) return;
  forgetEvent(code);
  const tokens = Object.fromEntries(Object.entries(known.tokens).filter(([, kept]) => kept !== token));
  if (Object.keys(tokens).length) keepEvent(code, { ...known, tokens });
}
