/** House rules in the fragment of an address. */
import { expect, test } from "vitest";
import { hashOf, houseIn, isCut } from "../src/lib/houses";

test("house rules come out of a link as they went in", () => {
  for (const house of [{}, { cakes: { yixiu: 40 }, prizes: { duitang: [{ name: "电饭煲 ÿ?>", count: 2 }] } }]) {
    const hash = hashOf(house);
    expect(hash).toMatch(/^(#house=[\w-]+)?$/);
    expect(houseIn(hash)).toEqual(house);
    expect(isCut(hash)).toBe(false);
    if (hash) expect([houseIn(hash.slice(0, -9)), isCut(hash.slice(0, -9))]).toEqual([{}, true]);
  }
});

test("what is no house rule table is none", () => {
  for (const hash of ["", "#top", "#house=", "#house=%%%", "#house=W10", "#house=bnVsbA", "#house=_w"]) expect(houseIn(hash)).toEqual({});
});
