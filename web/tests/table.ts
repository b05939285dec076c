/** A table in small as a phone is told of it, which is that of seat 0; seat 1 has one as well. */
import type { FairEvent } from "../src/fair/events";
import { fold, type TableState } from "../src/lib/live";
import type { FairView, Line, View } from "../src/protocol";
import { Dealer, RULES } from "./dealer";
import { line, view, welcome } from "./samples";

export const LINKS = 8;
export const ME = 0;

export class Table {
  code = "ABCD2345";
  readonly dealer: Dealer;
  readonly fair: { after: number; event: FairEvent }[] = [];
  lines: Line[] = [];
  stage: FairView["stage"] = "commit";
  asked: number[] = [0, 1];
  sas = "";
  /** What the server says to be the next draw of each seat. */
  k = [1, 1];
  title: NonNullable<View["title"]> | null = null;
  digest = RULES;
  links: unknown = LINKS;

  constructor(plan = "") {
    this.dealer = new Dealer(plan);
    this.dealer.begin();
  }

  add(event: FairEvent): this {
    this.fair.push({ after: this.lines.length, event });
    if (event.t === "ready") Object.assign(this, { stage: "ready", asked: [], sas: event.sas });
    if (event.t === "attempt") this.stage = "reveal";
    return this;
  }

  throw(seat: number, k: number, more: Partial<Line> = {}): this {
    const { proof, faces } = this.dealer.draw(seat, k);
    const act = { seat, roll: faces };
    this.lines = [...this.lines, line({ n: this.lines.length + 1, act, seat, roll: faces, digital: true, proof, ...more })];
    return this;
  }

  /** Takes act `n` and all behind it back; what was taken back is shown as it was played. */
  undo(n: number): this {
    const took = this.lines.flatMap((one) => (one.n >= n && !one.struck ? [one.n] : []));
    const back = (one: Line): Line => ({ ...one, act: one.first ?? one.act, first: null, struck: true });
    const marked = this.lines.map((one) => (took.includes(one.n) ? back(one) : one));
    this.lines = [...marked, line({ n: this.lines.length + 1, act: { undo: n }, took, roll: null })];
    return this;
  }

  get state(): TableState {
    const { game } = this.dealer;
    const { stage, asked, sas, k, title } = this;
    const fair = { stage, game, links: this.links as number, asked, sas, k, own: [0, 1] };
    const rules = { ...welcome({}).rules, digest: this.digest };
    const message = welcome({ code: this.code, you: { role: "seat", seat: ME }, rules, view: view({ fair, title, receipt: "ab" }), lines: this.lines, fair: [...this.fair] as never });
    return fold(null, message)!;
  }
}
