/** The connection of an event: what is said on it, and what its messages make of the event as this page knows it. */
import type { EventClientMessage, EventServerMessage, Seated } from "../event_protocol";
import { Mending, type Listener as Hearer, type World } from "$lib/mending";
import type { Queue } from "$lib/queue";
import { fold, type EventState } from "./state";

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A command of an event before it has its id and the version it is meant for. */
export type EventDraft = Without<Extract<EventClientMessage, { cmd: string }>, "cmd" | "at">;

export interface EventListener extends Hearer<EventState, readonly string[][], EventDraft> {
  /** The table of this device has begun. */
  seated?(message: Seated): void;
}

/** What is shown beside the new state are the notes of an act, such as who moved up. */
export class EventConnection extends Mending<EventState, EventServerMessage, EventDraft, readonly string[][]> {
  protected readonly still = [];

  constructor(
    private readonly code: string,
    private readonly token: string,
    queue: Queue<EventDraft>,
    world: World,
    private readonly hearer: EventListener,
  ) {
    super(queue, world, hearer);
  }

  protected greeting(): object {
    return { t: "event_hello", code: this.code, token: this.token, seen: this.state?.n ?? 0 };
  }

  protected folded(message: EventServerMessage): EventState | null {
    return fold(this.state, message);
  }

  protected planned(message: EventServerMessage): readonly string[][] {
    return message.t === "event_news" ? (message.notes ?? []) : [];
  }

  protected welcomes(message: EventServerMessage): boolean {
    return message.t === "event_welcome";
  }

  protected override personal(message: EventServerMessage): boolean {
    if (message.t !== "seated") return false;
    this.hearer.seated?.(message);
    return true;
  }
}
