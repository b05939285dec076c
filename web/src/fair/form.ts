/** The form of what a record holds (`docs/record.md`): these keys, each of this kind, and nothing else. */
import { ascii } from "./bytes";
import type { FairEvent, Proof } from "./events";

type Test = (value: unknown) => boolean;
type Form = Readonly<Record<string, Test>>;

const int = (low: number, high: number): Test => (value) => Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high;
const text: Test = (value) => typeof value === "string";
const like = (pattern: RegExp): Test => (value) => typeof value === "string" && pattern.test(value);
const hex = (bytes?: number): Test => (value) => like(/^(?:[0-9a-f]{2})*$/)(value) && (bytes === undefined || (value as string).length === 2 * bytes);
const one = (...choices: string[]): Test => (value) => typeof value === "string" && choices.includes(value);
const maybe = (test: Test): Test => (value) => value === null || test(value);
const any = (...tests: Test[]): Test => (value) => tests.some((test) => test(value));
const list = (test: Test): Test => (value) => Array.isArray(value) && value.every(test);
const rising = (test: Test, key: (one: never) => number): Test => (value) =>
  list(test)(value) && (value as never[]).every((entry, i, all) => i === 0 || key(entry) > key(all[i - 1] as never));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const table = (test: Test): Test => (value) => isObject(value) && Object.values(value).every(test);
/** more: keys that may be there or not. */
const object = (form: Form, more: Form = {}): Test => (value) =>
  isObject(value) && Object.keys(form).every((key) => Object.hasOwn(value, key)) &&
  Object.entries(value).every(([key, entry]) => (Object.hasOwn(form, key) ? form[key] : Object.hasOwn(more, key) ? more[key] : undefined)?.(entry)); // prettier-ignore
const filled = (test: Test): Test => (value) => test(value) && Object.keys(value as object).length > 0;
const anything: Test = () => true;
const yes: Test = (value) => value === true;

export const SEATS_MAX = 500;
const seat = int(0, SEATS_MAX - 1);
const number = int(1, 10 ** 9);
const k = int(1, 65_535);
const link = hex(32);
const at = int(0, 10 ** 15);
const LONGEST = 65_534;
const heads = { seat, server: link, player: maybe(link) };
const bySeat = ({ seat }: { seat: number }) => seat;
const itself = (value: number) => value;

const EVENTS: Readonly<Record<FairEvent["t"], Test>> = {
  attempt: object({
    t: one("attempt"),
    why: one("begin", "void", "again", "spent", "late"),
    game: hex(16),
    links: int(1, LONGEST),
    plan: hex(),
    prev: link,
    spill: int(0, 6_553),
    seats: rising(object(heads), bySeat),
    t0: link,
    at,
  }),
  reveals: object({ t: one("reveals"), links: rising(object({ seat, link }), bySeat), at }),
  ready: object({ t: one("ready"), beacon: hex(), j: link, sas: text }),
  void: object({ t: one("void"), missing: rising(seat, itself) }),
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

const choices = { grab: table(list(seat)), choose: text, waive: filled(list(text)), item: filled(table(text)) };
const roll = like(/^[1-6]{6}$/);
const PLAY = any(
  object({ seat, roll }, choices),
  object({ seat, spill: yes }, { roll }),
  object({ seat, rolloff: like(/^(?:[1-6]{3}){1,2}$/) }),
  object({ start: object({ seat, dice: like(/^[1-6]{2}$/) }) }),
  ...["cocked", "pass", "leave", "back"].map((key) => object({ seat, [key]: yes })),
  ...["join", "time_up", "close"].map((key) => object({ [key]: yes })),
  object({ join: object({ after: seat }) }),
  object({ swap: (value) => list(seat)(value) && (value as unknown[]).length === 2 }),
);
const ACT = {
  act: any(PLAY, object({ undo: number }), object({ correct: number, act: PLAY }, { cut: yes })),
  n: number,
  h: link,
  struck: rising(number, itself),
  ...Object.fromEntries(["combination", "finished", "moves", "next", "notes", "skipped", "title"].map((key) => [key, anything])),
};

/** What a name may not have: control characters, and what turns the direction of writing. */
const TURNING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const name: Test = (value) => typeof value === "string" && !/^\p{Zs}*$/u.test(value) && ascii(value).length <= 96 && !TURNING.test(value);
const isRules: Test = (value) => isObject(value) && isObject(value.ranking) && list(text)(value.ranking.tiers) && table(text)(value.names ?? {});

const isHeader = object({ bobing: text, rules: isRules, rules_hash: link, seats: int(1, SEATS_MAX), start: seat, h: link });

/** The lines of a record of each kind; `record/1` and `record/2` are those of an act. */
export const LINES = {
  header: (value: unknown) => isHeader(value) && (value as { start: number; seats: number }).start < (value as { seats: number }).seats,
  name: object({ name: object({ seat, text: name }) }),
  fair: object({ fair: anything, h: link }),
  "record/1": object(ACT),
  "record/2": object({ ...ACT, proof: anything }),
} as const;

export const isAct = ACT.act;
export const isSeat = seat;
/** The id of a game, and how long chains are. */
export const isGame = hex(16);
export const isLength = int(1, LONGEST);
/** The numbers of the acts that one took back. */
export const isTaken = ACT.struck;

export function isEvent(value: unknown): value is FairEvent {
  const { t } = (value ?? {}) as { t?: unknown };
  return typeof t === "string" && Object.hasOwn(EVENTS, t) && EVENTS[t as FairEvent["t"]](value);
}

export function isProof(value: unknown): value is Proof {
  return PROOF(value);
}
