/**
 * What this device has seen of the draws of a table, kept beyond a reload: a server that goes back to an older state, to
 * draw again what came after it while it knows the links, or that tells another story, is found out.
 */
import { recall, remember } from "$lib/store";
import type { FairEvent, Line } from "../protocol";
import { ascii, hash, hex, tag, unhex, ZERO } from "./bytes";
import { canonical } from "./canonical";
import { PASSING, type Why } from "./events";
import type { Heard, Named } from "./overdue";
import type { Judged } from "./proofs";

/** How many acts and events were seen, in the order in which they came, and what they were, in one hash. */
interface Trail {
  readonly count: number;
  readonly digest: string;
}

/** What could not be right, and the attempt in which that was found, by the phone of which seat. */
export interface Cry {
  readonly why: Why;
  readonly judged: Judged | null;
  readonly game: string;
  readonly seat: number | null;
}

interface Kept {
  readonly code: string;
  readonly trail: Trail;
  /** When the table was heard last without anything that goes beyond the trail. */
  readonly heard: Heard | null;
  /** T0 of each attempt that was seen, and of those that the table went back in: nothing more is shown for these. */
  readonly openings: readonly string[];
  readonly refused: readonly string[];
  /** By T0, how the public chance of those was named that was out when this device heard of it. */
  readonly named: Readonly<Record<string, Named>>;
  readonly cry: Cry | null;
}

/** What a table tells, against what it told before: as it was and more, less of it, or something else. */
export type Told = "same" | "less" | "other";

const SHELF = "seen";
const KEEP = 24; // tables
const NONE: Trail = { count: 0, digest: hex(ZERO) };

export class Memory {
  /** The number of the last act, and how many events, of what was known before what is followed now. */
  known = { act: 0, events: 0 };
  #kept: Kept;
  #now = NONE;
  /** How many of each were taken in, and the last of them: whoever connects anew is told all again, maybe otherwise. */
  #taken: { acts: number; events: number; act: Line | undefined; event: FairEvent | undefined } = { acts: 0, events: 0, act: undefined, event: undefined };

  constructor(private readonly code: string) {
    this.#kept = shelf().find((one) => one.code === code) ?? { code, trail: NONE, heard: null, openings: [], refused: [], named: {}, cry: null };
  }

  /** Takes in what the table tells now; nothing that was taken in once may be missing, or differ, or get something before it. */
  follow(lines: readonly Line[], fair: readonly FairEvent[]): Told {
    const { acts, events, act, event } = this.#taken;
    if (lines[acts - 1] !== act || fair[events - 1] !== event) this.#again();
    const told = this.#grown(lines, fair);
    if (told === "same") this.#keep({ ...this.#kept, trail: this.#now, openings: openingsIn(fair) });
    return told;
  }

  /** When the table was heard last without what is new now; null where it was not. */
  get heard(): Heard | null {
    return this.#kept.heard;
  }

  /** Nothing goes beyond what was followed until now that was said before that moment. A clock that says no time differs by
   * nothing: what is kept here can always be read again. */
  hear({ at, skew }: Heard): void {
    this.#keep({ ...this.#kept, heard: { at, skew: Number.isFinite(skew) ? skew : 0 } });
  }

  note(t0: string, named: Named): void {
    this.#keep({ ...this.#kept, named: { ...this.#kept.named, [t0]: named } });
  }

  named(t0: string): Named | null {
    return this.#kept.named[t0] ?? null;
  }

  refuses(t0: string): boolean {
    return this.#kept.refused.includes(t0);
  }

  /** From here on what the table tells now counts, in the order in which it tells it; nothing is shown any more for any
   * attempt that was seen. */
  accept(lines: readonly Line[], fair: readonly FairEvent[]): void {
    const { openings, refused } = this.#kept;
    this.#again();
    this.#grown(lines, fair);
    this.known = { act: lines.at(-1)?.n ?? 0, events: fair.length };
    const now = openingsIn(fair);
    const all = [...new Set([...refused, ...openings, ...now])];
    this.#keep({ ...this.#kept, trail: this.#now, openings: now, refused: all }, true);
  }

  /** What was cried out here, so that a reload does not silence it. */
  get cry(): Cry | null {
    return this.#kept.cry;
  }

  cried(cry: Cry | null): void {
    this.#keep({ ...this.#kept, cry }, false, cry === null);
  }

