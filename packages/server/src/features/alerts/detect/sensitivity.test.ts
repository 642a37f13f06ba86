import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { nextChange } from "./next-change.ts";
import { type Found, type Sensitivity, sensitivityOf } from "./sensitivity.ts";
import { stepMs } from "./series/scales.ts";
import { toSeries } from "./series/series.ts";
import type { Observed } from "./watched/observed.ts";

/** Numbers in [0, 1) that repeat after billions (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Story {
  readonly days: number;
  readonly everyMs: number;
  /** Standard deviation of the logarithm of a profile. */
  readonly noise: number;
  /** Standard deviation of a level that wanders within the hour. */
  readonly wander?: number;
  readonly riseMin?: number;
  readonly level?: number;
}

const endMs = 40 * dayMs;

/** A service that sends until three days after `endMs`, where its level rises. */
function observed(story: Story, seed: number, rise = 0): Observed {
  const random = randomOf(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const kept = Math.exp(-story.everyMs / (20 * minuteMs));
  let level = 0;
  const points: [number, number][] = [];
  for (let ms = endMs - story.days * dayMs; ms < endMs + 4 * dayMs; ms += story.everyMs) {
    level = kept * level + Math.sqrt(1 - kept ** 2) * (story.wander ?? 0) * normal();
    const grown = ms >= endMs ? 1 + rise : 1;
    points.push([ms, (story.level ?? 1) * grown * Math.exp(level + story.noise * normal())]);
  }
  const { riseMin = 0 } = story;
  return observedOf(toSeries(points, { floor: riseMin }), { riseMin });
}

/** The same without what comes later. */
function until({ values, ...rest }: Observed, ms: number): Observed {
  const points = [...values.atMs].map((at, index): [number, number] => [at, values.value[index]!]);
  return { ...rest, values: toSeries(points.filter(([at]) => at < ms)) };
}

const seeds = Array.from({ length: 12 }, (_, index) => 1000 + index);

const already = new Map<string, Sensitivity>();

function sensitivity(story: Story, seed: number): Sensitivity {
  const key = JSON.stringify([story, seed]);
  const said = already.get(key) ?? sensitivityOf(until(observed(story, seed), endMs), "cpu", endMs);
  already.set(key, said);
  return said;
}

/** How many services find the rise that `chosen` picks from what is said of them, times `factor`, within the time said. */
function foundOf(story: Story, chosen: (said: Sensitivity) => Found | undefined, factor = 1): number {
  return seeds.filter((seed) => {
    const said = chosen(sensitivity(story, seed));
    if (said === undefined) throw new Error("Nothing is said to be found");
    const rise = Math.expm1(Math.log1p(said.rise) * factor);
    const span = { fromMs: endMs, toMs: endMs + Math.ceil(said.withinMs / stepMs) * stepMs };
    return nextChange(observed(story, seed, rise), span, undefined)?.kind === "opened";
  }).length;
}

const calm: Story = { days: 16, everyMs: minuteMs, noise: 0.1 };
const noisy: Story = { days: 16, everyMs: minuteMs, noise: 0.5 };
const sparse: Story = { days: 21, everyMs: 10 * minuteMs, noise: 0.35 };
const wandering: Story = { days: 16, everyMs: minuteMs, noise: 0.1, wander: 0.08 };
const young: Story = { days: 2, everyMs: minuteMs, noise: 0.1 };
const week: Story = { days: 6, everyMs: 2 * minuteMs, noise: 0.2 };
const stories = { calm, noisy, sparse, wandering, young, week };

describe.each(Object.entries(stories))("what is said of a %s service", (_, story) => {
  it("holds: the smallest rise is found in the time said by nine of ten, and half of it by few", () => {
    expect(foundOf(story, ({ smallest }) => smallest)).toBeGreaterThanOrEqual(10);
    expect(foundOf(story, ({ smallest }) => smallest, 0.5)).toBeLessThanOrEqual(3);
  });

  it("holds for a rise of 100%", () => {
    expect(foundOf(story, ({ rises }) => rises[3])).toBeGreaterThanOrEqual(10);
  });
});

describe("a calm service", () => {
  it("finds a rise of 30% within half an hour, a smaller one later, and knows its noise", () => {
    const said = sensitivity(calm, 1);
    expect(said).toMatchObject({ judgedBy: "learnt_noise", reason: undefined });
    expect(said.rises[1]!.withinMs).toBeLessThanOrEqual(30 * minuteMs);
    expect(said.rises[3]!.withinMs).toBeLessThanOrEqual(said.rises[1]!.withinMs);
    expect(said.withinHour!.withinMs).toBeLessThanOrEqual(hourMs);
    expect(said.smallest!.rise).toBeGreaterThanOrEqual(0.15);
    expect(said.smallest!.rise).toBeLessThan(0.25);
    expect(said.noise!.windowMs).toBe(10 * minuteMs);
    const ofTenProfiles = 0.1 / Math.sqrt(10);
    expect(said.noise!.deviation / ofTenProfiles).toBeGreaterThan(0.9);
    expect(said.noise!.deviation / ofTenProfiles).toBeLessThan(1.3);
  });

  it("finds within an hour what is said, and never half of it", () => {
    expect(foundOf(calm, ({ withinHour }) => withinHour)).toBeGreaterThanOrEqual(10);
    expect(foundOf(calm, ({ withinHour }) => withinHour, 0.5)).toBe(0);
  });
});

describe("a noisy service", () => {
  it("needs larger rises or more time, and says when a rise is not found", () => {
    const [quiet, loud] = [sensitivity(calm, 1), sensitivity(sparse, 1)];
    expect(loud.rises[2]!.withinMs).toBeGreaterThan(4 * quiet.rises[2]!.withinMs);
    expect(loud.withinHour?.rise ?? Infinity).toBeGreaterThan(1.5 * quiet.withinHour!.rise);
    expect(sensitivity({ ...noisy, everyMs: 10 * minuteMs, days: 5.5 }, 1).rises[0]).toBeUndefined();
  });
});

describe("a series whose noise is not learnt", () => {
  it("says why", () => {
    expect(sensitivity(young, 1)).toMatchObject({ judgedBy: "first_days", reason: "few_days" });
    expect(sensitivity({ ...calm, everyMs: hourMs }, 1)).toMatchObject({
      judgedBy: "nothing",
      reason: "few_profiles",
      smallest: undefined,
      rises: [undefined, undefined, undefined, undefined],
    });
    const silent = until(observed(calm, 1), endMs);
    expect(sensitivityOf(silent, "cpu", endMs + 9 * hourMs).reason).toBe("no_profiles");
    expect(sensitivityOf(until(observed(young, 1), endMs), "block", endMs).reason).toBe("block_profiles");
  });
});

describe("a series with small values", () => {
  it("is found by its smallest absolute rise", () => {
    const said = sensitivity({ ...calm, level: 10, riseMin: 5 }, 1);
    expect(said.smallest!.rise).toBeGreaterThanOrEqual(0.5);
    expect(said.rises[1]).toBeUndefined();
  });
});
