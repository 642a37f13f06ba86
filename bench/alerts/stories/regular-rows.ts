/** Quiet services that rise each week, hour or release: no alert is wanted. */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import { calm, cpu, four, type Row, regular } from "./row.ts";
import { noiseOf, shifted, steady, tested, wandering, weekly } from "./signals.ts";
import type { Regression, Signal } from "./story.ts";

const times = (
  signal: Signal["name"],
  spans: readonly (readonly [fromMs: number, toMs: number])[],
  factor: number,
) => spans.map(([atMs, untilMs]): Regression => ({ signal, atMs, untilMs, factor: () => factor }));

function everyMs(
  periodMs: number,
  firstMs: number,
  lengthMs: number,
  days: number,
): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  for (let ms = firstMs; ms < days * dayMs; ms += periodMs) spans.push([ms, ms + lengthMs]);
  return spans;
}

const noisyPod = regular("one noisy pod of 12, bursts of its own every day", 7, (random, days) => ({
  everyMs: 5 * minuteMs,
  instances: 12,
  traffic: wandering(0.03),
  signals: [{ ...cpu, follows: 1 }],
  harmless: Array.from({ length: days }, (_, day) => day).flatMap((day) =>
    Array.from({ length: 1 + Math.floor(random.between(0, 3)) }, (): Regression => {
      const atMs = day * dayMs + random.between(0, dayMs - hourMs);
      const factor = random.between(1.6, 2.6);
      return {
        signal: "cpu",
        atMs,
        untilMs: atMs + random.between(20, 60) * minuteMs,
        factor: () => factor,
        instances: [4],
      };
    }),
  ),
}));

const summerTime = (byHours: number) =>
  regular(`the day's curve moves by ${byHours} h after three weeks`, 0, () => ({
    signals: four(calm),
    traffic: shifted(22 * dayMs, byHours * hourMs),
  }));

const batch = (name: string, signals: readonly Signal[], traffic = steady) =>
  regular(`weekly batch of 3 h, ${name}`, 14, (random, days) => {
    const spans = everyMs(7 * dayMs, random.between(0, 7) * dayMs, 3 * hourMs, days);
    return {
      signals,
      traffic,
      harmless: signals.flatMap(({ name }) => times(name, spans, random.between(1.6, 2.5))),
    };
  });

const cron = (hours: number, minutes: number) =>
  regular(`cron every ${hours} h, ${minutes} min`, 1, (random, days) => ({
    signals: [cpu],
    harmless: times(
      "cpu",
      everyMs(hours * hourMs, Math.floor(random.between(0, hours * 60)) * minuteMs, minutes * minuteMs, days),
      random.between(1.5, 2.5),
    ),
  }));

const slowStart = (hasVersions: boolean) =>
  regular(
    `30 min at twice the load after each deploy, ${hasVersions ? "" : "no "}versions`,
    10,
    (random, days) => {
      const releases = deploys(random, days);
      return {
        signals: [cpu],
        traffic: wandering(0.03),
        hasVersions,
        releases: releases.map((atMs, index) => ({ version: `${index + 2}`, atMs })),
        harmless: times(
          "cpu",
          releases.map((ms) => [ms, ms + random.between(25, 35) * minuteMs]),
          random.between(1.8, 2.2),
        ),
      };
    },
  );

/** Every one to four days. */
function deploys(random: Random, days: number): number[] {
  const found: number[] = [];
  for (let ms = random.between(1, 3) * dayMs; ms < (days - 1) * dayMs; ms += random.between(1, 4) * dayMs)
    found.push(ms);
  return found;
}

const loadTests = regular("short load tests, requests counted", 0, () => ({
  signals: four(calm).map((each) => ({ ...each, follows: Math.min(0.95, each.follows) })),
  traffic: tested,
  countsRequests: true,
}));

