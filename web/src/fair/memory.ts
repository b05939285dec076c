/**
 * What this device has seen of the draws of a table, kept beyond a reload: a server that goes back to an older state, to
 * draw again what came after it while it knows the links, or that tells another story, is found out.
 */
import { recall, remember } from "$lib/store";
import type { FairEvent, Line } from "../protocol";
import { ascii, hash, hex, tag, unhex, ZERO } from "./bytes";
import { canonical } from "./canonical";

/** How many entries were seen, and what they were, in one hash. */
interface Trail {
  readonly count: number;
  readonly digest: string;
}

interface Kept {
  readonly code: string;
  readonly lines: Trail;
  readonly fair: Trail;
  /** T0 of each attempt that was seen, and of those that the table went back in: nothing more is shown for these. */
  readonly openings: readonly string[];
  readonly refused: readonly string[];
}

/** What a table tells, against what it told before: as it was and more, less of it, or something else. */
export type Told = "same" | "less" | "other";

const SHELF = "seen";
const KEEP = 24; // tables
const NONE: Trail = { count: 0, digest: hex(ZERO) };

export class Memory {
  #kept: Kept;
  #now = { lines: NONE, fair: NONE };
  /** The last entries that were taken in. Whoever connects anew is told all over again, and maybe something else. */
  #last: { lines: Line | undefined; fair: FairEvent | undefined } = { lines: undefined, fair: undefined };

  constructor(private readonly code: string) {
    this.#kept = shelf().find((one) => one.code === code) ?? { code, lines: NONE, fair: NONE, openings: [], refused: [] };
  }

  /** Takes in what the table tells now; nothing that was taken in once may be missing, or differ. */
  follow(lines: readonly Line[], fair: readonly FairEvent[]): Told {
    const { lines: acts, fair: events } = this.#now;
    if (lines[acts.count - 1] !== this.#last.lines || fair[events.count - 1] !== this.#last.fair) this.#now = { lines: NONE, fair: NONE };
    const told = [this.#grown("lines", lines, drawnIn), this.#grown("fair", fair, canonical)];
    this.#last = { lines: lines.at(-1), fair: fair.at(-1) };
    if (told.includes("other")) return "other";
    if (told.includes("less")) return "less";
    this.#keep({ ...this.#kept, ...this.#now, openings: openingsIn(fair) });
    return "same";
  }

  refuses(t0: string): boolean {
    return this.#kept.refused.includes(t0);
  }

  /** From here on what the table tells now counts; nothing is shown any more for any attempt that was seen. */
  accept(fair: readonly FairEvent[]): void {
    const { openings, refused } = this.#kept;
    const now = openingsIn(fair);
    this.#keep({ code: this.code, ...this.#now, openings: now, refused: [...new Set([...refused, ...openings, ...now])] });
  }

  #grown<T>(what: "lines" | "fair", entries: readonly T[], said: (entry: T) => string): Told {
    const before = this.#kept[what];
    let { count, digest } = this.#now[what];
    let told: Told = "same";
    for (const entry of entries.slice(count)) {
      digest = hex(hash(tag("seen"), unhex(digest), ascii(said(entry))));
      if (++count === before.count && digest !== before.digest) told = "other";
    }
    this.#now[what] = { count, digest };
    return count < before.count ? "less" : told;
  }

  #keep(now: Kept): void {
    if (JSON.stringify(now) === JSON.stringify(this.#kept)) return;
    this.#kept = now;
    const ahead = shelf().find((one) => one.code === this.code); // another page of this device may be
    if (ahead && now.refused.length === ahead.refused.length && ahead.lines.count >= now.lines.count && ahead.fair.count >= now.fair.count) return;
    remember(SHELF, [now, ...shelf().filter((one) => one.code !== this.code)].slice(0, KEEP));
  }
}

function openingsIn(fair: readonly FairEvent[]): string[] {
  return fair.flatMap(({ event }) => (typeof event.t0 === "string" ? [event.t0] : []));
}

/** What of a line may never change: drawn dice and what they are proved by. What was typed in may be corrected. */
function drawnIn({ n, roll, proof }: Line): string {
  return proof ? canonical([n, roll ?? null, proof]) : String(n);
}

function shelf(): Kept[] {
  const kept = recall<unknown>(SHELF, []);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is Kept {
  const { code, lines, fair, openings, refused } = (value ?? {}) as Partial<Kept>;
  const whole = [lines, fair].every((one) => Number.isSafeInteger(one?.count) && /^[0-9a-f]{64}$/.test(String(one?.digest)));
  return typeof code === "string" && Array.isArray(openings) && Array.isArray(refused) && whole;
}
