/** Reads the record of a game (`docs/record.md`): its form, its chain, and what each throw is proved by. */
import { ascii, hash, hex, tag, u32, ZERO, type Bytes } from "./bytes";
import type { FairEvent, Proof, Verdict, Why } from "./events";
import { Proofs, type Act, type Judged, type Signed } from "./proofs";

export interface Report {
  readonly rules: Readonly<Record<string, string>>;
  readonly seats: number;
  readonly acts: number;
  readonly throws: readonly Judged[];
  readonly faults: readonly Why[];
  readonly restarts: number;
  readonly voids: number;
  readonly late: readonly number[];
  readonly lost: readonly number[];
  /** T0 of each attempt, by its game id. */
  readonly openings: ReadonlyMap<string, string>;
  readonly signs: string | null;
  readonly names: ReadonlyMap<number, string>;
  /** The hash of the last line of the chain. */
  readonly receipt: string;
}

/** The file is no sound record; what follows the line is not read. */
export class RecordFault extends Error {
  constructor(
    readonly line: number,
    readonly why: "form" | "version" | "chain" | "rules" | "cut",
  ) {
    super(`line ${line}: ${why}`);
  }
}

type Value = Record<string, unknown>;

const HEADER = ["bobing", "h", "rules", "rules_hash", "seats", "start"];
const ACT = ["act", "combination", "finished", "h", "moves", "n", "next", "notes", "skipped", "struck", "title"];
/** What a rule set is called and where it is from does not change how it plays. */
const CALLED = new Set(["key", "aliases", "names", "source", "extends", "origins"]);

export async function readRecord(file: Bytes): Promise<Report> {
  return report(file, await drandFor(file));
}

/** The check of drand's signature, fetched where the file has such a round. */
async function drandFor(file: Bytes): Promise<Signed | undefined> {
  const planned = new TextDecoder().decode(file).includes('"plan":"01');
  return planned ? (await import("./drand")).signedByDrand : undefined;
}

export function report(file: Bytes, signed?: Signed): Report {
  const reader = new Reader(signed);
  linesOf(file).forEach((line, i) => reader.read(line, i + 1));
  return reader.finish();
}

function linesOf(file: Bytes): string[] {
  const lines = decoded(file).split("\n");
  if (lines.pop() !== "") throw new RecordFault(lines.length + 1, "cut");
  return lines;
}

function decoded(file: Bytes): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    throw new RecordFault(0, "form");
  }
}

class Reader {
  #signed: Signed | undefined;
  #header: Value | null = null;
  #proofs: Proofs | null = null;
  #last = ZERO;
  #acts = 0;
  #names = new Map<number, string>();
  #openings = new Map<string, string>();

  constructor(signed?: Signed) {
    this.#signed = signed;
  }

  read(text: string, line: number): void {
    const value = parsed(text, line);
    if (!this.#proofs) return this.#open(value, line);
    if ("name" in value) return this.#name(value, line);
    this.#chained(value, line);
    if ("fair" in value) return this.#event(this.#proofs, value, line);
    this.#act(this.#proofs, value, line);
  }

  finish(): Report {
    if (!this.#header || !this.#proofs) throw new RecordFault(1, "form");
    const { judged, faults, restarts, voids, late, lost, signs } = this.#proofs;
    const { rules, seats } = this.#header;
    const names = (rules as Value).names as Record<string, string> | undefined;
    return {
      rules: names ?? {},
      seats: seats as number,
      acts: this.#acts,
      throws: judged,
      faults,
      restarts,
      voids,
      late,
      lost,
      openings: this.#openings,
      signs,
      names: this.#names,
      receipt: hex(this.#last),
    };
  }

  #open(value: Value, line: number): void {
    if (value.bobing !== "record/1" && value.bobing !== "record/2") throw new RecordFault(line, "version");
    keys(value, HEADER, line);
    this.#chained(value, line);
    const rules = value.rules as Value;
    const plays = Object.fromEntries(Object.entries(rules).filter(([key]) => !CALLED.has(key)));
    if (hex(hash(ascii(canonical(plays)))) !== value.rules_hash) throw new RecordFault(line, "rules");
    this.#header = value;
    const { tiers } = (rules.ranking ?? {}) as { tiers?: string[] };
    this.#proofs = new Proofs(String(value.rules_hash), this.#signed, tiers);
  }

  #name(value: Value, line: number): void {
    keys(value, ["name"], line);
    const { seat, text } = value.name as Value;
    if (typeof seat !== "number" || typeof text !== "string") throw new RecordFault(line, "form");
    this.#names.set(seat, text);
  }

  #event(proofs: Proofs, value: Value, line: number): void {
    if (this.#header?.bobing !== "record/2") throw new RecordFault(line, "form");
    keys(value, ["fair", "h"], line);
    const event = value.fair as FairEvent;
    proofs.event(event);
    if (event.t === "attempt") this.#openings.set(event.game, event.t0);
  }

  #act(proofs: Proofs, value: Value, line: number): void {
    const second = this.#header?.bobing === "record/2";
    keys(value, second ? [...ACT, "proof"].sort() : ACT, line);
    const n = ++this.#acts;
    if (value.n !== n) throw new RecordFault(line, "form");
    proofs.act(n, value.act as Act, (value.proof ?? null) as Proof | null, value.struck as number[]);
  }

  #chained(value: Value, line: number): void {
    const { h, ...rest } = value;
    const body = ascii(canonical(rest));
    this.#last = hash(tag("ev"), this.#last, u32(body.length), body);
    if (hex(this.#last) !== h) throw new RecordFault(line, "chain");
  }
}

function parsed(text: string, line: number): Value {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value) && canonical(value) === text) return value as Value;
  } catch {
    // no JSON, or not ours
  }
  throw new RecordFault(line, "form");
}

function keys(value: Value, known: readonly string[], line: number): void {
  if (Object.keys(value).sort().join() !== known.join()) throw new RecordFault(line, "form");
}

/** The one way to write a value: sorted keys, no spaces, whole numbers. Throws where there is none. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, entry]) => `${text(key)}:${canonical(entry)}`).join()}}`;
  }
  if (typeof value === "string") return text(value);
  if (value === null || typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
  throw new TypeError("not in a record");
}

function text(value: string): string {
  if (/\p{Cs}/u.test(value)) throw new TypeError("half a surrogate pair");
  return JSON.stringify(value);
}

/** How a record stands: the worst verdict says it. */
export type Outcome = "failed" | "partly" | "proved" | "none";

export function outcome({ throws, faults }: Pick<Report, "throws" | "faults">): Outcome {
  const count = (...verdicts: Verdict[]) => throws.filter(({ verdict }) => verdicts.includes(verdict)).length;
  if (faults.length || count("FAILED")) return "failed";
  const proved = count("PROVED-A", "PROVED-B");
  return proved === 0 ? "none" : proved === throws.length ? "proved" : "partly";
}
