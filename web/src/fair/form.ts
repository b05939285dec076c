/** The form in which events and proofs are written down: these keys, each of this kind, and nothing else. */
import type { FairEvent, Proof } from "./events";

type Test = (value: unknown) => boolean;

const int = (low: number, high: number): Test => (value) => Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high;
const hex = (bytes?: number): Test => (value) =>
  typeof value === "string" && /^(?:[0-9a-f]{2})*$/.test(value) && (bytes === undefined || value.length === 2 * bytes);
const one = (...choices: string[]): Test => (value) => typeof value === "string" && choices.includes(value);
const maybe = (test: Test): Test => (value) => value === null || test(value);
const list = (test: Test): Test => (value) => Array.isArray(value) && value.every(test);
const object = (form: Readonly<Record<string, Test>>): Test => (value) =>
  typeof value === "object" && value !== null && Object.keys(value).sort().join() === Object.keys(form).sort().join() &&
  Object.entries(form).every(([key, test]) => test((value as Record<string, unknown>)[key])); // prettier-ignore

const seat = int(0, 65_533);
const k = int(1, 65_535);
const link = hex(32);
const at = int(0, 10 ** 15);
const heads = { seat, server: link, player: maybe(link) };

const EVENTS: Readonly<Record<FairEvent["t"], Test>> = {
  attempt: object({
    t: one("attempt"),
    why: one("begin", "void", "again", "spent", "late"),
    game: hex(16),
    links: int(1, 65_534),
    plan: hex(),
    prev: link,
    spill: int(0, 6_553),
    seats: list(object(heads)),
    t0: link,
    at,
  }),
  reveals: object({ t: one("reveals"), links: list(object({ seat, link })), at }),
  ready: object({ t: one("ready"), beacon: hex(), j: link, sas: (value) => typeof value === "string" }),
  void: object({ t: one("void"), missing: list(seat) }),
  late: object({ t: one("late"), ...heads }),
  late_ready: object({ t: one("late_ready"), seat, link: maybe(link), links: list(object({ seat, k, link })), j: link }),
  seat_attempt: object({ t: one("seat_attempt"), ...heads, plan: hex(), prev: link, t0: link, at }),
  seat_reveal: object({ t: one("seat_reveal"), seat, link: maybe(link), at }),
  seat_ready: object({ t: one("seat_ready"), seat, beacon: hex(), j: link }),
  seat_void: object({ t: one("seat_void"), seat }),
  lost: object({ t: one("lost"), seat, why: one("lost", "freed", "absent") }),
  real: object({ t: one("real") }),
};
const PROOF = object({ seat, k, s: link, c: maybe(link) });

export function isEvent(value: unknown): value is FairEvent {
  const { t } = (value ?? {}) as { t?: unknown };
  return typeof t === "string" && Object.hasOwn(EVENTS, t) && EVENTS[t as FairEvent["t"]](value);
}

export function isProof(value: unknown): value is Proof {
  return PROOF(value);
}
