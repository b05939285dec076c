/**
 * One live connection that mends itself: hello, messages in, commands out in order, ping, and after a loss another try,
 * each a little later than the one before. What is said on it, and what a message makes of what is known, is told by
 * whoever extends it; all that belongs to a browser is handed in.
 */
import type { Refused } from "../protocol";
import { looksBack, Queue, type Waiting } from "./queue";

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

export interface Listener<S, P, D> {
  /** The state has changed, or how it is connected. */
  changed(state: S | null, shown: P): void;
  /** A command was refused; `held` says that others wait behind it and are held back until `go` or `drop`. */
  refused(refused: Refused, command: Waiting<D> | undefined, held: boolean): void;
  /** A command was carried out. */
  done?(cmd: string): void;
  /** The server answered what was asked at that moment, a greeting or a ping: nothing that it said before is missing. */
  answered?(asked: number): void;
}

/** A message of the server, as far as every connection reads it. */
type Any = { readonly t: string };
type Told = { t: "ack"; cmd: string } | { t: "pong"; now: number } | { t: "bye"; why: string } | Refused | (Any & { now: number });

export const PING_MS = 20_000;
export const SILENCE_MS = 45_000;
/** How long an answer may take, and nothing else come, until this connection counts as lost: its machine may be cut off. */
export const ANSWER_MS = 15_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
const FINAL: Readonly<Record<string, Link>> = { replaced: "replaced", revoked: "revoked" };
const REFUSED_FOR_GOOD: Readonly<Record<string, Link>> = { "table/unknown_token": "revoked", "table/closed": "gone" };

/** S: what is known; M: what the server says; D: what is asked of it; P: what there is to show for a message. */
export abstract class Mending<S extends { readonly n: number }, M extends Any, D extends Any, P> {
  state: S | null = null;
  link: Link = "connecting";
  /** Commands behind a refused one stay here until somebody has looked. */
  held = false;
  /** Server time minus ours. */
  skew = 0;
  #socket: Socket | null = null;
  #tries = 0;
  #heard = 0;
  /** When what is not answered yet was asked, the first first. */
  #asked: number[] = [];
  #flying: string | null = null;
  #timers: (() => void)[] = [];
  /** Waits no longer for a sign of the server. */
  #hearing: (() => void) | null = null;

  constructor(
    readonly queue: Queue<D>,
    private readonly world: World,
    private readonly listener: Listener<S, P, D>,
  ) {}

  /** The first message of a connection. */
  protected abstract greeting(): object;
  /** The state after a message; the same object where the message changes nothing. */
  protected abstract folded(message: M): S | null;
  /** What there is to show for a message, beside the new state. */
  protected abstract planned(message: M): P;
  /** Nothing to show. */
  protected abstract readonly still: P;
  /** Whether this is the message that answers the greeting. */
  protected abstract welcomes(message: M): boolean;

  /** How long it says nothing before it asks whether the server is there. */
  protected get pingMs(): number {
    return PING_MS;
  }

  /** Whether a command that came too late is still wanted, after what others did meanwhile. */
  protected stillDue(_command: Waiting<D>): boolean {
    return false;
  }

  /** What is said to this device alone; whether the message was that. */
  protected personal(_message: M): boolean {
    return false;
  }

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
  send(draft: D, first = false, seen = this.state?.n ?? 0): string {
    const cmd = this.queue.add(draft, first, looksBack(draft) ? seen : null);
    this.#flush();
    this.#tell();
    return cmd;
  }

  /** Says something that is no command; where there is no connection, it is not said. */
  protected say(what: object): void {
    if (this.link === "open") this.#socket?.send(JSON.stringify(what));
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
    this.#asked = [this.world.now()];
    socket.send(JSON.stringify(this.greeting()));
  }

  #hear(text: string): void {
    this.#heard = this.world.now();
    this.#rest();
    const message = JSON.parse(text) as M;
    const told = message as unknown as Told;
    const before = this.state;
    const shown = this.planned(message);
    this.state = this.folded(message);
    if (this.welcomes(message)) this.#welcome((told as { now: number }).now);
    else if (told.t === "pong") this.#tick((told as { now: number }).now);
    else if (told.t === "ack") this.#settle((told as { cmd: string }).cmd);
    else if (told.t === "refused") return this.#refuse(told as Refused);
    else if (this.personal(message)) return;
    else if (told.t === "bye") this.#bye((told as { why: string }).why);
    if (this.state !== before || told.t === "ack" || told.t === "bye") this.listener.changed(this.state, shown);
    if (this.welcomes(message) || told.t === "pong") this.#answered();
  }

  #welcome(now: number): void {
    this.link = "open";
    this.#tries = 0;
    this.#flying = null;
    this.#tick(now);
    this.#stopTimers();
    this.#watch();
    this.#flush();
  }

  /** Takes in the server's clock, where that says a time. */
  #tick(now: number): void {
    if (Number.isFinite(now)) this.skew = now - this.world.now();
  }

  #answered(): void {
    const asked = this.#asked.shift();
    if (asked !== undefined) this.listener.answered?.(asked);
  }

  #settle(cmd: string): void {
    this.queue.settle(cmd);
    this.#flying = null;
    this.#flush();
    this.listener.done?.(cmd);
  }

  #refuse(refused: Refused): void {
    if (!refused.cmd) {
      const end = REFUSED_FOR_GOOD[refused.code];
      if (end) this.#end(end);
      return this.listener.refused(refused, undefined, false);
    }
    const command = this.queue.settle(refused.cmd);
    if (this.#flying === refused.cmd) this.#flying = null;
    if (refused.code === "table/stale" && command && this.state && command.at !== this.state.n && this.stillDue(command)) {
      this.queue.add(command.draft, true);
      return this.#flush();
    }
    this.held = this.queue.size > 0;
    this.#tell();
    this.listener.refused(refused, command, this.held);
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
    this.#expect();
  }

  #ping(): void {
    this.#asked.push(this.world.now());
    this.#socket?.send('{"t":"ping"}');
    this.#expect();
  }

  /** Something has to come now. */
  #expect(): void {
    this.#hearing ??= this.world.later(ANSWER_MS, () => this.#lose());
  }

  #rest(): void {
    this.#hearing?.();
    this.#hearing = null;
  }

  #watch(): void {
    this.#timers.push(
      this.world.later(this.pingMs, () => {
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
    this.listener.changed(this.state, this.still);
  }

  #stopTimers(): void {
    this.#rest();
    for (const stop of this.#timers.splice(0)) stop();
  }
}