  #again(): void {
    this.#now = NONE;
    this.#taken = { acts: 0, events: 0, act: undefined, event: undefined };
  }

  #grown(lines: readonly Line[], fair: readonly FairEvent[]): Told {
    const before = this.#kept.trail;
    let { acts, events } = this.#taken;
    let { count, digest } = this.#now;
    let told: Told = "same";
    this.known = { act: lines[acts - 1]?.n ?? 0, events };
    for (const entry of inOrder(lines.slice(acts), fair.slice(events), lines[acts - 1]?.n ?? 0)) {
      digest = hex(hash(tag("seen"), unhex(digest), ascii(written(entry))));
      if ("event" in entry && entry.after !== (lines[acts - 1]?.n ?? 0)) told = "other"; // said to have come when it did not
      if (++count === before.count && digest !== before.digest) told = "other";
      if ("event" in entry) events++;
      else acts++;
      if (count <= before.count) this.known = { act: lines[acts - 1]?.n ?? 0, events };
    }
    this.#now = { count, digest };
    this.#taken = { acts, events, act: lines.at(-1), event: fair.at(-1) };
    return told === "same" && count < before.count ? "less" : told;
  }

  /** back: the table is followed from an earlier moment on; else another page of this device may be ahead. over: what was
   * cried out has passed; else another page may have cried. */
  #keep(now: Kept, back = false, over = false): void {
    const other = shelf().find((one) => one.code === this.code);
    const cry = over ? null : (now.cry ?? other?.cry ?? null);
    const named = { ...other?.named, ...now.named, ...lateIn(other?.named ?? {}) };
    this.#kept = { ...now, refused: [...new Set([...now.refused, ...(other?.refused ?? [])])], named, cry };
    const ahead = !back && other && other.trail.count > now.trail.count ? { trail: other.trail, openings: other.openings } : {};
    const kept: Kept = { ...this.#kept, ...ahead };
    if (JSON.stringify(kept) === JSON.stringify(other)) return;
    remember(SHELF, [kept, ...shelf().filter((one) => one.code !== this.code)].slice(0, KEEP), Infinity);
  }
}

/** Those that were named too late: who was away meanwhile, as another page may have been, knows no better. */
function lateIn(named: Kept["named"]): Kept["named"] {
  return Object.fromEntries(Object.entries(named).filter(([, how]) => how === "late"));
}

/** What this device was warned of in a game with these attempts, by id their T0; what is about its seat alone is not said. */
export function warnedOf(openings: ReadonlyMap<string, string>): Why | null {
  const all = [...openings.values()];
  for (const { cry, refused, openings: seen } of shelf()) {
    if (refused.some((t0) => all.includes(t0))) return "older";
    if (!cry || cry.why === "own") continue;
    const forEver = !PASSING.includes(cry.why) && seen.some((t0) => all.includes(t0)); // whatever was told of the game then
    if (forEver || openings.has(cry.game)) return cry.why;
  }
  return null;
}

/** Acts and events as they came: an event behind as many acts as it says. */
function* inOrder(lines: readonly Line[], fair: readonly FairEvent[], played: number): Generator<Line | FairEvent> {
  let next = 0;
  const until = function* (act: number) {
    for (let event = fair[next]; event && event.after <= act; event = fair[++next]) yield event;
  };
  yield* until(played);
  for (const line of lines) {
    yield* until(line.n - 1);
    yield line;
  }
  yield* fair.slice(next);
}

function openingsIn(fair: readonly FairEvent[]): string[] {
  return fair.flatMap(({ event }) => (typeof event.t0 === "string" ? [event.t0] : []));
}

/**
 * What of a line may never change: the act as it was played, whatever a correction made of it, what it took back, and what
 * its dice are proved by. Acts without dice as well: who changed places before a grab decides who gets its cakes.
 */
function seenOf({ n, act, first, took, roll, proof }: Line): unknown {
  return [n, first ?? act, took ?? [], proof ? [roll ?? null, proof] : null];
}

/** What an act or event says that may never change, as text. */
export function written(entry: Line | FairEvent): string {
  const what = "event" in entry ? entry : seenOf(entry);
  try {
    return canonical(what);
  } catch {
    return JSON.stringify(what); // what cannot stand in a record is remembered all the same
  }
}

function shelf(): Kept[] {
  const kept = recall<unknown>(SHELF, []);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is Kept {
  const { code, trail, heard, openings, refused, named, cry } = (value ?? {}) as Partial<Kept>;
  const whole = Number.isSafeInteger(trail?.count) && /^[0-9a-f]{64}$/.test(String(trail?.digest));
  const told = cry === null || (typeof cry?.why === "string" && typeof cry.game === "string");
  const times = heard === null || (Number.isFinite(heard?.at) && Number.isFinite(heard?.skew));
  const lists = Array.isArray(openings) && Array.isArray(refused) && typeof named === "object" && named !== null;
  return typeof code === "string" && lists && whole && told && times;
}
