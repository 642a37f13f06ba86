import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { beganWith, instancesOn, valuesSideBySide } from "./nearest-release.ts";

const releasedMs = Date.parse("2026-11-20T12:00:00.000Z");
const release = { before: "v1", after: "v2", at: new Date(releasedMs).toISOString() };

/** Minutes from the release on. */
function beginning(at: number, earliest: number, latest: number, gap = 5) {
  const ms = (minutes: number) => releasedMs + minutes * minuteMs;
  return { atMs: ms(at), earliestMs: ms(earliest), latestMs: ms(latest), gapMs: gap * minuteMs };
}

it.each([
  ["with a release just after the first high value", beginning(-12, -17, -12), 0, 0],
  ["with a release within the error of the onset", beginning(-35, -60, 10), 0, 0],
  ["by itself before a later release", beginning(-20, -25, -20), -20, 0],
  ["by itself after a release", beginning(7, 2, 7), 7, 0],
  ["about a time where profiles leave it open, before a release", beginning(-60, -80, -30), -60, 30],
])("a rise began %s", (_, onset, expectedMinutes, errorMinutes) => {
  const { atMs, errorMs } = beganWith(release, onset);
  expect([(atMs - releasedMs) / minuteMs, errorMs / minuteMs]).toEqual([expectedMinutes, errorMinutes]);
});

it("a rise without a release began with its first high value", () => {
  expect(beganWith(null, beginning(0, -5, 0))).toEqual({ atMs: releasedMs, errorMs: 0 });
});

describe("the instances that run a version", () => {
  const instance = (name: string, version: string, minutes: readonly number[]) => ({
    name,
    version,
    values: toSeries(minutes.map((minute) => [minute * minuteMs, 1])),
  });
  const cells = (from: number, to: number, every = 10) =>
    Array.from({ length: (to - from) / every + 1 }, (_, at) => from + at * every);

  it("are those that still send, not the pods that a release has replaced", () => {
    const replaced = ["a", "b", "c"].map((name) => instance(name, "1.7.2", cells(0, 120)));
    const started = ["d", "e", "f"].map((name) => instance(name, "1.8.0", cells(120, 140)));
    expect(instancesOn("1.8.0", [...replaced, ...started], 150 * minuteMs)).toEqual({
      instances: { running: 3, all: 3 },
    });
    expect(instancesOn("1.7.2", [...replaced, ...started], 120 * minuteMs)).toEqual({
      instances: { running: 3, all: 3 },
    });
  });

  it("are one of many with a canary, also if some send once an hour", () => {
    const old = ["a", "b"].map((name) => instance(name, "1.7.2", cells(0, 140)));
    const hourly = instance("c", "1.7.2", cells(0, 120, 60));
    const canary = [instance("d", "1.7.2", cells(0, 120)), instance("d", "1.8.0", cells(120, 140))];
    expect(instancesOn("1.8.0", [...old, hourly, ...canary], 150 * minuteMs)).toEqual({
      instances: { running: 1, all: 4 },
    });
    expect(instancesOn("1.8.0", [], 150 * minuteMs)).toEqual({});
  });
});

describe("the values of two versions", () => {
  const at = (fromMinutes: number, value: number, count = 6) =>
    toSeries(
      Array.from({ length: count }, (_, index) => [
        releasedMs + (fromMinutes + 10 * index) * minuteMs,
        value,
      ]),
    );
  const atMs = releasedMs + hourMs;
  const old = ["a", "b"].map((name) => ({ name, version: "v1", values: at(0, 100) }));

  it("are those since the release, where both run", () => {
    const before = { name: "c", version: "v1", values: at(-60, 900) };
    const started = { name: "c", version: "v2", values: at(0, 140) };
    expect(valuesSideBySide(release, [...old, before, started], atMs)).toEqual({
      values: { before: 100, after: 140 },
    });
  });

  it("are not compared if one has replaced the other, or has hardly begun", () => {
    const replaced = old.map((each) => ({ ...each, values: at(-60, 100) }));
    const started = { name: "c", version: "v2", values: at(0, 140) };
    expect(valuesSideBySide(release, [...replaced, started], atMs)).toEqual({});
    const young = { ...started, values: at(40, 140, 2) };
    expect(valuesSideBySide(release, [...old, young], atMs)).toEqual({});
  });
});
