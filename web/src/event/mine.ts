/** The guests that this phone has registered: their tokens, by event. */
import { recall, remember } from "$lib/store";

export interface Own {
  readonly guest: number;
  readonly name: string;
  readonly token: string;
}

export function own(code: string): Own[] {
  const kept = recall<unknown>(`guest.${code}`, []);
  return Array.isArray(kept) ? (kept as Own[]).filter((one) => typeof one?.token === "string") : [];
}

/** Puts a guest first among those of this phone. */
export function keepOwn(code: string, guest: Own): void {
  remember(`guest.${code}`, [guest, ...own(code).filter((one) => one.guest !== guest.guest)].slice(0, 20));
}

export function dropOwn(code: string, token: string): void {
  remember(`guest.${code}`, own(code).filter((one) => one.token !== token));
}
