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

/** The function that an alert about functions is about first. */
export function risenFunction({
  culprit,
  functions = [],
}: Partial<Pick<Alert, "culprit" | "functions">>): string {
  return culprit?.name ?? functions[0]?.name ?? "a function";
}

/** A smaller change of the whole service is none. */
const serviceChangeMin = 0.05;

/** `while checkout as a whole did not change`, of an alert about functions. */
export function serviceChangeText({
  service,
  service_increase: change = 0,
}: Pick<Alert, "service" | "service_increase">): string {
  const name = `while ${service} as a whole`;
  if (Math.abs(change) < serviceChangeMin) return `${name} did not change`;
  return `${name} changed by ${change > 0 ? "+" : "-"}${Math.abs(100 * change).toFixed(0)}%`;
}

/** `2.1 times` */
export function timesText(after: number, before: number): string {
  return `${(after / before).toFixed(1)} times`;
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

/** `Instances with 1.8.0 are at 1.4 cores and those with 1.7.2 at 1 core in the same time: 40.0% more.` */
export function sideBySideSentences(
  { release, instances }: Pick<Alert, "release" | "instances">,
  { quantity }: Pick<Format, "quantity">,
): string[] {
  // The values of an alert about some instances are compared with those of the others.
  if (release?.values === undefined || instances !== undefined) return [];
  const { before, after } = release.values;
  const difference = `${(100 * Math.abs(after / before - 1)).toFixed(1)}% ${after >= before ? "more" : "less"}`;
  return [
    `Instances with ${release.after} are at ${quantity(after)} and those with ${release.before} at ${quantity(before)} in the same time: ${difference}.`,
  ];
}

/** `Values are noisy: the rise is likely between 30% and 60%.` */
export function rangeSentences({ likely_increase: range }: Pick<Alert, "likely_increase">): string[] {
  if (range === undefined) return [];
  const [from, to] = [range.from, range.to].map((each) => `${(100 * Math.max(0, each)).toFixed(0)}%`);
  return [`Values are noisy: the rise is likely between ${from} and ${to}.`];
}

/** `This run has taken 6 hours: earlier ones took about 2 hours.` */
export function runSentences({ run }: Pick<Alert, "run">): string[] {
  if (run === undefined) return [];
  const [lasts, usual] = [run.seconds, run.usual_seconds].map((seconds) => durationText(seconds / 3600));
  return [`This run has taken ${lasts}: earlier ones took about ${usual}.`];
}

/** `It resolved at 2026-11-20 10:40 UTC, and is back.` */
export function returnedSentences(
  { resolved_before: at }: Pick<Alert, "resolved_before">,
  { time }: Pick<Format, "time">,
): string[] {
  return at === undefined ? [] : [`It resolved at ${time(at)}, and is back.`];
}

/**
 * `Only on 1 of 10 instances: cart-7d9f-x2x1c, which runs version 1.8.0; the others are unchanged.`
 *
 * @param shownMax the number of instances that are named
 */
export function instanceSentences(
  { instances, instances_running: all, version }: Pick<Alert, "instances" | "instances_running" | "version">,
  shownMax: number,
): string[] {
  if (instances === undefined) return [];
  const more = instances.length - shownMax;
  const names = instances.slice(0, shownMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const running =
    version === undefined ? "" : `, which ${instances.length === 1 ? "runs" : "run"} version ${version}`;
  const counted = all === undefined ? "" : `${instances.length} of ${all} instances: `;
  return [`Only on ${counted}${names}${running}; the others are unchanged.`];
}

/** `400 goroutines an hour`, or `12 MB a day` for slow growth. Undefined if values rose once. */
export function growthAmount(
  { growth_per_hour: perHour, current_value: current }: Pick<Alert, "growth_per_hour" | "current_value">,
  quantity: Format["quantity"],
): string | undefined {
  if (perHour === undefined || perHour <= 0) return undefined;
  return perHour >= perHourMin
    ? `${quantity(current * perHour)} an hour`
    : `${quantity(current * perDay(perHour))} a day`;
}

function growthShare(perHour: number): string {
  return `${(100 * (perHour >= perHourMin ? perHour : perDay(perHour))).toFixed(1)}%`;
}

function perDay(perHour: number): number {
  return Math.expm1(24 * Math.log1p(perHour));
}

/** `It grows by 400 goroutines an hour (4.0%): at this rate it doubles in about 12 hours.`, and when it reaches the highest level before. */
export function growthSentences(alert: Growing, format: Format): string[] {
  const { growth_per_hour: perHour = 0, restarts_every_seconds: seconds } = alert;
  const amount = growthAmount(alert, format.quantity);
  if (amount === undefined) return [];
  const rate = `${amount} (${growthShare(perHour)})`;
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
