import { impossibleTime } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";

/** The origin of a profile's time: a parameter, the profile itself, or its arrival. */
type TimeSource = "parameter" | "profile" | "arrival";

export interface StartedAt {
  readonly ms: number;
  readonly source: TimeSource;
}

const aheadMsMax = 10 * minuteMs;

export interface TimeWindow {
  readonly nowMs: number;
  /** The setting of the server. */
  readonly retentionDays: number;
  /** The setting of the organization, if it keeps less. */
  readonly orgRetentionDays?: number | null;
  /** The operator's limit of the organization, if it has one. */
  readonly retentionLimitDays?: number | undefined;
  /** The server's setting for the type of the profile, if it has one. */
  readonly typeRetentionDays?: number | undefined;
}

/** `started_at` of our own endpoint in Unix milliseconds: ISO 8601 (UTC unless it says otherwise) or Unix milliseconds. */
export function parseStartedAt(text: string): Outcome<number> {
  const trimmed = text.trim();
  const unit = /^\d+(\.\d+)?$/.test(trimmed) ? otherUnitOf(Number(trimmed)) : undefined;
  if (unit !== undefined) return refused("invalid", "started_at", `started_at ${unit}`);
  if (/^\d{10,16}$/.test(trimmed)) return accepted(Number(trimmed));
  const reason = impossibleTime(trimmed);
  if (reason !== undefined) return refused("invalid", "started_at", `started_at ${reason}.`);
  const match = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(trimmed);
  const ms = match === null ? Number.NaN : Date.parse(match[1] === undefined ? `${trimmed}Z` : trimmed);
  if (!Number.isNaN(ms)) return accepted(ms);
  return refused(
    "invalid",
    "started_at",
    "started_at must be a time such as 2026-11-20T10:00:00Z, or Unix milliseconds.",
  );
}

const [year2001Ms, year2100Ms] = [1_000_000_000_000, 4_102_444_800_000];
const otherUnits = [
  ["seconds", 1000],
  ["microseconds", 1 / 1000],
  ["nanoseconds", 1 / 1_000_000],
] as const;

/** The end of a sentence about a time that is not Unix milliseconds but one of 2001 to 2100 in another unit. */
export function otherUnitOf(time: number): string | undefined {
  for (const [unit, factor] of otherUnits) {
    const ms = Math.floor(time * factor);
    if (ms < year2001Ms || ms >= year2100Ms) continue;
    return `looks like Unix ${unit}: send Unix milliseconds (${ms}) or ISO 8601 (${new Date(ms).toISOString()}).`;
  }
  return undefined;
}

/** Nanoseconds of `time_nanos` before 1973, which as microseconds are after 2001: py-spy and rbspy wrote those. */
const microsecondsMin = 1_000_000_000_000_000n;
const microsecondsMax = 100_000_000_000_000_000n;

/** The start of the profile: from the parameter, else the profile itself, else its arrival. */
export function startedAt(parameterMs: number | undefined, timeNs: bigint, nowMs: number): StartedAt {
  if (parameterMs !== undefined) return { ms: Math.floor(parameterMs), source: "parameter" };
  if (timeNs <= 0n) return { ms: nowMs, source: "arrival" };
  const isMicroseconds = timeNs >= microsecondsMin && timeNs < microsecondsMax;
  return { ms: Number(isMicroseconds ? timeNs / 1000n : timeNs / 1_000_000n), source: "profile" };
}

/** For refusals: what has the refused time, and how its sender sets it. */
export interface Dated {
  readonly what: string;
  readonly remedy: string;
}

export const datedProfile: Readonly<Record<Upload["sender"], Dated>> = {
  api: { what: "The profile", remedy: "give its start as started_at" },
  pyroscope: { what: "The profile", remedy: "give its start as from" },
  push: { what: "The profile", remedy: "set its time_nanos" },
  datadog: { what: "The profile", remedy: "set start in event.json" },
  otlp: { what: "The profile", remedy: "set its time_unix_nano" },
  coroot: { what: "The profile", remedy: "set its time_nanos" },
};

const parameterNames: Readonly<Partial<Record<Upload["sender"], string>>> = {
  pyroscope: "from",
  datadog: "start in event.json",
};

/** A time that came as a parameter has to be corrected instead of added. */
export function datedUpload(sender: Upload["sender"], source: TimeSource): Dated {
  const { what, remedy } = datedProfile[sender];
  if (source !== "parameter") return { what, remedy };
  return { what, remedy: `correct ${parameterNames[sender] ?? "started_at"}` };
}

export function datedMetric(index: number): Dated {
  return { what: `Metric ${index + 1}`, remedy: "correct its timestamp" };
}

/** The days that the organization keeps, and how they become more. */
function keptDays(window: TimeWindow) {
  const { retentionDays, orgRetentionDays, retentionLimitDays, typeRetentionDays = retentionDays } = window;
  const daysMax = retentionLimitDays ?? retentionDays;
  const days = Math.min(daysMax, orgRetentionDays ?? daysMax);
  if (typeRetentionDays < days)
    return {
      days: typeRetentionDays,
      advice: "raise the days of its type in RETENTION_DAYS_BY_TYPE on the server",
    };
  if (days < daysMax) return { days, advice: "raise retention_days of the organization" };
  if (days < retentionDays)
    return { days, advice: "ask the server's operator, who limits your organization" };
  return { days, advice: "raise RETENTION_DAYS on the server" };
}

/** Refuses times that retention would remove at once, and times in the future. */
export function withinWindow(ms: number, window: TimeWindow, { what, remedy }: Dated): Outcome<number> {
  const { days, advice } = keptDays(window);
  if (ms < window.nowMs - days * dayMs) {
    const kept = days === 1 ? "one day is" : `${days} days are`;
    return refused(
      "unprocessable",
      "too_old",
      `${what} is from ${isoOrNumber(ms)}, and only ${kept} kept. If the time is wrong, ${remedy}; to keep more days, ${advice}.`,
    );
  }
  if (ms > window.nowMs + aheadMsMax) {
    return refused(
      "unprocessable",
      "too_new",
      `${what} is from ${isoOrNumber(ms)}, which is more than 10 minutes ahead of the server's ${isoOrNumber(window.nowMs)}. Set the sender's clock, or ${remedy}.`,
    );
  }
  return accepted(ms);
}

export function isoOrNumber(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms after 1970` : date.toISOString();
}
