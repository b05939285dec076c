import fc from "fast-check";
import { expect, test } from "vitest";
import { readCode, showCode, SIGNS, tidyCode } from "../src/lib/code";
import { EVENT_PLACES, pathOf, routeOf, TOPICS, type Route } from "../src/lib/routes";
import { PLAYERS, PLAYERS_USUAL } from "../src/lib/spans";

const code = fc.array(fc.constantFrom(...SIGNS), { minLength: 8, maxLength: 8 }).map((signs) => signs.join(""));
const key = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed());
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>({ page: "home" }, { page: "setup" }, { page: "learn" }, { page: "rules" }, { page: "games" }, { page: "fair" }, { page: "verify" }),
  code.map((one): Route => ({ page: "table", code: one })),
  code.map((one): Route => ({ page: "hall", code: one })),
  fc.constant<Route>({ page: "events" }),
  fc.tuple(code, fc.constantFrom("register", "mine", "screen")).map(([one, page]): Route => ({ page, code: one })),
  fc.tuple(code, fc.constantFrom(...EVENT_PLACES)).map(([one, place]): Route => ({ page: "event", code: one, place })),
  fc.constantFrom(...TOPICS).map((topic): Route => ({ page: "topic", topic })),
  key.map((one): Route => ({ page: "sheet", key: one })),
  fc.tuple(key, fc.integer({ min: PLAYERS.least, max: PLAYERS.most })).map(([one, players]): Route => ({ page: "odds", key: one, players })),
  fc.tuple(key, key).map(([left, right]): Route => ({ page: "compare", left, right })),
);

test("every route is found again at its address", () => {
  fc.assert(
    fc.property(route, (one) => {
      expect(routeOf(pathOf(one))).toEqual(one);
    }),
  );
});

test.each(["/t/ABCD2345", "/t/abcd-2345", "/t/ABCD%202345", "/t/ＡＢＣＤ２３４５", "/t/abcd2345/"])("%s is a table", (path) => {
  expect(routeOf(path)).toEqual({ page: "table", code: "ABCD2345" });
});

test.each(["/t", "/t/ABCD", "/t/ABCD0345", "/t/ABCD2345/x", "/learn/nothing", "/new/x", "/nowhere", "/rules/a/b/c", "/events/x", "/events/ABCD2345/nothing", "/odds/a/1/c", "/%E0%A4"])(
  "%s is nothing",
  (path) => expect(routeOf(path)).toEqual({ page: "lost", path }),
);

test.each(["0", "1", "31", "b", "-3", "1e1", "10.5"])("%s players are the usual number, and are told as not understood", (said) => {
  expect(routeOf(`/odds/S12/${said}`)).toEqual({ page: "odds", key: "S12", players: PLAYERS_USUAL, unread: said });
});

test("players may be written in full-width digits", () => {
  expect(routeOf("/odds/S12/８")).toEqual({ page: "odds", key: "S12", players: 8 });
});

test("a code is read kindly and shown in two groups", () => {
  fc.assert(
    fc.property(code, (one) => {
      expect(readCode(showCode(one).toLowerCase())).toBe(one);
      expect(tidyCode(` ${one}-`)).toBe(one);
    }),
  );
  expect(readCode("ABCD234")).toBeNull();
  expect(readCode("ABCD2O45")).toBeNull();
});
