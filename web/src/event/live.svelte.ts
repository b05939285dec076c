/** The event that a page shows: its connection, what is known, and what was refused. One for each page. */
import type { EventYou, Pass, Seated } from "../event_protocol";
import type { Refused } from "../protocol";
import { post } from "$lib/api";
import { whileAwake, worldOf } from "$lib/browser";
import type { Link } from "$lib/mending";
import { notify } from "$lib/notices.svelte";
import { newId, Queue, type Waiting } from "$lib/queue";
import { recall, remember } from "$lib/store";
import { said, t, type Said } from "$lib/texts.svelte";
import { EventConnection, type EventDraft } from "./connection";
import { keepEvent } from "./known";
import type { EventState } from "./state";

/** An act as `docs/event-acts.md` has it. */
export type Act = Readonly<Record<string, unknown>> & { readonly do: string };

export class LiveEvent {
  state = $state.raw<EventState | null>(null);
  link = $state<Link>("connecting");
  /** What was sent and is not answered yet: on its way, or kept until there is a connection. */
  waiting = $state.raw<readonly Waiting<EventDraft>[]>([]);
  /** The table of this device has begun. */
  seated = $state.raw<Seated | null>(null);
  /** Notes of the latest acts, such as `["moved_up", "17"]`. */
  notes = $state.raw<readonly string[][]>([]);
  /** Server time minus ours. */
  skew = $state(0);
  readonly #connection: EventConnection;
  readonly #answers = new Map<string, (refused: Refused | null) => void>();
  readonly #unlisten: () => void;
  /** Takes away what the last refusal said; the next try speaks for itself. */
  #forgive = () => {};

  constructor(
    readonly code: string,
    readonly token: string,
  ) {
    // One shelf for each right: a hall screen in the next tab must not send what the desk has waiting.
    const shelf = `event.queue.${code}.${token.slice(0, 8)}`;
    const kept = { load: () => recall<Waiting<EventDraft>[]>(shelf, []), save: (all: readonly Waiting<EventDraft>[]) => remember(shelf, all) };
    const queue = new Queue<EventDraft>(kept, newId);
    this.#connection = new EventConnection(code, token, queue, worldOf("/ws/event"), {
      changed: (state, notes) => this.#changed(state, notes),
      refused: (refused, command) => this.#refused(refused, command),
      done: (cmd) => this.#answered(cmd, null),
      seated: (message) => (this.seated = message),
    });
    this.waiting = queue.waiting;
    this.#connection.start();
    this.#unlisten = whileAwake(this.#connection);
  }

  get you(): EventYou | undefined {
    return this.state?.you;
  }

  get live(): boolean {
    return this.link === "open";
  }

  /**
   * Asks the server for something; null when it is done, else what it said against it. What is refused is told at the
   * foot of the page, unless `quiet`: then whoever asked tells it. Without a connection the answer comes when it is back.
   */
  send(draft: EventDraft, { quiet = false } = {}): Promise<Refused | null> {
    if (this.link === "revoked" || this.link === "gone") return Promise.resolve(null);
    this.#forgive();
    return new Promise((answer) => {
      const cmd = this.#connection.send(draft);
      this.#answers.set(cmd, (refused) => {
        if (refused && !quiet) this.#forgive = notify(said(refused.words as Said), "trouble");
        answer(refused);
      });
    });
  }

  act(act: Act, how: { quiet?: boolean } = {}): Promise<Refused | null> {
    return this.send({ t: "event_act", act }, how);
  }

  /** A fresh token for another device. */
  async pass(role: Pass["role"], table: number | null = null): Promise<string> {
    const wanted: Pass = table === null ? { role } : { role, table };
    return (await post<{ token: string }>(`/events/${this.code}/passes`, wanted, this.token)).token;
  }

  /** A token for a guest's own page. */
  async guestPass(guest: number): Promise<string> {
    const wanted: Pass = { role: "guest", guest };
    return (await post<{ token: string }>(`/events/${this.code}/passes`, wanted, this.token)).token;
  }

  retry(): void {
    this.#connection.wake();
  }

  close(): void {
    this.#unlisten();
    this.#connection.stop();
  }

  #changed(state: EventState | null, notes: readonly string[][]): void {
    const { link, queue, skew } = this.#connection;
    Object.assign(this, { link, waiting: queue.waiting, skew });
    if (!state || state === this.state) return;
    this.state = state;
    if (notes.length) this.notes = notes;
    keepEvent(this.code, { seen: Date.now(), title: state.view.title, tokens: { [state.you.role]: this.token } });
  }

  /** Acts of an event do not build on each other: what waits behind a refused one goes on. */
  #refused(refused: Refused, command: Waiting<EventDraft> | undefined): void {
    if (refused.cmd && this.#answers.has(refused.cmd)) this.#answered(refused.cmd, refused);
    else if (command) notify(t("desk.refused_later", { words: said(refused.words as Said) }), "trouble");
    this.#connection.go();
  }

  #answered(cmd: string, refused: Refused | null): void {
    this.#answers.get(cmd)?.(refused);
    this.#answers.delete(cmd);
  }
}
