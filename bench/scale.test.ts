import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { sharedPostgres } from "@flamekeep/server/testing/postgres";
import { expect, test } from "vitest";
import { scaleThereAndBack } from "./cluster/scale.ts";

/** A dozen processes start one after the other, each with a whole server. */
const timeoutMs = 15 * 60_000;

/** Two minutes of CPU. Of its parts, `npm test` has the move (move-data.test.ts) and the kill of one of two servers (cluster.test.ts). */
test.runIf(isFullLength)(
  "one server becomes three and one again by the commands of the pages, under load, with the figures of one",
  async (context) => {
    const postgres = await sharedPostgres();
    if (postgres === undefined) return context.skip("PostgreSQL is not installed");
    const steps: string[] = [];
    const { atThree, backAtOne } = await scaleThereAndBack({
      postgres,
      seed: 7,
      restMs: 500,
      betweenMs: 1500,
      onStep: (what) => steps.push(what),
    });
    expect(steps.at(-1)).toBe("one server again");
    for (const verdict of [atThree, backAtOne]) {
      expect(verdict).toMatchObject({
        lost: 0,
        differences: [],
        rows: { doubledProfiles: 0, doubledOriginals: 0, countedWrongly: 0, unknownStacks: 0 },
      });
      expect(verdict.figures).toBeGreaterThan(100);
    }
    expect(backAtOne.acknowledged).toBeGreaterThan(atThree.acknowledged);
  },
  timeoutMs,
);
