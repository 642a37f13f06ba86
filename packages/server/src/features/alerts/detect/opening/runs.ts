/**
 * A service that runs only some hours a day, as a nightly batch: a run is held against the same part of the runs before. Pure.
 *
 * ```
 *   ▇▇▇▇        ▇▇▇▇        ▇▇▇▇        ▇▇
 *   └┘          └┘          └┘          └┘ window: the run until now
 *   the first minutes of earlier runs, as many
 * ```
 */
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { learntDays, profilesMin } from "#alerts/detect/series/scales.ts";
import {
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

/** The run at this time against those before; undefined if the service runs all day, or has not run often enough. */
export function judgeRun({ values, riseMin }: Observed, atMs: number): Evaluation | undefined {
  const runs = runsBefore(values, atMs);
  const now = runs.pop();
  if (now === undefined || runs.length < runsMin || activeShareOf(runs) > activeShareMax) return undefined;
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

/** The standard deviation of a profile, as a logarithm, from the differences of neighbours. */
function deviationIn(values: Series, { fromMs, toMs }: Span): number {
  const logs = Array.from(values.value.subarray(indexAt(values, fromMs), indexAt(values, toMs)), (each) =>
    Math.log(Math.max(each, 1e-9)),
  );
  const steps = logs.slice(1).map((each, index) => (each - logs[index]!) ** 2 / 2);
  return Math.sqrt(steps.reduce((sum, each) => sum + each, 0) / Math.max(1, steps.length));
}
