import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { explained } from "#alerts/detect/noise/usual.ts";
import { contrast, earlier, learntDays, risesOverWeeks } from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, requestsIn, resolveBelow, type Span } from "#alerts/detect/series/series.ts";
import type { Fall } from "#alerts/detect/series/steep-falls.ts";
import type { Observed } from "#alerts/detect/watched/observed.ts";
import { expectedSince, type Reference } from "./reference.ts";

/** An alert also ends without a sudden fall once its values were low for this long: longer than a weekend. */
const slowMs = 3 * dayMs;
const newestMs = 30 * minuteMs;
const beforeMs = 2 * hourMs;

/**
 * The newest sudden fall within `reachMs` since the alert began, by most of the rise. A weekend or a night also lowers values, but
 * over hours: that is no sudden fall.
 */
export function fallThatEnds(
  observed: Observed,
  atMs: number,
  open: Reference,
  reachMs: number,
): Fall | undefined {
  let steepest: Fall | undefined;
  for (let back = newestMs; back <= reachMs; back += newestMs) {
    const fall = fallAt(observed, atMs - back, open);
    // Windows near a fall show a part of it.
    if (fall === undefined && steepest !== undefined) break;
    if (fall !== undefined && fall.by > (steepest?.by ?? 0)) steepest = fall;
  }
  return steepest;
}

/** The fall at this time beyond those at this time on other days; undefined if it is less than most of the rise. */
function fallAt(observed: Observed, atMs: number, open: Reference): Fall | undefined {
  const after = { fromMs: atMs, toMs: atMs + newestMs };
  const before = { fromMs: Math.max(beginningOf(open), atMs - beforeMs), toMs: atMs - 10 * minuteMs };
  const change = contrast(observed.values, after, before);
  if (change === undefined || -change < fallMinOf(open) || isAboveAllWeeks(observed, after, open))
    return undefined;
  const ofDay = explained(observed, { season: "day", elasticity: 0 }, [after, before]) ?? 0;
  const by = Math.min(0, ofDay, ...fallsOfWeekday(observed, [after, before], open)) - change;
  return by < fallMinOf(open) ? undefined : { atMs, by };
}

function beginningOf({ beganMs, atMs }: Reference): number {
  return beganMs ?? atMs;
}

/** A fall that ends a rise takes back at least this part of it. A weekend takes back half of some. */
const fallShare = 0.65;

/** The smallest fall that ends the rise, as a logarithm. */
function fallMinOf({ increase = 0 }: Reference): number {
  return fallShare * Math.log1p(increase);
}

/** Whether values are still above those at this time in every week before the rise. More requests would explain that, where they are counted. */
function isAboveAllWeeks({ values, requests }: Observed, span: Span, open: Reference): boolean {
  if (requests.atMs.length > 0) return false;
  const rises = risesOverWeeks(values, span, beginningOf(open));
  return rises.length > 0 && rises.every((rise) => rise >= fallMinOf(open));
}

/** The level before a batch and the one after it differ by less than this, as a logarithm. */
const sameLevel = Math.log(1.15);

/**
 * The change between the same two times of each earlier week. They are not averaged: a rise that began with a weekend hides the fall
 * of that weekend. A batch of each week only returns to the level before it, which a weekend does not.
 */
function fallsOfWeekday(
  { values }: Observed,
  [after, before]: readonly [Span, Span],
  open: Reference,
): number[] {
  const beganMs = beginningOf(open);
  const changes: number[] = [];
  for (let days = 7; days <= learntDays; days += 7) {
    const [then, start] = [earlier(after, days * dayMs), beganMs - days * dayMs];
    const change = contrast(values, then, earlier(before, days * dayMs));
    const sinceStart = contrast(values, then, { fromMs: start - hourMs, toMs: start });
    const isBatch = sinceStart !== undefined && Math.abs(sinceStart) <= sameLevel;
    if (change !== undefined && !isBatch) changes.push(change);
  }
  return changes;
}

/** Whether values have been low for longer than a weekend. */
export function isLowForDays(observed: Observed, atMs: number, open: Reference): boolean {
  const fromMs = atMs - slowMs;
  return fromMs >= beginningOf(open) && isLowSince(observed, { fromMs, toMs: atMs }, 2 * hourMs, open);
}

/** Whether no step of the span is above what is expected without the rise. Steps without profiles do not count. */
export function isLowSince(
  { values, requests }: Observed,
  { fromMs, toMs: endMs }: Span,
  stepMs: number,
  open: Reference,
): boolean {
  for (let toMs = endMs; toMs > fromMs; toMs -= stepMs) {
    const span = { fromMs: toMs - stepMs, toMs };
    const { count, mean } = meanOf(values, span);
    if (count > 0 && increaseOf(mean, expectedSince(open, toMs, requestsIn(requests, span))) >= resolveBelow)
      return false;
  }
  return true;
}
