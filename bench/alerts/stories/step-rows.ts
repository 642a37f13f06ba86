import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { by, calm, cpu, type Row, worse } from "./row.ts";
import { lognormal, type Noise, weekly } from "./signals.ts";

const step = (name: string, size: number, bar: number, noise: Noise, everyMs = minuteMs) =>
  worse(name, bar, { daysBefore: 9, lastsMs: dayMs }, (_, atMs, untilMs) => ({
    everyMs,
    signals: [{ ...cpu, noise }],
    regressions: [by("cpu", () => 1 + size, atMs, untilMs)],
  }));

/** The size of smaller steps has no bar: the same error is a larger part of them. */
const sizedMin = 0.5;

/** Has more services than other rows, because the median time is only a few evaluations long. */
const calmStep = (size: number, bar: number): Row => ({
  ...step(`calm, +${100 * size}%`, size, bar, calm),
  services: 24,
  alsoWanted: { minutesMax: 15, ...(size >= sizedMin && { sizeErrorMax: 10 }) },
});

/** Runs for four hours of each night only. */
const nightly = (size: number): Row =>
  worse(
    `a service that runs for 4 h a night, +${100 * size}%`,
    18,
    { daysBefore: 12, lastsMs: 6 * dayMs, withinHours: 48 },
    (random, atMs, untilMs) => {
      const fromMs = random.between(0, 4) * hourMs;
      return {
        signals: [cpu],
        runs: (_, ms) => ms % dayMs >= fromMs && ms % dayMs < fromMs + 4 * hourMs,
        regressions: [by("cpu", () => 1 + size, atMs, untilMs)],
      };
    },
  );

/** A batch of two hours that takes six from one night on. */
const longRun: Row = worse(
  "a batch of 2 h that takes 6 h",
  18,
  { daysBefore: 12, lastsMs: 3 * dayMs, withinHours: 24 },
  (random, atMs) => {
    const fromMs = random.between(0, 12) * hourMs;
    return {
      signals: [cpu],
      runs: (_, ms) => {
        const hours = ms >= atMs ? 6 : 2;
        return ms % dayMs >= fromMs && ms % dayMs < fromMs + hours * hourMs;
      },
      regressions: [by("cpu", () => 1, atMs, atMs + 3 * dayMs)],
    };
  },
);

const perRequest: Row = {
  ...worse(
    "+40% per request in weekly traffic, counted",
    18,
    { daysBefore: 10, lastsMs: 2 * dayMs },
    (_, atMs, untilMs) => ({
      signals: [{ ...cpu, follows: 0.9 }],
      traffic: weekly,
      countsRequests: true,
      regressions: [by("cpu", () => 1.4, atMs, untilMs)],
    }),
  ),
  alsoWanted: { resolvedEarlyMax: 0 },
};

export const stepRows: readonly Row[] = [
  nightly(0.5),
  nightly(2),
  longRun,
  perRequest,
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
