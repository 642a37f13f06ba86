import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { emptySeries, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import type { Instance, Observed } from "#alerts/detect/watched/observed.ts";
import { compareInstances, isScopeOver } from "./side-by-side.ts";

const hours = 8;
const changedMs = 6 * hourMs;

/** A profile every five minutes of each of ten instances; all of them follow a wave. */
function fleet(worse: (name: string, ms: number) => number): Observed {
  const instances = Array.from({ length: 10 }, (_, index): Instance => {
    const name = `pod-${index}`;
    const points = Array.from({ length: (hours * 60) / 5 }, (_, at): [number, number] => {
      const ms = at * 5 * minuteMs;
      const wave = 1 + 0.5 * Math.sin(ms / hourMs);
      return [ms, wave * worse(name, ms) * (1 + 0.1 * Math.sin(at * 2.399 + index * 7))];
    });
    return { name, version: name === "pod-3" ? "2" : "1", values: toSeries(points) };
  });
  return observedOf(emptySeries, { instances });
}

describe("instances side by side", () => {
  const canary = fleet((name, ms) => (name === "pod-3" && ms >= changedMs ? 1.5 : 1));

  it("show a canary by its version", () => {
    const found = compareInstances(canary, changedMs + 35 * minuteMs);
    expect(found?.isSupported).toBe(true);
    expect(found!.scope).toMatchObject({ instances: ["pod-3"], version: "2" });
    expect(Math.abs(found!.increase - 0.5)).toBeLessThan(0.1);
    expect(isScopeOver(canary, changedMs + hourMs, { scope: found!.scope!, increase: found!.increase })).toBe(
      false,
    );
  });

  it("tell its size before the window is full of it", () => {
    for (const sinceMs of [20, 25].map((minutes) => minutes * minuteMs)) {
      const found = compareInstances(canary, changedMs + sinceMs);
      expect(Math.abs(found!.increase - 0.5)).toBeLessThan(0.1);
      expect(Math.abs(found!.window.fromMs - changedMs)).toBeLessThanOrEqual(5 * minuteMs);
    }
  });

  it("show nothing before it, nor where all rise together", () => {
    expect(compareInstances(canary, changedMs)).toBeUndefined();
    const all = fleet((_, ms) => (ms >= changedMs ? 1.5 : 1));
    expect(compareInstances(all, changedMs + 35 * minuteMs)).toBeUndefined();
  });

  it("are not over while most of the last hour was before the rise", () => {
    const atMs = changedMs + 15 * minuteMs;
    const scope = { instances: ["pod-3"], version: "2", above: Math.log(1.5) };
    expect(isScopeOver(canary, atMs, { scope, increase: 0.5, beganMs: changedMs })).toBe(false);
    expect(isScopeOver(canary, atMs, { scope, increase: 0.5 })).toBe(true);
  });

  it("are over once they are as the others again, or gone", () => {
    const scope = { instances: ["pod-3"], version: undefined, above: Math.log(1.5) };
    expect(
      isScopeOver(
        fleet(() => 1),
        7 * hourMs,
        { scope, increase: 0.5 },
      ),
    ).toBe(true);
    expect(isScopeOver(canary, 20 * hourMs, { scope, increase: 0.5 })).toBe(true);
  });
});
