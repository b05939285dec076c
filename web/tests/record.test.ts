import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { canonical } from "../src/fair/canonical";
import { outcome, RecordFault, report } from "../src/fair/record";

const games = new URL("../../vectors/games/", import.meta.url);
const files = readdirSync(games).filter((name) => name.endsWith(".jsonl"));
const read = (name: string) => new Uint8Array(readFileSync(new URL(name, games)));

test.each(files)("%s has a sound chain and claims nothing of its dice", (name) => {
  const file = read(name);
  const found = report(file);
  const lines = new TextDecoder().decode(file).trimEnd().split("\n");
  const last = lines.findLast((line) => !line.startsWith('{"name"')) ?? "";
  expect(found.receipt).toBe(JSON.parse(last).h);
  expect(new Set(found.throws.map(({ verdict }) => verdict))).toEqual(new Set(["PHYSICAL"]));
  expect(outcome(found)).toBe("none");
});

test("who comes while another device is away is not proved, and the record says whose is missing", () => {
  const found = report(new Uint8Array(readFileSync(new URL("../fairness/came-in-absence.jsonl", games))));
  expect(found.faults).toEqual([]);
  expect(found.throws.at(-1)).toMatchObject({ seat: 3, k: 1, verdict: "PROXY", unheard: [1] });
  expect(outcome(found)).toBe("partly");
});

const [first = ""] = files;
const sound = new TextDecoder().decode(read(first));
const spoilt = (change: (text: string) => string) => () => report(new TextEncoder().encode(change(sound)));

test.each([
  ["cut", (text: string) => text.slice(0, -1), "cut"],
  ["dice changed", (text: string) => text.replace(/"roll":"(\d{5})\d"/, '"roll":"$17"'), "chain"],
  ["a line taken out", (text: string) => text.split("\n").toSpliced(2, 1).join("\n"), "chain"],
  ["a line doubled", (text: string) => text.split("\n").flatMap((line, i) => (i === 2 ? [line, line] : line)).join("\n"), "chain"],
  ["spaces", (text: string) => text.replace('":', '": '), "form"],
  ["a key twice", (text: string) => text.replace("{", '{"bobing":0,'), "form"],
  ["a fraction", (text: string) => text.replace('"start":0', '"start":0.5'), "form"],
  ["another version", (text: string) => text.replace("record/1", "record/9"), "version"],
  ["nothing", () => "", "form"],
  ["no JSON", (text: string) => `${text}x\n`, "form"],
])("%s is refused", (_, change, why) => {
  expect(spoilt(change)).toThrow(RecordFault);
  try {
    spoilt(change)();
  } catch (error) {
    expect((error as RecordFault).why).toBe(why);
  }
});

test("there is one way to write a value", () => {
  expect(canonical({ b: [1, true, null], a: "饼\u0001\"" })).toBe('{"a":"饼\\u0001\\"","b":[1,true,null]}');
  expect(() => canonical("\ud800")).toThrow(TypeError);
  expect(() => canonical(1.5)).toThrow(TypeError);
});
