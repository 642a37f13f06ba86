import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { sharedPostgres } from "@flamekeep/server/testing/postgres";
import { expect, test } from "vitest";
import { runScenarios } from "./cluster/run.ts";
import { alternatingSnapshots, everywhere, killAndStart } from "./cluster/scenarios.ts";
import { type Stage, underLoad } from "./cluster/stage.ts";
import { hasCounters, mixedSeries } from "./cluster/uploads.ts";

const everywhereUploads = isFullLength ? 3 : 2;
/** Between two uploads of a series, while a server is killed and starts. */
const betweenMs = isFullLength ? 60 : 400;

/** `npm run bench:cluster` has them one by one, with up to four servers, and many more. */
async function someOfAll(stage: Stage): Promise<void> {
  await alternatingSnapshots(stage);
  await everywhere(stage, everywhereUploads);
  const after = mixedSeries(stage.period).map(
    (series) => (number: number) => series(number + everywhereUploads),
  );
  // On a busy machine an insert takes so long that snapshots are answered from the log alone: docs/operate/cluster.md has this limit.
  const compared = after.filter((series) => isFullLength || !hasCounters(series(0)));
  await underLoad(stage, () => killAndStart(stage.cluster.members[0]!, stage), compared, betweenMs);
}

test("two servers behind a balancer have the figures of one: snapshots in turn, uploads at both, a kill", async (context) => {
  const postgres = await sharedPostgres();
  if (postgres === undefined) return context.skip("PostgreSQL is not installed");
  const verdicts = await runScenarios({ postgres, members: 2, seed: 7, scenarios: { someOfAll } });
  const verdict = verdicts.get("someOfAll");
  expect(verdict, verdict?.differences.join("\n")).toMatchObject({
    lost: 0,
    differences: [],
    rows: { doubledProfiles: 0, doubledOriginals: 0, countedWrongly: 0, unknownStacks: 0 },
  });
  expect(verdict?.acknowledged).toBeGreaterThan(70);
  expect(verdict?.figures).toBeGreaterThan(100);
});
