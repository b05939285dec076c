/** What stands in a record, and comes over the wire, about provable dice. Seats count from 0 here. */

/** What a draw is recomputed from: the seat's k-th, the server's link, and the device's. */
export interface Proof {
  readonly seat: number;
  readonly k: number;
  readonly s: string;
  readonly c: string | null;
}

export interface SeatHeads {
  readonly seat: number;
  readonly server: string;
  readonly player: string | null;
}

export interface AttemptEvent {
  readonly t: "attempt";
  readonly why: string;
  readonly game: string;
  readonly links: number;
  readonly plan: string;
  readonly prev: string;
  readonly spill: number;
  /** When it was closed, in milliseconds of wall time. */
  readonly at: number;
  readonly seats: readonly SeatHeads[];
  readonly t0: string;
}

export interface SeatLink {
  readonly seat: number;
  readonly link: string;
}

export type FairEvent =
  | AttemptEvent
  | { readonly t: "reveals"; readonly links: readonly SeatLink[]; readonly at: number }
  | { readonly t: "ready"; readonly beacon: string; readonly j: string; readonly sas: string }
  | { readonly t: "void"; readonly missing: readonly number[] }
  | ({ readonly t: "late" } & SeatHeads)
  | { readonly t: "late_ready"; readonly seat: number; readonly link: string | null; readonly links: readonly (SeatLink & { readonly k: number })[]; readonly j: string }
  /** Where public chance was announced: one seat gets its own, while the others play. */
  | ({ readonly t: "seat_attempt"; readonly plan: string; readonly prev: string; readonly t0: string; readonly at: number } & SeatHeads)
  | { readonly t: "seat_reveal"; readonly seat: number; readonly link: string | null; readonly at: number }
  | { readonly t: "seat_ready"; readonly seat: number; readonly beacon: string; readonly j: string }
  | { readonly t: "seat_void"; readonly seat: number }
  | { readonly t: "lost"; readonly seat: number; readonly why: string }
  /** From here on the dice are real ones. */
  | { readonly t: "real" };

export type Verdict = "PROVED-B" | "PROVED-A" | "PROXY" | "PHYSICAL" | "FAILED";

/** Why something is not proved: each has a sentence of its own for people (`proof.why_…`). */
export type Why =
  | "form" | "prev" | "time" | "heads" | "t0" | "reveal" | "beacon" | "signature" | "seed" | "signs" | "late" | "order" | "rules" | "own"
  | "no_proof" | "not_ready" | "no_seat" | "number" | "server_link" | "player_link" | "changed" | "faces" | "grab"
  // What a device alone knows: by its own clock, and by what it saw before.
  | "clock" | "older"; // prettier-ignore

/** What is wrong with one attempt alone: in the next a device takes part again. */
export const PASSING: readonly Why[] = ["clock", "older", "own"];

export class Fault extends Error {
  constructor(readonly why: Why) {
    super(why);
  }
}
