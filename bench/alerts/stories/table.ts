import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import {
  lognormal,
  type Noise,
  noiseOf,
  pareto,
  spiking,
  steady,
  type Traffic,
  wandering,
  weekly,
} from "./signals.ts";
import type { Faults, Regression, Signal, Story } from "./story.ts";

/** A row of the table: many services of one kind. */
export interface Row {
  readonly name: string;
  /** Whether alerts are counted while nothing is worse, or regressions that are found. */
  readonly kind: "quiet" | "worse";
  /** Services of one seed. */
  readonly services: number;
  readonly make: (random: Random) => Story;
  /** The most false alerts per service and month, or the fewest found of 20. */
  readonly bar: number;
  /** The regression counts as found until then, in hours after it began. */
  readonly withinHours?: number;
  readonly alsoWanted?: AlsoWanted;
}

/** Bars for the regressions that are found. */
interface AlsoWanted {
  /** The median until the first message. */
  readonly minutesMax?: number;
  /** The median error of the size in it, in percent of the true size. */
  readonly sizeErrorMax?: number;
  /** How many may be resolved while they last. */
  readonly resolvedEarlyMax?: number;
}

const calm: Noise = noiseOf(0.1);

const cpu: Signal = { name: "cpu", level: 2e9, noise: calm, follows: 0, wander: 0 };

const four = (noise: Noise): readonly Signal[] => [
  { name: "cpu", level: 2e9, noise, follows: 0.9, wander: 0 },
  { name: "memory", level: 400e6, noise, follows: 0.2, wander: 0 },
  { name: "goroutine", level: 1000, noise, follows: 0.4, wander: 0 },
  // Waiting for locks grows faster than traffic.
  { name: "mutex", level: 5e8, noise, follows: 1, power: 1.4, wander: 0 },
];

function story(over: Partial<Story>): Story {
  return {
    days: 30,
    everyMs: minuteMs,
    signals: [cpu],
    traffic: steady,
    instances: 1,
    regressions: [],
    releases: [],
    hasVersions: false,
    ...over,
  };
}

const quiet = (name: string, bar: number, over: (random: Random) => Partial<Story>): Row => ({
  name,
  kind: "quiet",
  services: 4,
  make: (random) => story(over(random)),
  bar,
});

const noisy = (name: string, noise: Noise, everyMs = minuteMs) =>
  quiet(name, 0.5, () => ({ everyMs, signals: [{ ...cpu, noise }] }));

const restless = (sd: number) =>
  quiet(`wander within the hour, ${100 * sd}%`, 1, () => ({ signals: [{ ...cpu, wander: sd }] }));

const driven = (name: string, traffic: Traffic) => quiet(name, 1, () => ({ signals: four(calm), traffic }));

/** A regression of all signals named, at a random time of the day after the days before it. */
function worse(
  name: string,
  bar: number,
  { daysBefore, lastsMs, withinHours = 24 }: { daysBefore: number; lastsMs: number; withinHours?: number },
  over: (random: Random, atMs: number, untilMs: number) => Partial<Story>,
): Row {
  return {
    name,
    kind: "worse",
    services: 8,
    bar,
    withinHours,
    make: (random) => {
      const atMs = daysBefore * dayMs + Math.floor(random.between(0, dayMs) / minuteMs) * minuteMs;
      const untilMs = atMs + lastsMs;
      return story({ days: untilMs / dayMs, ...over(random, atMs, untilMs) });
    },
  };
}

const by = (
  signal: Signal["name"],
  factor: (sinceMs: number) => number,
  atMs: number,
  untilMs: number,
): Regression => ({
  signal,
  atMs,
  untilMs,
  factor,
});

const step = (name: string, size: number, bar: number, noise: Noise, everyMs = minuteMs) =>
  worse(name, bar, { daysBefore: 9, lastsMs: dayMs }, (_, atMs, untilMs) => ({
    everyMs,
    signals: [{ ...cpu, noise }],
    regressions: [by("cpu", () => 1 + size, atMs, untilMs)],
  }));

const calmStep = (size: number, bar: number): Row => ({
  ...step(`calm, +${100 * size}%`, size, bar, calm),
  alsoWanted: { minutesMax: 15, sizeErrorMax: 10 },
});

function leak(
  name: string,
  signal: "memory" | "goroutine",
  factor: (sinceMs: number) => number,
  hours: number,
): Row {
  const gauge = four(noiseOf(0.05)).filter((each) => each.name === signal);
  return worse(
    name,
    20,
    { daysBefore: 9, lastsMs: hours * hourMs, withinHours: doublingHours(factor, hours) },
    (_, atMs, untilMs) => ({
      signals: gauge.map((each) => ({ ...each, follows: 0, wander: 0.02 })),
      regressions: [by(signal, factor, atMs, untilMs)],
    }),
  );
}

/** Hours until the value has doubled, at most all of them. */
function doublingHours(factor: (sinceMs: number) => number, hours: number): number {
  for (let hour = 0.25; hour < hours; hour += 0.25) if (factor(hour * hourMs) >= 2) return hour;
  return hours;
}

