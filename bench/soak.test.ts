import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, test } from "vitest";
import { realProfiles } from "./profiles.ts";
import { runSoak } from "./soak.ts";

/** `npm test` has damaged uploads in hostile-bodies.test.ts. */
test.runIf(isFullLength)(
  "damaged and whole uploads are all answered, and memory is watched until the server is idle",
  async () => {
    const profiles = realProfiles().filter(({ raw }) => raw.length <= 64 * 1024);
    const bodies = profiles.map(({ body }) => body);
    const options = { seconds: 3, perSecond: 40, profiles: bodies, sampleMs: 250 };
    const { load, samples, ...memory } = await runSoak(options);
    const statuses = Object.keys(load.refusedByStatus).map(Number);
    expect(load.acknowledged).toBeGreaterThan(0);
    expect(load.broken).toBe(0);
    expect(statuses).toContain(400);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(samples.at(-1)!.seconds).toBeGreaterThan(load.seconds);
    expect(memory.baselineBytes).toBeGreaterThan(0);
    expect(memory.endBytes).toBeGreaterThan(0);
    expect(memory.peakBytes).toBeGreaterThanOrEqual(memory.endBytes);
  },
  300_000,
);
