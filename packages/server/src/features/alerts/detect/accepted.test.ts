import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { withAccepted } from "./accepted.ts";
import { nextChange } from "./next-change.ts";
import { NoiseMemory } from "./noise-memory.ts";
import type { Observed } from "./observed.ts";
import { noUsualDay, type Reference } from "./reference.ts";
import { emptySeries, meanOf, type Series, toSeries } from "./series.ts";

/** A midnight. */
const startMs = Date.UTC(2026, 10, 1);
const days = 12;
const stepMs = startMs + 10 * dayMs;
const acceptedMs = stepMs + 3 * hourMs;

/** A profile every five minutes with a fixed wobble of 5%. */
function series(level: (ms: number) => number): Series {
  const count = (days * dayMs) / (5 * minuteMs);
  return toSeries(
    Array.from({ length: count }, (_, index): [number, number] => {
      const ms = startMs + index * 5 * minuteMs;
      return [ms, level(ms) * (1 + 0.05 * Math.sin(index * 2.399))];
    }),
  );
}

function observe(values: Series): Observed {
  return {
    ...{ values, requests: emptySeries, siblings: [], riseMin: 0, releases: [], instances: [] },
    noise: new NoiseMemory(),
  };
}

const reference: Reference = {
  ...{ atMs: stepMs + 20 * minuteMs, previous: 100, requests: undefined, usual: noUsualDay },
  ...{ beganMs: stepMs, increase: 0.5 },
};
const accepted = { atMs: acceptedMs, beganMs: undefined, reference };
const opening = (observed: Observed, fromMs: number, toMs = startMs + days * dayMs) =>
  nextChange(observed, { fromMs, toMs }, undefined);

describe("a level that was accepted", () => {
  const step = observe(series((ms) => (ms < stepMs ? 100 : 150)));

  it("opens no other alert, which it would otherwise", () => {
    expect(opening(step, acceptedMs)?.kind).toBe("opened");
    expect(opening(withAccepted(step, [accepted], acceptedMs), acceptedMs)).toBeUndefined();
  });

  it("is what the next rise is compared with", () => {
    const nextMs = stepMs + dayMs;
    const twice = observe(series((ms) => (ms < stepMs ? 100 : ms < nextMs ? 150 : 225)));
    const change = opening(withAccepted(twice, [accepted], nextMs), acceptedMs);
    expect(change?.kind).toBe("opened");
    expect(change!.atMs - nextMs).toBeGreaterThan(0);
    expect(change!.atMs - nextMs).toBeLessThanOrEqual(hourMs);
    const { previous, increase } = change!.kind === "opened" ? change!.evaluation : expect.unreachable();
    expect(previous / 150).toBeCloseTo(1, 1);
    expect(increase).toBeGreaterThan(0.25);
    expect(increase).toBeLessThan(0.6);
  });

  it("is the level when it was accepted, not the one when the alert opened", () => {
    const worse = observe(series((ms) => (ms < stepMs ? 100 : ms < stepMs + hourMs ? 150 : 200)));
    expect(opening(withAccepted(worse, [accepted], acceptedMs), acceptedMs)).toBeUndefined();
  });

  it("raises what was before, and leaves out the way up", () => {
    const growth = (ms: number) => 100 + 100 * Math.min(1, Math.max(0, (ms - stepMs) / (8 * hourMs)));
    const late = { ...accepted, atMs: stepMs + 12 * hourMs };
    const { values } = withAccepted(observe(series(growth)), [late], late.atMs);
    const before = meanOf(values, { fromMs: startMs, toMs: stepMs });
    const between = meanOf(values, { fromMs: stepMs, toMs: stepMs + 10 * hourMs });
    const after = meanOf(values, { fromMs: stepMs + 10 * hourMs, toMs: startMs + days * dayMs });
    expect(before.count).toBe(10 * 288);
    expect(before.mean / 200).toBeCloseTo(1, 1);
    expect(before.logMean).toBeCloseTo(Math.log(200), 1);
    expect(between.count).toBe(0);
    expect([after.mean / 200, after.count]).toEqual([expect.closeTo(1, 1), 38 * 12]);
    expect(values.atMs).toHaveLength(10 * 288 + 38 * 12);
  });

  it("is the size of the alert if too few profiles show it", () => {
    const sparse = observe(series((ms) => (ms < stepMs ? 100 : 150)));
    const atOnce = { ...accepted, atMs: stepMs + 10 * minuteMs };
    const { values } = withAccepted(sparse, [atOnce], atOnce.atMs);
    expect(meanOf(values, { fromMs: startMs, toMs: stepMs }).mean).toBeCloseTo(150, 0);
  });
});

it("accepted instances are not compared with the others until their own past shows the new level", () => {
  const instances = ["a", "b", "c"].map((name) => ({
    name,
    version: name === "c" ? "2" : "1",
    values: emptySeries,
  }));
  const observed = { ...observe(emptySeries), instances };
  const scope = { instances: ["b"], version: "2", above: 0.4 };
  const canary = { ...accepted, reference: { ...reference, scope } };
  const namesAt = (nowMs: number) =>
    withAccepted(observed, [canary], nowMs).instances.map(({ name }) => name);
  expect(namesAt(acceptedMs + 5 * hourMs)).toEqual(["a"]);
  expect(namesAt(acceptedMs + 6 * hourMs)).toEqual(["a", "b", "c"]);
});
