import { expect, test } from "vitest";
import { absentWith } from "../src/setup/absent";

test("nobody throws real dice for who is absent", () => {
  expect(absentWith("real", "throw")).toBe("skip");
  expect([absentWith("digital", "throw"), absentWith("real", "skip"), absentWith("real", "nothing")]).toEqual(["throw", "skip", "nothing"]);
});
