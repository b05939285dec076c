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
  hello: true, do: true, confirm: true, throw: true, start_dice: true, add_seat: true, rename_seat: true, remove_seat: true, move_seat: true,
  set_rules: true, set_settings: true, begin: true, free_seat: true, sit: true, rematch: true, draw_again: true, beacon: true,
  commit: true, reveal: true, link: true, lost_links: true, ping: true,
}; // prettier-ignore
const TOLD: Record<ServerMessage["t"], true> = {
  welcome: true, news: true, anew: true, ack: true, refused: true, presence: true, late: true, at_event: true, link_wanted: true, pong: true, bye: true,
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

describe("of what is refused", () => {
  const parsed = refused.map((one) => {
    try {
      return { ...one, value: JSON.parse(one.text) as unknown };
    } catch {
      return { ...one, value: undefined };
    }
  });
  const unfit = parsed.filter((one) => one.value === undefined || !fits(one.as, one.value));

  it("JavaScript and the schema refuse a part, and always for the form", () => {
    expect(unfit.length).toBeGreaterThan(50);
    const codes = new Set(unfit.map((one) => one.code.split("/")[0]));
    expect([...codes].filter((area) => !["table", "act"].includes(area ?? ""))).toEqual([]);
  });

  it("the rest is in good form, and the server has other reasons: names, acts, rules, strict reading", () => {
    const codes = new Set(parsed.filter((one) => !unfit.some(({ about, text }) => about === one.about && text === one.text)).map((one) => one.code));
    for (const code of ["table/name_bad", "table/name_reserved", "rules/unknown_sheet"]) expect(codes).toContain(code);
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
