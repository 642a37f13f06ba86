import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { by, four, type Row, worse } from "./row.ts";
import { noiseOf } from "./signals.ts";

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

/** Each restart hides the leak: values never double. */
function restartedLeak(everyHours: number, share: number): Row {
  const grown = perHour(share);
  return {
    ...leak(
      `heap +${100 * share}% an hour, restarted every ${everyHours} h`,
      "memory",
      (ms) => grown(ms % (everyHours * hourMs)),
      72,
    ),
    alsoWanted: { resolvedEarlyMax: 0 },
  };
}

/** One of three: the mean of all moves by a third. */
const oneOfThree: Row = worse(
  "heap +10% an hour in one of 3 instances",
  20,
  { daysBefore: 9, lastsMs: 16 * hourMs, withinHours: 10 },
  (_, atMs, untilMs) => ({
    instances: 3,
    signals: four(noiseOf(0.05))
      .filter(({ name }) => name === "memory")
      .map((each) => ({ ...each, follows: 0, wander: 0.02 })),
    regressions: [{ ...by("memory", perHour(0.1), atMs, untilMs), instances: [1] }],
  }),
);

/** It leaks from its first profile on. */
const fromBirth: Row = worse(
  "goroutines of a new service, +8% an hour from the start",
  20,
  { daysBefore: 0, lastsMs: 26 * hourMs, withinHours: 30 },
  (_, atMs, untilMs) => ({
    days: untilMs / dayMs,
    signals: four(noiseOf(0.05))
      .filter(({ name }) => name === "goroutine")
      .map((each) => ({ ...each, follows: 0, beginsMs: atMs })),
    regressions: [by("goroutine", perHour(0.08), atMs, untilMs)],
  }),
);

export const leakRows: readonly Row[] = [
  oneOfThree,
  { ...fromBirth, withinHours: 6 },
  leak("goroutines +100 an hour from 1,000", "goroutine", (ms) => 1 + (0.1 * ms) / hourMs, 26),
  leak("heap +4% an hour", "memory", perHour(0.04), 26),
  leak("heap +15% an hour", "memory", perHour(0.15), 6),
  leak("heap +5% a day", "memory", perDay(0.05), 15 * 24),
  leak("heap +20% a day", "memory", perDay(0.2), 5 * 24),
  leak("heap +100% a day", "memory", perDay(1), 2 * 24),
  ...[6, 12, 24].map((hours) => restartedLeak(hours, 0.03)),
];
