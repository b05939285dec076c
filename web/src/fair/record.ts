/** Reads the record of a game (`docs/record.md`): its form, its chain, and what each throw is proved by. */
import { ascii, hash, hex, tag, u32, ZERO, type Bytes } from "./bytes";
import { canonical } from "./canonical";
import type { AttemptEvent, Verdict, Why } from "./events";
import { isEvent, LINES } from "./form";
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

interface Header extends Value {
  readonly bobing: "record/1" | "record/2";
  readonly rules: Value & { readonly ranking: { readonly tiers: readonly string[] }; readonly names?: Readonly<Record<string, string>> };
  readonly rules_hash: string;
  readonly seats: number;
}

/** Bytes in a line, without its line feed. */
const LINE_MAX = 8 * 2 ** 20 - 1;
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
  const lines = linesOf(file);
  lines.forEach((line, i) => reader.read(line, i + 1));
  return reader.finish(lines.length);
}

function linesOf(file: Bytes): string[] {
  const lines = decoded(file).split("\n");
  if (lines.pop() !== "") throw new RecordFault(lines.length + 1, "cut");
  const long = lines.findIndex((line) => 3 * line.length > LINE_MAX && ascii(line).length > LINE_MAX);
  if (long >= 0) throw new RecordFault(long + 1, "form");
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
  #header: Header | null = null;
  #proofs: Proofs | null = null;
  #last = ZERO;
  #acts = 0;
  /** Seats that there ever were. */
  #seats = 0;
  #names = new Map<number, string>();
  #openings = new Map<string, string>();

  constructor(signed?: Signed) {
    this.#signed = signed;
  }

  read(text: string, line: number): void {
    const value = parsed(text, line);
    if (!this.#header || !this.#proofs) return this.#open(value, line);
    if ("name" in value) return this.#name(value, line);
    if ("fair" in value && this.#header.bobing === "record/2") return this.#event(this.#proofs, value, line);
    this.#act(this.#proofs, this.#header, value, line);
  }

  finish(lines: number): Report {
    if (!this.#header || !this.#proofs) throw new RecordFault(1, "form");
    if (Math.max(...this.#names.keys()) >= this.#seats) throw new RecordFault(lines, "form");
    this.#proofs.end();
    const { judged, faults, restarts, voids, late, lost, signs } = this.#proofs;
    const { rules, seats } = this.#header;
    return {
      rules: rules.names ?? {},
      seats,
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
    this.#chained(value, "header", line);
    const header = value as Header;
    const plays = Object.fromEntries(Object.entries(header.rules).filter(([key]) => !CALLED.has(key)));
    if (hex(hash(ascii(canonical(plays)))) !== header.rules_hash) throw new RecordFault(line, "rules");
    this.#header = header;
    this.#seats = header.seats;
    this.#proofs = new Proofs(header.rules_hash, this.#signed, header.rules.ranking.tiers, header.seats);
  }

  #name(value: Value, line: number): void {
    if (!LINES.name(value)) throw new RecordFault(line, "form");
    const { seat, text } = value.name as { seat: number; text: string };
    this.#names.set(seat, text);
  }

  #event(proofs: Proofs, value: Value, line: number): void {
    this.#chained(value, "fair", line);
    proofs.event(value.fair);
    if (!isEvent(value.fair) || value.fair.t !== "attempt") return;
    const { game, t0 }: AttemptEvent = value.fair;
    this.#openings.set(game, t0);
  }

  #act(proofs: Proofs, { bobing }: Header, value: Value, line: number): void {
    this.#chained(value, bobing, line);
    const n = ++this.#acts;
    if (value.n !== n) throw new RecordFault(line, "form");
    if ("join" in (value.act as Act)) this.#seats++;
    proofs.act(n, value.act as Act, value.proof ?? null, value.struck as number[]);
  }

  /** A line of this form that goes on from the line before. */
  #chained(value: Value, form: keyof typeof LINES, line: number): void {
    const { h, ...rest } = value;
    const body = ascii(canonical(rest));
    this.#last = hash(tag("ev"), this.#last, u32(body.length), body);
    if (hex(this.#last) !== h) throw new RecordFault(line, "chain");
    if (!LINES[form](value)) throw new RecordFault(line, "form");
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

/** How a record stands: the worst verdict says it. */
export type Outcome = "failed" | "partly" | "proved" | "none";

export function outcome({ throws, faults }: Pick<Report, "throws" | "faults">): Outcome {
  const count = (...verdicts: Verdict[]) => throws.filter(({ verdict }) => verdicts.includes(verdict)).length;
  if (faults.length || count("FAILED")) return "failed";
  const proved = count("PROVED-A", "PROVED-B");
  return proved === 0 ? "none" : proved === throws.length ? "proved" : "partly";
}
