import { expect, test } from "vitest";
import { runCrash } from "./crash.ts";
import { typicalCpuProfiles } from "./profiles.ts";

test("two rounds of kill -9 under load lose and double nothing that was acknowledged", async () => {
  const profiles = typicalCpuProfiles(2).map(({ body }) => body);
  const result = await runCrash({ rounds: 2, profiles, connections: 4, killAfter: () => 25 });
  expect(result).toMatchObject({
    rounds: 2,
    lost: [],
    listedTwice: 0,
    rollUpDifference: 0,
    payloadsUnreadable: 0,
  });
  expect(result.acknowledged).toBeGreaterThanOrEqual(50);
  expect(result.payloadsRead).toBeGreaterThan(0);
}, 180_000);
