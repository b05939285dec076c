/** The table that a page shows: the connection and what of it is on the screen. Dice rest before they tell. */
import type { Invited, Line, LinkWanted, Refused, View } from "../protocol";
import { post } from "./api";
import { whileAwake, worldOf } from "./browser";
import { Connection, type Link } from "./connection";
import { FairSide } from "./fair.svelte";
import { lastAct, type Plan, type TableState } from "./live";
import { notify } from "./notices.svelte";
import { calm } from "./prefs.svelte";
import { newId, Queue, takesTurn, type Draft, type Waiting } from "./queue";
import { hadKeys } from "./links";
import { strand, whyStranded, type Why } from "./stranded.svelte";
import { nameOf, seatAfter } from "./seats";
import { recall, remember } from "./store";
import { keepTable } from "./tables";
import { t } from "./texts.svelte";

export interface Trouble {
  readonly refused: Refused;
  readonly command: Waiting | undefined;
  readonly held: boolean;
}

/** Whether a command is an act that somebody typed in. */
const typedIn = ({ draft }: Waiting) => draft.t === "do";

export class LiveTable {
  /** What is on the screen; a step behind the truth while dice roll. */
  shown = $state.raw<TableState | null>(null);
  link = $state<Link>("connecting");
  waiting = $state.raw<readonly Waiting[]>([]);
  held = $state(false);
  trouble = $state.raw<Trouble | null>(null);
  /** The throw whose dice roll now. */
  rolling = $state.raw<Line | null>(null);
  /** The act that is told large; what happened last while this page was open. */
  latest = $state.raw<Line | null>(null);
  /** Without a connection: whose throw is typed in next, where that was said. */
  typedFor = $state<number | null>(null);
  /** Counts what was told since the page was opened: something new to cheer for. */
  told = $state(0);
  skew = 0;
  readonly fair: FairSide = new FairSide(
    (remark) => this.#connection.remark(remark),
    () => this.#connection.wake(),
  );
  readonly #connection: Connection;
  #timer = 0;
  #newest: TableState | null = null;
  #unlisten: () => void;
  readonly #last: string;

