import { expect, test } from "vitest";
import { Random } from "#random";
import { planRounds } from "./crash/round.ts";
import { runCrash } from "./crash.ts";
import { typicalCpuProfiles } from "./profiles.ts";

test("kills of server, engine and both, at start, under load and while stopping, lose and double nothing", async () => {
  const profiles = typicalCpuProfiles(2).map(({ body }) => body);
  const rounds = planRounds(9, new Random(7), { acknowledgedMax: 25 });
  expect(new Set(rounds.map(({ moment, victim }) => `${moment} ${victim}`)).size).toBe(9);
  const result = await runCrash({ rounds, profiles, connections: 4 });
  expect(result).toMatchObject({
    lost: [],
    listedTwice: 0,
    movedStores: 0,
    rollUpDifference: 0,
    snapshotDifference: 0,
    payloadsUnreadable: 0,
  });
  // While stopping, and late in a start, the process may be gone before it is killed.
  expect(result.kills).toBeGreaterThanOrEqual(3);
  expect(result.acknowledged).toBeGreaterThanOrEqual(6);
  // A series that adds nothing would show no difference.
  expect(result.snapshots).toBeGreaterThanOrEqual(2);
  expect(result.payloadsRead).toBeGreaterThan(0);
  // Nine rounds and three starts more, while other tests run: minutes where the machine is slow.
}, 900_000);
