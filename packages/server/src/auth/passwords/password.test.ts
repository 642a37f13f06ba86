import { expect, it } from "vitest";
import { hashPassword, isPasswordOf } from "./password.ts";

it("a password matches its own hash only, and never an unknown account", async () => {
  const hash = await hashPassword("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(await hashPassword("correct horse")).not.toBe(hash);
  const answers = [
    isPasswordOf(hash, "correct horse"),
    isPasswordOf(hash, "correct horse "),
    isPasswordOf(undefined, "correct horse"),
  ];
  expect(await Promise.all(answers)).toEqual([true, false, false]);
});

it("passwords beyond the number of concurrent checks are checked in turn", async () => {
  const hash = await hashPassword("p1");
  const asked = Array.from({ length: 12 }, (_, i) => isPasswordOf(hash, `p${i}`));
  expect((await Promise.all(asked)).indexOf(true)).toBe(1);
});
