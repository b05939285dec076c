/** House rules in the fragment of an address, which no server sees, and those that this device has used. */
import { recall, remember } from "./store";

/** What is laid on a sheet: a house rule table without `extends`. */
export type Table = Readonly<Record<string, unknown>>;

export interface Kept {
  readonly name: string;
  readonly sheet: string;
  readonly house: Table;
}

/** Longer addresses are cut by some messengers. */
export const LINK_MOST = 4000;
const KEPT_MOST = 6;
const MARK = "#house=";

export const isHouse = (house: Table) => Object.keys(house).length > 0;

/** Whether an address says that it holds house rules which cannot be read: a messenger has cut it, most likely. */
export const isCut = (hash: string) => hash.startsWith(MARK) && readHouse(hash) === null;

/** The house rules of an address; none where there are none, or they cannot be read. */
export const houseIn = (hash: string): Table => readHouse(hash) ?? {};

function readHouse(hash: string): Table | null {
  if (!hash.startsWith(MARK)) return null;
  try {
    const bytes = Uint8Array.from(atob(hash.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const found: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Table) : null;
  } catch {
    return null;
  }
}

/** The fragment that holds house rules; empty without any. */
export function hashOf(house: Table): string {
  if (!isHouse(house)) return "";
  const bytes = new TextEncoder().encode(JSON.stringify(house));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return MARK + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The house rules that tables of this device were made with, the latest first. */
export const keptHouses = () => recall<readonly Kept[]>("houses", []);

export function keepHouse(kept: Kept): void {
  const same = ({ sheet, house }: Kept) => sheet === kept.sheet && JSON.stringify(house) === JSON.stringify(kept.house);
  remember("houses", [kept, ...keptHouses().filter((one) => !same(one))].slice(0, KEPT_MOST));
}
