import { findProfileType, profileTypeEntry } from "#base/profile-types.ts";
import type { Alert } from "./alert.ts";

type Growing = Pick<
  Alert,
  | "growth_per_hour"
  | "highest_before"
  | "restarts_every_seconds"
  | "current_value"
  | "increase"
  | keyof Beginning
>;

/** The times that say since when the values of an alert, or of an incident, are higher. */
type Beginning = Pick<Alert, "began_at" | "began_error_seconds" | "timestamp">;

interface Format {
  /** A value of the alert with its unit. */
  readonly quantity: (value: number) => string;
  readonly time: (at: string) => string;
}

/** Growth of at least this much is given per hour, slower growth per day. */
const perHourMin = 0.01;

/** Growth rarely stays the same for longer, so that nothing later is predicted. */
const hoursMax = 30 * 24;

const hoursShownMax = 48;

/** When the rise began, otherwise when the alert opened. */
export function sinceOf({ began_at, timestamp }: Pick<Alert, "began_at" | "timestamp">): string {
  return began_at ?? timestamp;
}

/** `2026-11-20 11:42 UTC`, with `about` before it where the beginning is not known better. */
export function sinceText(alert: Beginning, time: (at: string) => string): string {
  return `${alert.began_error_seconds === undefined ? "" : "about "}${time(sinceOf(alert))}`;
}

/** Whether values are faults at any number, as leaked goroutines are: there is no level before to compare with, and no traffic to blame. */
export function isFault({
  profile_type: type,
  rule,
  signal,
}: Pick<Alert, "profile_type" | "rule" | "signal">): boolean {
  return (
    rule === undefined &&
    signal === undefined &&
    profileTypeEntry(type).alerts?.some((each) => each.isFault) === true
  );
}

/** `stopped sending CPU`, or `stopped sending` for a whole service. The sample type of such an alert is `silence/TYPE`. */
export function silenceText({ sample_type: sampleType }: Pick<Alert, "sample_type">): string {
  const type = sampleType.slice(sampleType.indexOf("/") + 1);
  const entry = findProfileType(type);
  const name = entry === undefined ? "" : ` ${entry.name ?? entry.label}`;
  return `stopped sending${name}`;
}

/** Whether some instances still run the version before, as with a canary. */
export function isPartialRelease({ instances }: NonNullable<Alert["release"]>): boolean {
  return instances !== undefined && instances.running < instances.all;
}

/** `Version 1.8.0 replaced 1.7.2`, or of a canary `Version 1.8.0 runs on 1 of 10 instances`. */
export function releaseText(release: NonNullable<Alert["release"]>): string {
  const { before, after, instances } = release;
  return instances !== undefined && isPartialRelease(release)
    ? `Version ${after} runs on ${instances.running} of ${instances.all} instances`
    : `Version ${after} replaced ${before}`;
}

/** `4.0% an hour`, or `4.9% a day` for slow growth. */
export function growthRate(perHour: number): string {
  return perHour >= perHourMin
    ? `${(100 * perHour).toFixed(1)}% an hour`
    : `${(100 * Math.expm1(24 * Math.log1p(perHour))).toFixed(1)}% a day`;
}

/** `It grows by 4.0% an hour: at this rate it has doubled in about 12 hours.`, and when it reaches the highest level before. */
export function growthSentences(alert: Growing, format: Format): string[] {
  const { growth_per_hour: perHour, restarts_every_seconds: seconds } = alert;
  if (perHour === undefined || perHour <= 0) return [];
  const rate = growthRate(perHour);
  // Each restart lowers it, so that it neither doubles nor reaches a level.
  if (seconds !== undefined) {
    return [`It grows by ${rate} and drops at each restart, about every ${durationText(seconds / 3600)}.`];
  }
  return [
    `It grows by ${rate}${doubledText(alert, perHour, format)}.`,
    ...highestLevel(alert, perHour, format),
  ];
}

function doubledText(alert: Growing, perHour: number, { time }: Format): string {
  if (alert.increase >= 1) return ` and has doubled since ${sinceText(alert, time)}`;
  const hours = hoursUntil(2 / (1 + alert.increase), perHour);
  return hours > hoursMax ? "" : `: at this rate it doubles in about ${durationText(hours)}`;
}

function highestLevel(
  { highest_before: highest, current_value: current }: Growing,
  perHour: number,
  { quantity, time }: Format,
): string[] {
  if (highest === undefined || current <= 0) return [];
  const seen = `the highest level of the past three weeks (${quantity(highest.value)}, ${time(highest.at)})`;
  if (current >= highest.value) return [`It is above ${seen}.`];
  const hours = hoursUntil(highest.value / current, perHour);
  return hours > hoursMax ? [] : [`It reaches ${seen} in about ${durationText(hours)}.`];
}

/** Until values are this many times as large. */
function hoursUntil(factor: number, perHour: number): number {
  return Math.log(factor) / Math.log1p(perHour);
}

/** `40 minutes`, `5 hours`, `3 days`: about how long something takes. */
function durationText(hours: number): string {
  const [count, unit] =
    hours < 1
      ? [5 * Math.max(1, Math.round(hours * 12)), "minute"]
      : hours < hoursShownMax
        ? [Math.round(hours), "hour"]
        : [Math.round(hours / 24), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
