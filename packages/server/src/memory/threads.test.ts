import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minuteMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Pauses, Threads } from "./threads.ts";

const second = 1000;

/** Whether threads end `afterMs` after tasks that came with these pauses between them. */
function end(pausesMs: readonly number[], afterMs: number): boolean {
  const pauses = new Pauses();
  let now = 0;
  for (const ms of pausesMs) {
    pauses.begin(now);
    now += ms;
    pauses.end(now);
  }
  pauses.begin(now);
  return pauses.isLong(now + afterMs);
}

it.each([
  ["work in one go", [2, 3, 900, 1], 10 * second],
  ["a single task", [], 10 * second],
  ["tasks every 15 seconds", [15, 15, 15].map((each) => each * second), 30 * second],
  ["groups of tasks every minute", [minuteMs, 1, 1, 8 * second, minuteMs, 1, 1], 2 * minuteMs],
  ["tasks every four minutes", [4 * minuteMs, 4 * minuteMs], 5 * minuteMs],
  ["work in one go after a long pause", [2 * minuteMs, 3, 900, 1], 10 * second],
  ["pauses that are long ago", [minuteMs, minuteMs, ...Array(700).fill(second)], 10 * second],
])("after %s, threads end in the next longer pause", (_what, pausesMs, keptMs) => {
  expect(end(pausesMs, keptMs - 1)).toBe(false);
  expect(end(pausesMs, keptMs)).toBe(true);
});

describe("threads", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "flamekeep-threads-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Threads that run this function. */
  function threadsOf(source: string, keptMsMin: number): Threads {
    const filename = join(folder, `${keptMsMin}.mjs`);
    writeFileSync(filename, `export default ${source}`);
    return new Threads({ filename, maxThreads: 2 }, () => undefined, new Pauses(keptMsMin));
  }

  it("end in a pause, and the next task starts one again", async () => {
    const threads = threadsOf("(input) => input ?? Promise.reject(new Error('thrown'))", 20);
    expect(await threads.run(1, {})).toBe(1);
    await expect(threads.run(undefined, {})).rejects.toThrow("thrown");
    await vi.waitUntil(() => threads.count === 0);
    expect(await Promise.all([threads.run(2, {}), threads.run(3, {})])).toEqual([2, 3]);
    await threads.close();
    expect(threads.count).toBe(0);
  });

  it("do not end while they work", async () => {
    const threads = threadsOf("(ms) => new Promise((resolve) => setTimeout(resolve, ms, 'done'))", 1);
    expect(await threads.run(100, {})).toBe("done");
    await threads.destroy();
  });
});
