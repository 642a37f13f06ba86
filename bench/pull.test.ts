import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, test } from "vitest";
import { runPull } from "./pull.ts";

/** `npm test` has the turns of few targets in features/pull. */
test.runIf(isFullLength)(
  "each of many targets has its turns, spread over the interval, and none fails",
  async () => {
    const { turns, answers, failing, cpuSeconds } = await runPull({
      targets: 40,
      intervalSeconds: 10,
      seconds: 21,
    });
    expect(turns).toHaveLength(40);
    expect(Math.min(...turns)).toBeGreaterThanOrEqual(1);
    expect(answers).toBe(3 * turns.reduce((sum, count) => sum + count, 0));
    expect(failing).toBe(0);
    expect(cpuSeconds).toBeGreaterThan(0);
  },
  300_000,
);
