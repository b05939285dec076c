/** vectors/messages read in TypeScript: schema, types and what the page makes of a message agree with the server. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { fold, plan } from "../src/lib/live";
import type { ClientMessage, ServerMessage } from "../src/protocol";
import { welcome } from "./samples";

interface Sample {
  readonly as: string;
  readonly about: string;
  /** Of an accepted one. */
  readonly json: { readonly t?: string };
  /** Of a refused one: as it came in, and with what it is refused. */
  readonly text: string;
  readonly code: string;
}
interface Schema {
  readonly $defs: Readonly<Record<string, { readonly properties?: { readonly t?: { readonly enum: readonly [string] } } }>>;
}

const root = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");
const samples = (name: string) => read(`vectors/messages/${name}.jsonl`).trim().split("\n").map((line) => JSON.parse(line) as Sample);
const accepted = samples("accepted");
const refused = samples("refused");
const schema = JSON.parse(read("docs/protocol.schema.json")) as Schema;
const ajv = new Ajv2020({ strict: false }).addSchema(schema, "protocol");
const kinds = new Map(Object.entries(schema.$defs).map(([name, { properties }]) => [properties?.t?.enum[0], name]));

// The compiler sees to it that these are all: a kind that is missing here, or is none, is no `Record`.
const SENT: Record<ClientMessage["t"], true> = {
  hello: true, do: true, throw: true, start_dice: true, add_seat: true, rename_seat: true, remove_seat: true, move_seat: true,
  set_rules: true, set_settings: true, begin: true, free_seat: true, sit: true, rematch: true, draw_again: true, beacon: true,
  commit: true, reveal: true, link: true, lost_links: true, ping: true,
}; // prettier-ignore
const TOLD: Record<ServerMessage["t"], true> = {
  welcome: true, news: true, anew: true, ack: true, refused: true, presence: true, link_wanted: true, pong: true, bye: true,
}; // prettier-ignore

/** Whether the schema knows a value as what it is said to be. */
function fits(as: string, value: unknown): boolean {
  const tags = as === "ClientMessage" ? SENT : as === "ServerMessage" ? TOLD : null;
  const tag = String((value as { t?: unknown } | null)?.t);
  const name = tags ? tag in tags && kinds.get(tag) : as;
  return Boolean(name && ajv.validate(`protocol#/$defs/${name}`, value));
}

test("every kind of message that the page knows has a sample, and there are no others", () => {
  const tags = (as: string) => new Set(accepted.filter((one) => one.as === as).map((one) => one.json.t));
  expect(tags("ClientMessage")).toEqual(new Set(Object.keys(SENT)));
  expect(tags("ServerMessage")).toEqual(new Set(Object.keys(TOLD)));
});

test.each(accepted.map((one) => [`${one.as}, ${one.about}`, one] as const))("accepted: %s", (_, { as, json }) => {
  expect(fits(as, json), ajv.errorsText()).toBe(true);
});

describe("what is refused for its form", () => {
  const read = refused.map(({ text, ...one }) => {
    try {
      return { ...one, text, value: JSON.parse(text) as unknown };
    } catch {
      return { ...one, text, value: undefined };
    }
  });

  it("is no JSON, or does not fit the schema, or is JSON that only strict reading refuses", () => {
    const deep = (value: unknown): number => (value && typeof value === "object" ? 1 + Math.max(0, ...Object.values(value).map(deep)) : 0);
    const fitting = read.filter((one) => one.value !== undefined && one.code === "table/bad_message" && fits(one.as, one.value));
    const kindly = fitting.filter((one) => deep(one.value) <= 40 && !/\\ud[89a-f]/i.test(one.text));
    // A key twice, 1e0, 1.0, -0, half a sign: JavaScript reads them without a word.
    for (const one of kindly) expect(JSON.stringify(one.value), one.about).not.toBe(one.text.replaceAll('": ', '":').replaceAll(', "', ',"'));
    expect(read.length - kindly.length).toBeGreaterThan(50);
  });

  it("is nothing that fits for any other reason than what it says", () => {
    const fitting = read.filter((one) => one.value !== undefined && fits(one.as, one.value)).map((one) => one.code.split("/")[0]);
    expect(new Set(fitting).has("act")).toBe(true);
    expect(fitting.length).toBeGreaterThan(10);
  });
});

test.each(accepted.filter((one) => one.as === "ServerMessage").map((one) => [one.about, one.json as ServerMessage] as const))(
  "the page takes in: %s",
  (_, message) => {
    const before = fold(null, welcome({ n: 0 }));
    const after = fold(before, message);
    expect(after).not.toBeNull();
    expect(plan(before, message).show).toMatch(/^(roll|verdict|anew|still)$/);
    if (message.t === "welcome") expect(after).toMatchObject({ code: message.code, n: message.n, rules: message.rules, lines: message.lines });
  },
);
