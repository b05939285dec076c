/**
 * One live connection to a table that mends itself: hello, messages in, commands out in order, ping, and after a loss
 * another try, each a little later than the one before. All that belongs to a browser is handed in.
 */
import type { ClientMessage, LinkWanted, Refused, ServerMessage } from "../protocol";
import { fold, lastAct, plan, type Plan, type TableState } from "./live";
import { looksBack, Queue, type Draft, type Waiting } from "./queue";

/** What is used of a WebSocket. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** connecting: not yet; open; lost: trying again; replaced, revoked, gone: for good. */
export type Link = "connecting" | "open" | "lost" | "replaced" | "revoked" | "gone";

export interface World {
  connect(): Socket;
  later(ms: number, what: () => void): () => void;
  now(): number;
  random(): number;
}

export interface Listener {
  /** The state has changed, or how it is connected. */
  changed(state: TableState | null, shown: Plan): void;
  /** A command was refused; `held` says that others wait behind it and are held back until `go` or `drop`. */
  refused(refused: Refused, command: Waiting | undefined, held: boolean): void;
  /** Somebody throws for the seat of this device, and its link is wanted. */
  wanted?(message: LinkWanted): void;
}

/** What is said once and needs no answer: it is asked for again where it is lost. */
export type Remark = Extract<ClientMessage, { t: "commit" | "reveal" | "link" | "lost_links" }>;

export const PING_MS = 20_000;
export const SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
const FINAL: Readonly<Record<string, Link>> = { replaced: "replaced", revoked: "revoked" };
const REFUSED_FOR_GOOD: Readonly<Record<string, Link>> = { "table/unknown_token": "revoked", "table/closed": "gone" };

export class Connection {
  state: TableState | null = null;
  link: Link = "connecting";
  /** Commands behind a refused one stay here until somebody has looked. */
  held = false;
  /** Server time minus ours. */
  skew = 0;
  #socket: Socket | null = null;
  #tries = 0;
  #heard = 0;
  #flying: string | null = null;
  #timers: (() => void)[] = [];

  constructor(
    private readonly code: string,
    private readonly token: string,
    private readonly seen: number,
    readonly queue: Queue,
    private readonly world: World,
    private readonly listener: Listener,
  ) {}

