import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, test } from "vitest";
import { Random } from "#random";
import { planRounds } from "./crash/round.ts";
import { runCrash } from "./crash.ts";
import { typicalCpuProfiles } from "./profiles.ts";

test("kills at start, under load and while stopping, of the server, its engine and both, lose and double nothing", async () => {
  const profiles = typicalCpuProfiles(2).map(({ body }) => body);
  const planned = planRounds(9, new Random(7), { acknowledgedMax: 25 });
  expect(new Set(planned.map(({ moment, victim }) => `${moment} ${victim}`)).size).toBe(9);
  // Each moment and each victim; at full length both kills under load, on which the acknowledgement rests (cluster.test.ts has the other one).
  // `npm run bench:crash` has all pairs, many times.
  const all = ["start both", "load server", "load engine", "stop server"];
  const chosen = isFullLength ? all : ["start both", "load engine", "stop server"];
  const rounds = planned.filter(({ moment, victim }) => chosen.includes(`${moment} ${victim}`));
  expect(rounds).toHaveLength(chosen.length);
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
  expect(result.kills).toBeGreaterThanOrEqual(chosen.length - 2);
  expect(result.acknowledged).toBeGreaterThanOrEqual(4);
  // A series that adds nothing would show no difference.
  expect(result.snapshots).toBeGreaterThanOrEqual(1);
  expect(result.payloadsRead).toBeGreaterThan(0);
  // Four rounds and four starts more, while other tests run: minutes where the machine is slow.
}, 900_000);
