import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { meanOf, type Series, toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import type { Observed } from "#alerts/detect/watched/observed.ts";
import { withAccepted } from "./accepted.ts";
import { noUsualDay, type Reference } from "./reference.ts";

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
  return observedOf(values);
}

const reference: Reference = {
  atMs: stepMs + 20 * minuteMs,
  previous: 100,
  requests: undefined,
  usual: noUsualDay,
  beganMs: stepMs,
  increase: 0.5,
};
const accepted = { atMs: acceptedMs, beganMs: undefined, reference };
const opening = (observed: Observed, fromMs: number, toMs = startMs + days * dayMs) =>
  nextChange(observed, { fromMs, toMs }, undefined);

describe("a level that was accepted", () => {
  const step = observe(series((ms) => (ms < stepMs ? 100 : 150)));

  it("opens no other alert, which it would otherwise", () => {
    expect(opening(step, acceptedMs)?.kind).toBe("opened");
    expect(opening(withAccepted(step, [accepted]), acceptedMs)).toBeUndefined();
  });

  it("is what the next rise is compared with", () => {
    const nextMs = stepMs + dayMs;
    const twice = observe(series((ms) => (ms < stepMs ? 100 : ms < nextMs ? 150 : 225)));
    const change = opening(withAccepted(twice, [accepted]), acceptedMs);
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
    expect(opening(withAccepted(worse, [accepted]), acceptedMs)).toBeUndefined();
  });

  it("raises what was before, and leaves out the way up", () => {
    const growth = (ms: number) => 100 + 100 * Math.min(1, Math.max(0, (ms - stepMs) / (8 * hourMs)));
    const late = { ...accepted, atMs: stepMs + 12 * hourMs };
    const { values } = withAccepted(observe(series(growth)), [late]);
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
    const { values } = withAccepted(sparse, [atOnce]);
    expect(meanOf(values, { fromMs: startMs, toMs: stepMs }).mean).toBeCloseTo(150, 0);
  });
});

describe("an accepted canary", () => {
  const beganMs = startMs + dayMs;
  const canaryAcceptedMs = beganMs + 2 * hourMs;
  const newPodMs = beganMs + 12 * hourMs;
  const worseMs = beganMs + 20 * hourMs;

  /** Ten pods; pod 3 runs version 2 from the beginning on, pod 4 is replaced by a new pod with it. */
  function fleet(hasVersions: boolean, level: (name: string, ms: number) => number): Observed {
    const pods = Array.from({ length: 10 }, (_, index) => `pod-${index}`);
    const alive = (name: string, ms: number) =>
      name === "pod-4" ? ms < newPodMs : name !== "pod-new" || ms >= newPodMs;
    const instances = [...pods, "pod-new"].flatMap((name, index) => {
      const all = Array.from({ length: (2 * dayMs) / (5 * minuteMs) }, (_, at): [number, number] => {
        const ms = startMs + at * 5 * minuteMs;
        return [ms, level(name, ms) * (1 + 0.1 * Math.sin(at * 2.399 + index * 7))];
      }).filter(([ms]) => alive(name, ms));
      const isNew = ([ms]: [number, number]) => name === "pod-new" || (name === "pod-3" && ms >= beganMs);
      const of = (version: string, points: [number, number][]) => ({
        name,
        version,
        values: toSeries(points),
      });
      if (!hasVersions) return [of("", all)];
      return [
        of(
          "1",
          all.filter((each) => !isNew(each)),
        ),
        of("2", all.filter(isNew)),
      ];
    });
    const values = series(() => 100);
    return { ...observe(values), instances };
  }
  const isCanary = (name: string, ms: number) => (name === "pod-3" && ms >= beganMs) || name === "pod-new";
  const canary = (name: string, ms: number) => (isCanary(name, ms) ? 150 : 100);
  const until = startMs + 2 * dayMs;
  const acceptedOf = (observed: Observed) => {
    const change = opening(observed, beganMs, until);
    const { scope, increase } = change?.kind === "opened" ? change.evaluation : expect.unreachable();
    const at = { ...reference, atMs: change!.atMs, beganMs, increase, scope };
    return { atMs: canaryAcceptedMs, beganMs: undefined, reference: at };
  };

  it.each([true, false])("opens no other alert, whether versions are sent: %s", (hasVersions) => {
    const without = (name: string, ms: number) =>
      name === "pod-new" && !hasVersions ? 100 : canary(name, ms);
    const observed = fleet(hasVersions, without);
    const expected = withAccepted(observed, [acceptedOf(observed)]);
    expect(opening(expected, canaryAcceptedMs, until)).toBeUndefined();
  });

  it("opens one for a new instance of its version if it was not accepted", () => {
    const observed = fleet(true, canary);
    expect(opening(observed, newPodMs, newPodMs + 3 * hourMs)?.kind).toBe("opened");
  });

  it("opens one once it is worse than what was accepted, with the values as they are", () => {
    const worse = fleet(true, (name, ms) => canary(name, ms) * (name === "pod-3" && ms >= worseMs ? 1.5 : 1));
    const change = opening(withAccepted(worse, [acceptedOf(worse)]), canaryAcceptedMs, until);
    expect(change!.atMs).toBeGreaterThan(worseMs);
    expect(change!.atMs).toBeLessThanOrEqual(worseMs + hourMs);
    const { current, increase } = change!.kind === "opened" ? change!.evaluation : expect.unreachable();
    expect(current).toBeGreaterThan(1.2 * 150);
    expect(increase).toBeGreaterThan(0.25);
    expect(increase).toBeLessThan(0.65);
  });
});
