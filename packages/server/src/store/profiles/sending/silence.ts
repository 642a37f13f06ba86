// Which senders are silent, from the times of their profiles. A sender is a service, or one type of its profiles:
//
//   minutes of a type   | | | | | | |           |   | | | | |·············now
//                        interval 1              ^ pause      ^ silence
//
// A silence that is longer than five intervals, and ten minutes, is reported only of regular senders: batch jobs, tools that people
// run, and services that are scaled down every night pause too often.
import { hourMs, minuteMs } from "@flamekeep/contract/durations";

/** When a type of a service sent. */
export interface SentMinutes {
  /** Minutes with a profile since 1970, ascending, of the last day before the latest one. */
  readonly minutes: readonly number[];
  /** Hours with a profile since 1970, ascending, of the last days. */
  readonly hours: readonly number[];
}

export interface Rhythm {
  /** Median time between minutes with a profile; at least a minute. */
  readonly intervalMs: number;
  readonly isRegular: boolean;
}

/** Silences are at least this long: deployments, and clocks that are a little ahead. */
const silenceMsMin = 10 * minuteMs;
const silentIntervals = 5;
/** A sender that only began may stop at once, as a tool that somebody tries. */
const runMsMin = hourMs;
const gapsMin = 3;
/** The latest ones: an interval may have been changed. */
const gapsRead = 60;
/** The least share of the hours since its first profile in which a regular sender sends. */
const sendingShareMin = 0.9;

export function rhythmOf({ minutes, hours }: SentMinutes): Rhythm {
  const gaps = minutes.slice(1).map((minute, index) => (minute - minutes[index]!) * minuteMs);
  const sorted = gaps.slice(-gapsRead).sort((a, b) => a - b);
  const intervalMs = sorted[Math.floor(sorted.length / 2)] ?? minuteMs;
  const silenceMs = silenceMsOf(intervalMs);
  const pause = gaps.findLastIndex((gap) => gap > silenceMs);
  const run = gaps.slice(pause + 1);
  const runMs = run.reduce((sum, gap) => sum + gap, 0);
  const isRegular =
    run.length >= gapsMin && runMs >= runMsMin && shareOfHours(hours, intervalMs) >= sendingShareMin;
  return { intervalMs, isRegular };
}

/** How long a sender with this interval is waited for. */
export function silenceMsOf(intervalMs: number): number {
  return Math.max(silenceMsMin, silentIntervals * intervalMs);
}

/** The part of the hours since the first one in which a sender with this interval sent. */
function shareOfHours(hours: readonly number[], intervalMs: number): number {
  const span = (hours.at(-1) ?? 0) - (hours[0] ?? 0) + 1;
  const expected = Math.max(1, span / Math.max(1, intervalMs / hourMs));
  return Math.min(1, hours.length / expected);
}

/** A type of a service as it is now. */
export interface TypeState {
  readonly type: string;
  /** Start of the latest profile, at most now. */
  readonly latestMs: number;
  /** When the latest profile arrived; its start where that was not looked up, because it sends. */
  readonly receivedMs: number;
  /** null where it was not looked up. */
  readonly intervalMs: number | null;
  readonly state: "sending" | "silent" | "irregular";
}

export interface ServiceState {
  readonly state: TypeState["state"] | "stopped_types";
  /** When the last profile arrived before the silence of the service, or of the type that stopped last; null if none is silent. */
  readonly sinceMs: number | null;
}

/** Types of one service stop within this time of each other. */
const togetherMs = 2 * minuteMs;

/** A service is silent once nothing arrived after a regular type stopped; otherwise that type alone stopped. */
export function serviceStateOf(types: readonly TypeState[]): ServiceState {
  let [latestMs, stoppedMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { state, receivedMs } of types) {
    latestMs = Math.max(latestMs, receivedMs);
    if (state === "silent") stoppedMs = Math.max(stoppedMs, receivedMs);
  }
  if (stoppedMs === Number.NEGATIVE_INFINITY) {
    const isSending = types.some(({ state }) => state === "sending");
    return { state: isSending ? "sending" : "irregular", sinceMs: null };
  }
  return latestMs <= stoppedMs + togetherMs
    ? { state: "silent", sinceMs: latestMs }
    : { state: "stopped_types", sinceMs: stoppedMs };
}
