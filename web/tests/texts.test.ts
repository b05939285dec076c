import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { slotsOf } from "../scripts/texts.mjs";
import { fill } from "../src/lib/fill";
import { languageFor } from "../src/lib/texts.svelte";

const texts = new URL("../../src/bobing/i18n/", import.meta.url);

test("values and the words that follow a number", () => {
  expect(fill("{n} {n|cake|cakes} for {name}", { n: 1, name: "Mei" })).toBe("1 cake for Mei");
  expect(fill("{n} {n|cake|cakes}", { n: 0 })).toBe("0 cakes");
  expect(fill("{n} {n|cake|cakes}", { n: "1" })).toBe("1 cake");
  expect(() => fill("{name}", {})).toThrow("no value for {name}");
});

test("the slots of a text are found", () => {
  expect(slotsOf("{a} {n|cake|cakes} {b}")).toEqual({ a: false, n: true, b: false });
});

test.each(["web", "learn"])("%s: a text asks for the same values in both Chinese scripts and English", (area) => {
  const table = parse(readFileSync(new URL(`${area}.toml`, texts), "utf8")) as Record<string, Record<string, string>>;
  for (const [key, said] of Object.entries(table)) {
    const [hans, hant, en] = ["zh-Hans", "zh-Hant", "en"].map((lang) => Object.keys(slotsOf(said[lang] ?? "")).sort());
    expect(hans, key).toEqual(hant);
    expect(en, key).toEqual(hans);
  }
});

test.each([
  [["zh-TW"], "zh-Hant"],
  [["zh-Hant-CN"], "zh-Hant"],
  [["zh"], "zh-Hans"],
  [["nan-TW", "en"], "zh-Hant"],
  [["fr", "zh-CN"], "zh-Hans"],
  [["en-GB", "zh"], "en"],
  [["fil"], "en"],
  [[], "en"],
])("who wishes %j reads %s", (wishes, language) => expect(languageFor(wishes)).toBe(language));

test("a Hokkien reading of another word than the name beside it says which word it reads", async () => {
  const { default: readings } = await import("../src/generated/hokkien.json");
  expect(readings.biandijin).toEqual({ said: "la̍k-pok", of: { "zh-Hans": "六博", "zh-Hant": "六博" } });
  expect(readings.liubohong.of["zh-Hant"]).toBe("六紅");
  expect(readings.sihong).toEqual({ said: "sì-hông" });
});