const perHour = (share: number) => (sinceMs: number) => (1 + share) ** (sinceMs / hourMs);
const perDay = (share: number) => (sinceMs: number) => (1 + share) ** (sinceMs / dayMs);

const release = (name: string, hasVersions: boolean) =>
  worse(name, 20, { daysBefore: 9, lastsMs: dayMs }, (_, atMs, untilMs) => ({
    signals: four(calm),
    traffic: wandering(0.03),
    hasVersions,
    releases: [{ version: "2", atMs }],
    regressions: [
      by("cpu", () => 1.32, atMs, untilMs),
      by("memory", () => 1.95, atMs, untilMs),
      by("mutex", () => 3.6, atMs, untilMs),
    ],
  }));

const canary = (size: number, hasVersions: boolean): Row => ({
  ...worse(
    `canary of 2 in 20 instances, +${100 * size}%, ${hasVersions ? "with versions" : "by instance"}`,
    size >= 0.5 ? 20 : 0,
    { daysBefore: 3, lastsMs: 12 * hourMs, withinHours: 12 },
    (_, atMs, untilMs) => ({
      everyMs: 5 * minuteMs,
      instances: 20,
      hasVersions,
      traffic: wandering(0.05),
      signals: [{ ...cpu, follows: 1 }],
      releases: [{ version: "2", atMs, instances: [3, 11] }],
      regressions: [{ ...by("cpu", () => 1 + size, atMs, untilMs), instances: [3, 11] }],
    }),
  ),
  ...(size >= 0.5 ? { alsoWanted: { sizeErrorMax: 10 } } : {}),
});

/** Clock skew, instances that differ, restarts, silence and harmless releases, in weekly traffic without counts. */
function troubled(random: Random): Partial<Story> {
  const at = () => random.between(dayMs, 29 * dayMs);
  const faults: Faults = {
    spread: 0.3,
    skewMs: 2 * minuteMs,
    silent: [0, 1].map(at).map((fromMs) => ({ fromMs, toMs: fromMs + random.between(0.5, 12) * hourMs })),
    restarts: Array.from({ length: 12 }, () => ({ instance: Math.floor(random.between(0, 4)), atMs: at() })),
  };
  const releases = Array.from({ length: 8 }, (_, index) => ({ version: `${index + 2}`, atMs: at() }));
  return {
    faults,
    instances: 4,
    everyMs: 5 * minuteMs,
    signals: four(noiseOf(0.2)),
    traffic: weekly,
    hasVersions: true,
    releases: releases.sort((a, b) => a.atMs - b.atMs),
  };
}

export const rows: readonly Row[] = [
  ...[0.2, 0.25, 0.35, 0.5].map((cv) => noisy(`steady, noise of ${100 * cv}%`, noiseOf(cv))),
  noisy("steady, Pareto 2.5", pareto(2.5)),
  noisy("steady, Pareto 2.5, every 10 min", pareto(2.5), 10 * minuteMs),
  noisy("steady, lognormal 0.35, every 10 min", lognormal(0.35), 10 * minuteMs),
  ...[0.03, 0.05, 0.08, 0.1, 0.15].map(restless),
  ...[0.1, 0.15].map((sd) =>
    driven(`traffic wanders ${100 * sd}% and drives four types, not counted`, wandering(sd)),
  ),
  driven("spikes to 2x on 30% of the days, not counted", spiking),
  driven("weekly traffic, not counted", weekly),
  quiet("weekly traffic, restarts, silence, clock skew, releases", 1, troubled),
  leak("goroutines +100 an hour from 1,000", "goroutine", (ms) => 1 + (0.1 * ms) / hourMs, 26),
  leak("heap +4% an hour", "memory", perHour(0.04), 26),
  leak("heap +15% an hour", "memory", perHour(0.15), 6),
  leak("heap +5% a day", "memory", perDay(0.05), 15 * 24),
  leak("heap +20% a day", "memory", perDay(0.2), 5 * 24),
  leak("heap +100% a day", "memory", perDay(1), 2 * 24),
  release("release: CPU +32%, heap +95%, locks x3.6, versions sent", true),
  release("the same without versions", false),
  ...[0.2, 0.5, 1].map((size) => canary(size, true)),
  ...[0.2, 0.5, 1].map((size) => canary(size, false)),
  calmStep(0.2, 19),
  ...[0.3, 0.5, 1].map((size) => calmStep(size, 20)),
  step("lognormal 0.35 every 10 min, +20%", 0.2, 0, lognormal(0.35), 10 * minuteMs),
  step("lognormal 0.35 every 10 min, +30%", 0.3, 0, lognormal(0.35), 10 * minuteMs),
  step("lognormal 0.35 every 10 min, +50%", 0.5, 0, lognormal(0.35), 10 * minuteMs),
  {
    ...worse(
      "lasting +30% in weekly traffic, not counted",
      18,
      { daysBefore: 14, lastsMs: 10 * dayMs },
      (_, atMs, untilMs) => ({
        signals: [{ ...cpu, follows: 0.9 }],
        traffic: weekly,
        regressions: [by("cpu", () => 1.3, atMs, untilMs)],
      }),
    ),
    alsoWanted: { resolvedEarlyMax: 0 },
  },
];
