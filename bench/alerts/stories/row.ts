/** The parts of the rows of the table. */
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import { type Noise, noiseOf, steady } from "./signals.ts";
import type { Regression, Signal, Story } from "./story.ts";

/** A row of the table: many services of one kind. */
export interface Row {
  readonly name: string;
  /** Whether alerts are counted while nothing is worse, or regressions that are found. */
  readonly kind: "quiet" | "worse";
  /** Services of one seed. */
  readonly services: number;
  readonly make: (random: Random) => Story;
  /** Alerts before that are not counted: what nobody has seen twice is no habit. */
  readonly learnsMs?: number;
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

export const calm: Noise = noiseOf(0.1);

export const cpu: Signal = { name: "cpu", level: 2e9, noise: calm, follows: 0, wander: 0 };

export const four = (noise: Noise): readonly Signal[] => [
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

export const quiet = (name: string, bar: number, over: (random: Random) => Partial<Story>): Row => ({
  name,
  kind: "quiet",
  services: 4,
  make: (random) => story(over(random)),
  bar,
});

/** A quiet service whose habits are known after so many days: the month after them counts. */
export function regular(
  name: string,
  learnsDays: number,
  over: (random: Random, days: number) => Partial<Story>,
): Row {
  const days = learnsDays + 30;
  const from = learnsDays === 0 ? "" : `, from day ${learnsDays} on`;
  return {
    ...quiet(`${name}${from}`, 0.5, (random) => ({ days, ...over(random, days) })),
    learnsMs: learnsDays * dayMs,
  };
}

/** A regression of all signals named, at a random time of the day after the days before it. */
export function worse(
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

export const by = (
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
