import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { readConfig } from "#config";
import { hashPassword, verifyPassword } from "./password.ts";
import type { PasswordCost } from "./password-cost.ts";

const cheap: PasswordCost = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

it("a password matches its own hash only, and never an unknown account", async () => {
  const { passwordCost: cost } = readConfig({});
  const hash = await hashPassword("correct horse", cost);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$/);
  expect(await hashPassword("correct horse", cost)).not.toBe(hash);
  const answers = [
    verifyPassword(hash, "correct horse", cost),
    verifyPassword(hash, "correct horse ", cost),
    verifyPassword(undefined, "correct horse", cost),
  ];
  expect(await Promise.all(answers)).toEqual([true, false, false]);
});

it("passwords beyond the number of concurrent checks are checked in turn", async () => {
  const hash = await hashPassword("p1", cheap);
  const asked = Array.from({ length: 12 }, (_, i) => verifyPassword(hash, `p${i}`, cheap));
  expect((await Promise.all(asked)).indexOf(true)).toBe(1);
});

it("passwords beyond those that may wait are refused", async () => {
  const asked = Array.from({ length: 210 }, () => hashPassword("p", { ...cheap, memoryCost: 8 }));
  const refused = (await Promise.allSettled(asked)).map(({ status }) => status === "rejected");
  expect(refused.indexOf(true)).toBe(200 + Math.min(4, availableParallelism()));
  await expect(asked.at(-1)).rejects.toThrow("Too many sign-ins at the moment.");
});
