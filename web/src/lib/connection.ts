/** The connection of a table: what is said on it, and what its messages make of the table as this page knows it. */
import type { ClientMessage, LinkWanted, ServerMessage } from "../protocol";
import { fold, lastAct, plan, type Plan, type TableState } from "./live";
import { Mending, PING_MS, type Listener as Hearer, type World } from "./mending";
import { Queue, type Draft, type Waiting } from "./queue";

export { ANSWER_MS, PING_MS, SILENCE_MS, type Link, type Socket, type World } from "./mending";

export interface Listener extends Hearer<TableState, Plan, Draft> {
  /** Somebody throws for the seat of this device, and its link is wanted. */
  wanted?(message: LinkWanted): void;
}

/** Where a round of drand is named: whoever asks rarely could not say later whether that was in time. */
export const WATCH_MS = 5_000;

/** What is said once and needs no answer: it is asked for again where it is lost. */
export type Remark = Extract<ClientMessage, { t: "commit" | "reveal" | "link" | "lost_links" }>;

export class Connection extends Mending<TableState, ServerMessage, Draft, Plan> {
  protected readonly still: Plan = { show: "still" };

  constructor(
    private readonly code: string,
    private readonly token: string,
    private readonly seen: number,
    queue: Queue,
    world: World,
    private readonly hearer: Listener,
  ) {
    super(queue, world, hearer);
  }

  /** Says something that is no command; where there is no connection, it is not said. */
  remark(remark: Remark): void {
    this.say(remark);
  }

  protected greeting(): object {
    return { t: "hello", code: this.code, token: this.token, seen: lastAct(this.state) || this.seen };
  }

  /** A table is what was opened here, whatever it calls itself: what is known of its dice hangs on that. */
  protected folded(message: ServerMessage): TableState | null {
    return fold(this.state, message.t === "welcome" ? { ...message, code: this.code } : message);
  }

  protected planned(message: ServerMessage): Plan {
    return plan(this.state, message);
  }

  protected override get pingMs(): number {
    const view = this.state?.view;
    const drand = view?.settings.beacon === "drand" || view?.fair?.plan?.startsWith("01");
    return drand && view?.phase !== "over" ? WATCH_MS : PING_MS;
  }

  protected welcomes(message: ServerMessage): boolean {
    return message.t === "welcome";
  }

  protected override personal(message: ServerMessage): boolean {
    if (message.t !== "link_wanted") return false;
    this.hearer.wanted?.(message);
    return true;
  }

  /** Somebody was faster, yet what was typed in is still wanted: it is that seat's turn, also after what happened. */
  protected override stillDue({ draft }: Waiting): boolean {
    return draft.t === "do" && "seat" in draft.act && draft.act.seat === this.state?.view.next;
  }
}
