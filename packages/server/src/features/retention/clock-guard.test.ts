import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "#config";
import { temporaryFolder } from "#store/testing/backends.ts";
import { ClockGuard, type ClockState, checkClock } from "./clock-guard.ts";

const startMs = Date.parse("2026-11-20T10:00:00Z");

/** Judges readings in turn, each `[wall, monotonic]` in hours after the start. */
function judge(readings: readonly (readonly [number, number])[], before?: ClockState): boolean[] {
  let state = before;
  return readings.map(([wall, monotonic]) => {
    const reading = { wallMs: startMs + wall * hourMs, monotonicMs: monotonic * hourMs };
    const judged = checkClock(state, reading);
    state = judged.state;
    return judged.isTrusted;
  });
}

const yearHours = 365 * 24;

it.each<[string, readonly (readonly [number, number])[], readonly boolean[]]>([
  [
    "a clock that runs",
    [
      [0, 0],
      [1, 1],
      [200, 200],
    ],
    [true, true, true],
  ],
  [
    "a clock that is corrected by some hours",
    [
      [0, 0],
      [13, 1],
      [3, 2],
    ],
    [true, true, true],
  ],
  [
    "a clock that jumps back",
    [
      [0, 0],
      [-yearHours, 1],
      [-yearHours + 1, 2],
    ],
    [true, true, true],
  ],
  [
    "a jump of 4 years that is corrected",
    [
      [0, 0],
      [4 * yearHours, 1],
      [2, 2],
    ],
    [true, false, true],
  ],
  [
    "a jump that lasts for a day",
    [
      [0, 0],
      [yearHours, 1],
      [yearHours + 23, 24],
      [yearHours + 24, 25],
      [yearHours + 25, 26],
    ],
    [true, false, false, true, true],
  ],
])("judges %s", (_, readings, expected) => {
  expect(judge(readings)).toEqual(expected);
});

it.each([
  ["5 days off", 5 * 24, [true]],
  ["20 days off", 20 * 24, [false]],
])("judges the first reading of a process after %s", (_, wall, expected) => {
  expect(judge([[wall, 0]], { trusted: { wallMs: startMs } })).toEqual(expected);
});

const folder = temporaryFolder();
afterAll(() => folder.remove());

function guardAt(now: () => Date, logged: string[] = []): ClockGuard {
  const config = readConfig({ DATA_DIR: folder.path, DEMO: "off" });
  return new ClockGuard({ config, log: pino({}, { write: (line: string) => void logged.push(line) }), now });
}

it("stores the trusted time in the data folder, and logs what to do when the clock is ahead", async () => {
  const logged: string[] = [];
  expect(await guardAt(() => new Date(startMs)).isTrusted()).toBe(true);
  const ahead = guardAt(() => new Date(startMs + 4 * 365 * dayMs), logged);
  expect([await ahead.isTrusted(0), await ahead.isTrusted(dayMs - 1)]).toEqual([false, false]);
  expect(JSON.parse(logged[0]!)).toMatchObject({ trusted: "2026-11-20T10:00:00.000Z", level: 50 });
  expect(logged[0]).toContain("Correct the clock if it is wrong");
  expect(await guardAt(() => new Date(startMs + hourMs)).isTrusted()).toBe(true);
});

it("adds up the time that a clock is ahead over processes that each run for a short while", async () => {
  const path = join(folder.path, "clock.json");
  writeFileSync(path, JSON.stringify({ trustedUntil: new Date(startMs).toISOString() }));
  const trusted: boolean[] = [];
  for (let night = 20; night < 24; night++) {
    const guard = guardAt(() => new Date(startMs + night * dayMs));
    trusted.push(await guard.isTrusted(0), await guard.isTrusted(10 * hourMs));
  }
  expect(trusted).toEqual([false, false, false, false, false, true, true, true]);
});

it("does not block removal if its file cannot be written", async () => {
  const blocked = join(folder.path, "clock.json.new");
  rmSync(join(folder.path, "clock.json"), { force: true });
  mkdirSync(blocked);
  const logged: string[] = [];
  expect(await guardAt(() => new Date(startMs), logged).isTrusted()).toBe(true);
  expect(logged[0]).toContain("could not be kept");
  rmSync(blocked, { recursive: true });
});

it("removes nothing where the file is damaged, and says which one", async () => {
  writeFileSync(join(folder.path, "clock.json"), "{");
  const judged = guardAt(() => new Date(startMs)).isTrusted();
  await expect(judged).rejects.toThrow(/clock\.json is damaged.*Check the clock/);
});