/** Both colours run for half an hour; the old one is idle then. */
const blueGreen = regular("blue and green, equal cost", 0, (random, days) => {
  const at = deploys(random, days);
  const colour = (ms: number) => at.filter((each) => each <= ms).length;
  return {
    instances: 8,
    everyMs: 2 * minuteMs,
    hasVersions: true,
    traffic: weekly,
    signals: [{ ...cpu, follows: 0.9 }],
    releases: at.map((atMs, index) => ({
      version: `${index + 2}`,
      atMs,
      instances: sides[(index + 1) % 2]!,
    })),
    runs: (instance, ms) =>
      sides[colour(ms) % 2]!.includes(instance) || sides[colour(ms - hourMs / 2) % 2]!.includes(instance),
    harmless: at.map(
      (atMs, index): Regression => ({
        signal: "cpu",
        atMs,
        untilMs: atMs + hourMs / 2,
        factor: () => 0.2,
        instances: sides[index % 2]!,
      }),
    ),
  };
});
const sides = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
];

const begins = regular("a type of profile that begins after ten days", 0, (random) => ({
  signals: four(calm).map((each) =>
    each.name === "mutex" ? { ...each, beginsMs: random.between(10, 12) * dayMs } : each,
  ),
  traffic: weekly,
}));

const gaps = regular("gaps of 1 to 14 hours, weekly traffic", 0, (random, days) => ({
  signals: four(calm),
  traffic: weekly,
  faults: {
    spread: 0,
    skewMs: 0,
    restarts: [],
    silent: Array.from({ length: 10 }, () => {
      const fromMs = random.between(1, days - 1) * dayMs;
      return { fromMs, toMs: fromMs + random.between(1, 14) * hourMs };
    }),
  },
}));

/** As a queue that fills now and then. */
const bursts = regular("a gauge with bursts", 3, (random, days) => ({
  signals: [{ ...cpu, name: "goroutine", level: 200, noise: noiseOf(0.3) }],
  harmless: Array.from({ length: 1.5 * days }, (): Regression => {
    const atMs = random.between(0, days) * dayMs;
    const factor = random.between(1.5, 5);
    return {
      signal: "goroutine",
      atMs,
      untilMs: atMs + random.between(10, 120) * minuteMs,
      factor: () => factor,
    };
  }),
}));

const autoscaling = regular("3 to 30 pods by traffic", 0, () => ({
  instances: 30,
  everyMs: 10 * minuteMs,
  traffic: weekly,
  signals: [{ ...cpu, follows: 0.15 }],
  runs: (instance, _, traffic) => instance < Math.max(3, Math.min(30, Math.round(18 * traffic))),
}));

const slowGrowth = regular("traffic and use +4% a week", 0, () => ({
  signals: [cpu],
  traffic: weekly,
  harmless: [{ signal: "cpu", atMs: 0, untilMs: Infinity, factor: (ms) => 1.04 ** (ms / (7 * dayMs)) }],
}));

const nightly = regular("a service that runs for 4 h a night", 0, (random) => {
  const fromMs = random.between(0, 20) * hourMs;
  return {
    signals: four(noiseOf(0.2)),
    traffic: wandering(0.05),
    runs: (_, ms) => ms % dayMs >= fromMs && ms % dayMs < fromMs + 4 * hourMs,
  };
});

/** Memory and goroutines rise over the first hours, and stay. */
const startUp = regular("a new service that warms up over hours", 0, (random) => {
  const tauMs = random.between(0.5, 4) * hourMs;
  const factor = (ms: number) => 1 - 0.7 * Math.exp(-ms / tauMs);
  return {
    signals: four(noiseOf(0.05)),
    traffic: weekly,
    harmless: (["memory", "goroutine"] as const).map((signal) => ({
      signal,
      atMs: 0,
      untilMs: Infinity,
      factor,
    })),
  };
});

export const regularRows: readonly Row[] = [
  nightly,
  startUp,
  noisyPod,
  summerTime(1),
  summerTime(-1),
  batch("cpu", [cpu]),
  batch("four types, weekly traffic", four(calm), weekly),
  cron(1, 5),
  cron(1, 12),
  cron(6, 10),
  cron(6, 25),
  slowStart(true),
  slowStart(false),
  loadTests,
  blueGreen,
  begins,
  gaps,
  bursts,
  autoscaling,
  slowGrowth,
];