  start(): void {
    if (this.#socket || this.#isOver()) return;
    this.#stopTimers();
    const socket = this.world.connect();
    this.#socket = socket;
    socket.onopen = () => this.#hello(socket);
    socket.onmessage = (event) => socket === this.#socket && this.#hear(String(event.data));
    socket.onclose = () => socket === this.#socket && this.#lose();
    this.#timers.push(this.world.later(SILENCE_MS, () => socket === this.#socket && this.link !== "open" && this.#lose()));
  }

  stop(): void {
    this.#stopTimers();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** The network is back or the page is looked at again: no need to wait any longer. */
  wake(): void {
    if (this.#socket && this.link === "open") this.#ping();
    else if (!this.#socket) this.start();
  }

  /** The network is gone, says the system. */
  sleep(): void {
    if (this.#socket) this.#lose();
  }

  /** This device is the one to play on, after it was replaced by another. */
  takeOver(): void {
    this.link = "connecting";
    this.start();
    this.#tell();
  }

  /**
   * Sends a command as soon as that can be; what answers a refusal goes before what was held back behind it.
   * seen: the version on the screen; what takes back or corrects is for that one and is refused if others acted since.
   */
  send(draft: Draft, first = false, seen = this.state?.n ?? 0): string {
    const cmd = this.queue.add(draft, first, looksBack(draft) ? seen : null);
    this.#flush();
    this.#tell();
    return cmd;
  }

  /** Says something that is no command; where there is no connection, it is not said. */
  remark(remark: Remark): void {
    if (this.link === "open") this.#socket?.send(JSON.stringify(remark));
  }

  /** Goes on with what was held back. */
  go(): void {
    this.held = false;
    this.#flush();
    this.#tell();
  }

  /** Takes the last command that waits out again, where it has never been sent. */
  withdraw(): void {
    if (this.queue.waiting.at(-1)?.cmd !== this.#flying && this.queue.withdraw()) this.#tell();
  }

  /** Throws away all that waits. */
  drop(): void {
    this.queue.clear();
    this.held = false;
    this.#flying = null;
    this.#tell();
  }

  #hello(socket: Socket): void {
    if (socket !== this.#socket) return;
    const seen = lastAct(this.state) || this.seen;
    socket.send(JSON.stringify({ t: "hello", code: this.code, token: this.token, seen }));
  }

  #hear(text: string): void {
    this.#heard = this.world.now();
    const message = JSON.parse(text) as ServerMessage;
    const before = this.state;
    const shown = plan(before, message);
    this.state = fold(before, message);
    if (message.t === "welcome") this.#welcome(message.now);
    else if (message.t === "pong") this.skew = message.now - this.world.now();
    else if (message.t === "ack") this.#settle(message.cmd);
    else if (message.t === "refused") return this.#refuse(message);
    else if (message.t === "link_wanted") return this.listener.wanted?.(message);
    else if (message.t === "bye") this.#bye(message.why);
    if (this.state !== before || message.t === "ack" || message.t === "bye") this.listener.changed(this.state, shown);
  }

  #welcome(now: number): void {
    this.link = "open";
    this.#tries = 0;
    this.#flying = null;
    this.skew = now - this.world.now();
    this.#stopTimers();
    this.#watch();
    this.#flush();
  }

  #settle(cmd: string): void {
    this.queue.settle(cmd);
    this.#flying = null;
    this.#flush();
  }

  #refuse(refused: Refused): void {
    if (!refused.cmd) {
      const end = REFUSED_FOR_GOOD[refused.code];
      if (end) this.#end(end);
      return this.listener.refused(refused, undefined, false);
    }
    const command = this.queue.settle(refused.cmd);
    if (this.#flying === refused.cmd) this.#flying = null;
    if (refused.code === "table/stale" && command && this.#stillDue(command)) {
      this.queue.add(command.draft, true);
      return this.#flush();
    }
    this.held = this.queue.size > 0;
    this.#tell();
    this.listener.refused(refused, command, this.held);
  }

  /** Somebody was faster, yet what was typed in is still wanted: it is that seat's turn, also after what happened. */
  #stillDue({ draft, at }: Waiting): boolean {
    if (draft.t !== "do" || !this.state || at === this.state.n) return false;
    return "seat" in draft.act && draft.act.seat === this.state.view.next;
  }

  #bye(why: string): void {
    const end = FINAL[why];
    if (end) this.#end(end);
  }

  #end(link: Link): void {
    this.stop();
    this.link = link;
    this.#tell();
  }

  #isOver(): boolean {
    return this.link === "replaced" || this.link === "revoked" || this.link === "gone";
  }

  /** The first command goes out when none is under way. */
  #flush(): void {
    if (this.link !== "open" || this.held || this.#flying || !this.state || !this.#socket) return;
    const command = this.queue.next(this.state.n);
    if (!command) return;
    this.#flying = command.cmd;
    this.#socket.send(JSON.stringify(command));
  }

  #ping(): void {
    this.#socket?.send('{"t":"ping"}');
  }

  #watch(): void {
    this.#timers.push(
      this.world.later(PING_MS, () => {
        if (this.world.now() - this.#heard > SILENCE_MS) return this.#lose();
        this.#ping();
        this.#watch();
      }),
    );
  }

  #lose(): void {
    this.stop();
    if (this.#isOver()) return;
    this.link = "lost";
    this.#flying = null;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#tries++) * (0.5 + this.world.random() / 2);
    this.#timers.push(this.world.later(wait, () => this.start()));
    this.#tell();
  }

  #tell(): void {
    this.listener.changed(this.state, { show: "still" });
  }

  #stopTimers(): void {
    for (const stop of this.#timers.splice(0)) stop();
  }
}
