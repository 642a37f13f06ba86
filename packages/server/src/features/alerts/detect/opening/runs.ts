/**
 * A service that runs only some hours a day, as a nightly batch: a run is held against the same part of the runs before, and
 * its length against theirs. Pure.
 *
 * ```
 *   ▇▇▇▇        ▇▇▇▇        ▇▇▇▇        ▇▇
 *   └┘          └┘          └┘          └┘ window: the run until now
 *   the first minutes of earlier runs, as many
 * ```
 */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { cellMs, learntDays, profilesMin } from "#alerts/detect/series/scales.ts";
import {
  deviationIn,
  increaseMin,
  increaseOf,
  indexAt,
  meanOf,
  type Series,
  type Span,
} from "#alerts/detect/series/series.ts";
import { medianOf } from "#alerts/detect/series/statistics.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";

/** A longer silence ends a run. */
const silenceMs = 2 * hourMs;
const runsMin = 3;
/** Of longer runs the noise of days is learnt. */
const activeShareMax = 0.5;
const deviationsMin = 5;
/** Few runs show little of their spread. */
const fewRuns = 2;

/** A run is long if it takes so many times the usual time, so much more, and so many times the longest one. */
const long = { times: 2, moreMs: 30 * minuteMs, timesLongest: 1.2 };
/** Runs that begin at other times of the day are no runs of one job. */
const sameTimeMs = 90 * minuteMs;

/** The run at this time against those before; undefined if the service runs all day, or has not run often enough. */
export function judgeRun(observed: Observed, atMs: number): Evaluation | undefined {
  const runs = runsBefore(observed.values, atMs);
  const now = runs.pop();
  if (now === undefined || runs.length < runsMin || activeShareOf(runs) > activeShareMax) return undefined;
  const byLevel = judgeLevel(observed, atMs, runs, now);
  return byLevel?.isSupported === true ? byLevel : (judgeLength(observed, atMs, runs, now) ?? byLevel);
}

/**
 * A run that takes much longer than those before uses more: they used nothing once they had ended. Its window is the whole run, in which
 * the time after the end of an earlier run counts as zero.
 */
function judgeLength(
  { values, riseMin, isGauge }: Observed,
  atMs: number,
  runs: readonly Span[],
  { fromMs }: Span,
): Evaluation | undefined {
  const toMs = values.atMs[indexAt(values, atMs) - 1] ?? fromMs;
  const lastsMs = toMs - fromMs;
  // Older profiles are known by their cell.
  const lengths = runs.map((run) => run.toMs - run.fromMs + cellMs);
  const usualMs = medianOf(lengths);
  const leastMs = Math.max(
    long.times * usualMs,
    usualMs + long.moreMs,
    long.timesLongest * Math.max(...lengths),
  );
  // Memory and goroutines of a run do not add up over its time.
  if (isGauge || lastsMs < leastMs) return undefined;
  const { mean: current, count } = meanOf(values, { fromMs, toMs: atMs });
  const areOfOneJob = runs.every(
    (run) => meanOf(values, withEnd(run)).count >= profilesMin && isSameTime(run.fromMs, fromMs),
  );
  if (count < profilesMin || !areOfOneJob) return undefined;
  const previous = medianOf(
    runs.map((run, index) => meanOf(values, withEnd(run)).mean * Math.min(1, lengths[index]! / lastsMs)),
  );
  const last = runs.at(-1)!;
  const increase = increaseOf(current, previous);
  return {
    window: { fromMs, toMs: atMs },
    baseline: { fromMs: last.fromMs, toMs: Math.min(fromMs, last.fromMs + lastsMs) },
    factor: 1,
    previous,
    current,
    increase,
    isSupported: increase >= increaseMin && current - previous >= riseMin,
    perHour: undefined,
    beganMs: fromMs,
    run: { lastsMs, usualMs },
  };
}

/** A run with its last profile. */
function withEnd({ fromMs, toMs }: Span): Span {
  return { fromMs, toMs: toMs + 1 };
}

function isSameTime(oneMs: number, otherMs: number): boolean {
  const apartMs = Math.abs(oneMs - otherMs) % dayMs;
  return Math.min(apartMs, dayMs - apartMs) <= sameTimeMs;
}

/** How much the run uses, against the same part of earlier runs. */
function judgeLevel(
  { values, riseMin }: Observed,
  atMs: number,
  runs: readonly Span[],
  now: Span,
): Evaluation | undefined {
  const window = { fromMs: now.fromMs, toMs: atMs };
  const parts = runs
    .map(({ fromMs }) => ({ fromMs, toMs: fromMs + atMs - now.fromMs }))
    .filter((part) => meanOf(values, part).count >= profilesMin);
  const { count, mean: current, logMean } = meanOf(values, window);
  if (count < profilesMin || parts.length < runsMin) return undefined;
  const earlier = parts.map((part) => meanOf(values, part));
  const logs = earlier.map((each) => each.logMean);
  const usual = medianOf(logs);
  const spread = medianOf(logs.map((each) => Math.abs(each - usual))) / 0.6745;
  const noise = Math.hypot(
    spread * (1 + fewRuns / parts.length),
    deviationIn(values, window) / Math.sqrt(count),
  );
  const previous = medianOf(earlier.map(({ mean }) => mean));
  const increase = increaseOf(current, previous);
  return {
    window,
    baseline: parts.at(-1)!,
    factor: 1,
    previous,
    current,
    increase,
    isSupported:
      increase >= increaseMin && current - previous >= riseMin && logMean - usual >= deviationsMin * noise,
    perHour: undefined,
    beganMs: now.fromMs,
  };
}

/** The runs of the last weeks, oldest first; the last one goes on at this time. None without a silence in the last day. */
function runsBefore({ atMs: times }: Series, atMs: number): Span[] {
  const end = indexAt({ atMs: times } as Series, atMs);
  const first = indexAt({ atMs: times } as Series, atMs - learntDays * dayMs);
  const runs: Span[] = [];
  let toMs = atMs;
  for (let at = end - 1; at >= first; at--) {
    const isFirst = at === first;
    if (!isFirst && times[at]! - times[at - 1]! < silenceMs) {
      if (runs.length === 0 && atMs - times[at]! > dayMs) return [];
      continue;
    }
    runs.push({ fromMs: times[at]!, toMs });
    toMs = isFirst ? toMs : times[at - 1]!;
  }
  return runs.reverse();
}

function activeShareOf(runs: readonly Span[]): number {
  const active = runs.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return active / Math.max(dayMs, runs.at(-1)!.toMs - runs[0]!.fromMs);
}
