/** Whether more traffic explains a rise: by its requests where they are counted, else by the other types of profile. */
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Noise, ScaleNoise } from "#alerts/detect/noise/noise.ts";
import { usualOf } from "#alerts/detect/noise/season.ts";
import { earlier, learntDays } from "#alerts/detect/series/scales.ts";
import { meanOf, type Series, type Span } from "#alerts/detect/series/series.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";

/** A rise that all types share is reported after this time, although nobody counts requests: spikes are over by then. */
const sharedMs = 24 * hourMs;
/** Traffic explains a rise if every type that follows traffic shows at least this part of it. */
const sharedShare = 0.25;
/** A type that is not known to move with the others follows traffic little: more traffic raises them by at least this part. */
const unknownShare = 0.5;
/** Spans of the first evaluations after a change hold few profiles. */
const spanProfilesMin = 2;

type Rise = Pick<Evaluation, "window" | "baseline" | "increase">;

/**
 * @param found the rise from its change point on
 * @param whole the rise over the window that shows it, which does not depend on where the change point was found
 */
export function isTraffic(
  observed: Observed,
  noise: Noise,
  by: ScaleNoise,
  { found, whole }: { readonly found: Rise; readonly whole: Rise },
): boolean {
  const rises = [found, whole];
  if (observed.requests.atMs.length > 0)
    return rises.some(
      (rise) => isExplainedByRequests(observed, noise, by, rise) || isExplainedByNewRequests(observed, rise),
    );
  if (beginsWithRelease(observed, found.window)) return false;
  return rises.some((rise) => !isLong(rise) && isExplainedBySiblings(observed, noise, rise));
}

/** Above the requests of usual hours by this factor nobody knows how the service follows them. */
const newRequests = 1.25;
/** The part of all hours that may have had as many: those of earlier load tests. */
const unusualHours = 0.02;

/** Waiting for locks grows faster than requests. */
const followsAtMost = 1.5;

/** Far more requests than ever explain a rise that they are large enough for, if every other type rose as well. */
export function isExplainedByNewRequests(
  { requests, siblings }: Observed,
  { window, baseline, increase }: Rise,
): boolean {
  const rise = Math.log1p(increase);
  const more = unusualChange(requests, window, baseline) ?? 0;
  if (rise > followsAtMost * more || !areRequestsNew(requests, window)) return false;
  return siblings.every((values) => {
    const change = changeOf(values, window, baseline);
    return change === undefined || change >= sharedShare * rise;
  });
}

/** Whether there are far more requests than in the hours of the weeks before, as in a load test. */
function areRequestsNew(requests: Series, window: Span): boolean {
  const now = meanOf(requests, window);
  const hours = { known: 0, asMany: 0 };
  for (let back = 1; back <= (learntDays * dayMs) / hourMs; back++) {
    const hour = { fromMs: window.fromMs - back * hourMs, toMs: window.fromMs - (back - 1) * hourMs };
    const { count, mean } = meanOf(requests, hour);
    if (count === 0) continue;
    hours.known++;
    if (now.mean < newRequests * mean) hours.asMany++;
  }
  return hours.known > 0 && hours.asMany <= unusualHours * hours.known;
}

function isLong({ window }: Rise): boolean {
  return window.toMs - window.fromMs >= sharedMs;
}

/** A learnt elasticity is of usual hours. Twice the requests may cost half as much again. */
const surplus = 1.5;

function isExplainedByRequests({ requests }: Observed, noise: Noise, by: ScaleNoise, found: Rise): boolean {
  const unusual = unusualChange(requests, found.window, found.baseline);
  if (unusual === undefined || unusual <= 0) return false;
  const elasticity = Math.min(1, surplus * noise.elasticity) - by.elasticity;
  return Math.log1p(found.increase) - elasticity * unusual < by.threshold;
}

/**
 * A release makes some types worse and leaves another as it was; more traffic raises all that ever followed each other.
 * A single one that follows may be worse by the same release: where fewer than two are known, two must rise by half.
 */
function isExplainedBySiblings(
  { siblings }: Observed,
  noise: Noise,
  { window, baseline, increase }: Rise,
): boolean {
  const rise = Math.log1p(increase);
  const rises = siblings.map((values) => unusualChange(values, window, baseline));
  const implied = rises.flatMap((each, index) => {
    const ratio = noise.siblingRatios[index];
    return each === undefined || ratio === undefined ? [] : [each * ratio];
  });
  if (Math.min(...implied) < sharedShare * rise) return false;
  if (implied.length >= 2) return true;
  const compared = rises.filter((each) => each !== undefined);
  const needed = implied.length === 0 ? 2 : Math.min(2, compared.length);
  return compared.filter((each) => each >= unknownShare * rise).length >= needed;
}

/** The change between two spans without the usual change of the days before, as a logarithm. */
function unusualChange(values: Series, window: Span, baseline: Span): number | undefined {
  const changeOn = (daysBack: number) => {
    const byMs = daysBack * dayMs;
    return changeOf(values, earlier(window, byMs), earlier(baseline, byMs)) ?? Number.NaN;
  };
  const now = changeOn(0);
  return Number.isNaN(now) ? undefined : now - (usualOf(changeOn, "day") ?? 0);
}

function changeOf(values: Series, window: Span, baseline: Span): number | undefined {
  const [after, before] = [meanOf(values, window), meanOf(values, baseline)];
  return Math.min(after.count, before.count) < spanProfilesMin ? undefined : after.logMean - before.logMean;
}

/** A new version explains a rise that begins from ten minutes before its first profile on. */
const aroundMs = { before: 10 * minuteMs, after: 30 * minuteMs };

/** Whether a new version came when the window began: then a rise that all types share is not taken for traffic. */
export function beginsWithRelease({ releasedMs }: Observed, { fromMs }: Span): boolean {
  return releasedMs.some((ms) => fromMs >= ms - aroundMs.before && fromMs <= ms + aroundMs.after);
}