  constructor(
    readonly code: string,
    readonly token: string,
    /** Whether this browser goes on knowing the table by this token; a hall screen does not. */
    private readonly known = true,
  ) {
    // One shelf for each right: a hall screen in the next tab must not send what the host has waiting.
    const shelf = `queue.${code}.${token.slice(0, 8)}`;
    // One for all rights of this device, so that a new one is noticed; the hall screen is not the device's player.
    this.#last = known ? `last.${code}` : `last.hall.${code}`;
    const queue = new Queue({ load: () => recall<Waiting[]>(shelf, []), save: (all) => remember(shelf, all) }, newId);
    const kept = recall<TableState | null>(this.#last, null);
    const changed = (state: TableState | null, plan: Plan) => this.#changed(state, plan);
    const refused = (said: Refused, command: Waiting | undefined, held: boolean) => {
      const why = command && typedIn(command) ? whyStranded(said.code, hadKeys(code, token)) : undefined;
      if (why && command) this.#strand(why, [command, ...queue.waiting]);
      else this.trouble = { refused: said, command, held };
    };
    const wanted = (message: LinkWanted) => this.fair.wanted(message);
    const answered = (asked: number) => this.fair.answered(asked, this.#connection.skew);
    this.#connection = new Connection(code, token, lastAct(kept), queue, worldOf("/ws"), { changed, refused, wanted, answered });
    this.shown = kept;
    this.latest = kept?.lines.at(-1) ?? null;
    this.waiting = queue.waiting;
    this.#connection.start();
    this.#unlisten = whileAwake(this.#connection);
  }

  get view(): View | undefined {
    return this.shown?.view;
  }

  /** Whether what is on the screen is the table as it is now. */
  get live(): boolean {
    return this.link === "open";
  }

  /** Whether nothing can be done from here any more: another page plays this seat, or the right to it is gone. */
  get displaced(): boolean {
    return this.link === "replaced" || this.link === "revoked" || this.link === "gone";
  }

  /** Whose dice the next ones are: with a connection the table says it; without, whoever sits after what was typed in. */
  get due(): number | null {
    const view = this.shown?.view;
    if (!view) return null;
    if (this.live) return view.next ?? null;
    return this.typedFor ?? seatAfter(view, this.waiting.filter(({ draft }) => takesTurn(draft)).length);
  }

  send(draft: Draft): void {
    this.trouble = null;
    if (this.displaced) {
      notify(t(this.link === "gone" ? "table.link_gone" : "table.link_replaced"));
      return;
    }
    const ready = this.fair.linked(draft);
    const seen = this.shown?.n;
    if (ready instanceof Promise) void ready.then((linked) => this.#connection.send(linked, false, seen));
    else this.#connection.send(ready, false, seen);
  }

  act(act: Record<string, unknown>): void {
    this.typedFor = null;
    this.send({ t: "do", act });
  }

  /** Takes act `n` back; without a connection first what was typed in since. */
  undo(n: number): void {
    if (this.waiting.length && !this.live) this.#connection.withdraw();
    else this.act({ undo: n });
  }

  /** The refused act again, with what was missing. */
  answer(act: Record<string, unknown>, sure: boolean): void {
    const seen = this.trouble?.command?.at ?? this.shown?.n;
    this.trouble = null;
    this.#connection.send(sure ? { t: "do", act, sure } : { t: "do", act }, true, seen);
    this.#connection.go();
  }

  goOn(): void {
    this.trouble = null;
    this.#connection.go();
  }

  drop(): void {
    this.trouble = null;
    this.#connection.drop();
  }

  takeOver(): void {
    this.#connection.takeOver();
  }

  retry(): void {
    this.#connection.wake();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
    this.fair.close();
    this.#connection.stop();
  }

  /** A fresh token for another device: the host's, a seat's, or a watcher's. */
  async invite(role: "host" | "seat" | "watch", seat: number | null = null): Promise<string> {
    return (await post<Invited>(`/tables/${this.code}/links`, { role, seat }, this.token)).token;
  }

  #changed(state: TableState | null, plan: Plan): void {
    const { link, queue, held, skew } = this.#connection;
    if (link === "revoked" && queue.waiting.some(typedIn)) return this.#strand("taken", queue.waiting);
    if (link !== "open") this.fair.reconnected();
    Object.assign(this, { link, waiting: queue.waiting, held, skew });
    if (!state || state === this.#newest) return;
    const before = this.#newest;
    this.#newest = state;
    this.fair.follow(state, skew);
    if (plan.show === "roll" && !document.hidden && !calm() && before) return this.#roll(state, plan.line, plan.ms);
    if (this.rolling && plan.show === "still") return; // presence and the like wait for the dice
    this.#rest(state, before !== null && plan.show !== "still");
  }

  /** What waits here counts for nothing, and is kept for whoever looks. */
  #strand(why: Why, waiting: readonly Waiting[]): void {
    if (this.view) strand(this.code, why, waiting.filter(typedIn), this.view);
    this.#connection.drop();
  }

  #roll(state: TableState, line: Line, ms: number): void {
    if (this.rolling) this.#rest({ ...state, lines: state.lines.slice(0, -1) }, true); // a throw on its heels: no wait
    clearTimeout(this.#timer);
    this.rolling = line;
    this.#timer = window.setTimeout(() => this.#rest(this.#newest ?? state, true), ms);
  }

  /** Where the right of this device changed: the host may have gone to another device, or come to this one. */
  #handedOver(before: TableState | null, { you, view }: TableState): void {
    if (before?.you.role === "host" && you.role !== "host") notify(t("table.host_gone"), "plain", 10);
    if (before && before.you.role !== "host" && you.role === "host") {
      notify(t("table.host_here"), "plain", 10);
      // The seat that this device held goes along.
      if (before.you.role === "seat" && before.you.seat != null && view.host == null) this.send({ t: "sit", seat: before.you.seat });
    }
  }

  #rest(state: TableState, news: boolean): void {
    this.#handedOver(this.shown, state);
    clearTimeout(this.#timer);
    this.rolling = null;
    this.shown = state;
    this.latest = state.lines.at(-1) ?? null;
    if (news) this.told++;
    remember(this.#last, { ...state, lines: state.lines.slice(-40), fair: [] });
    if (!this.known) return;
    const { you, title, rules, view } = state;
    const champion = view.title ? nameOf(view, view.title.seat) : "";
    const people = { players: view.order.map((seat) => nameOf(view, seat)), champion };
    const about = { sheet: rules.key, finished: view.phase === "over", seen: Date.now(), ...people, ...(title ? { name: title } : {}) };
    keepTable(this.code, { ...about, tokens: { [you.role]: this.token } });
  }
}
