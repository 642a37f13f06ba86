import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { increaseOf, requestsIn, resolveBelow } from "./detector.ts";
import type { Observed } from "./observed.ts";
import { expectedSince, type Reference } from "./reference.ts";
import { contrast, earlier, learntDays } from "./scales.ts";
import { meanOf, type Span } from "./series.ts";
import { explained } from "./usual.ts";
import { risesOverWeeks } from "./weeks-before.ts";

/** An alert also ends without a sudden fall once its values were low for this long: longer than a weekend. */
const slowMs = 3 * dayMs;
const newestMs = 30 * minuteMs;
const beforeMs = 2 * hourMs;
/**
 * The newest time within `reachMs` at which values fell suddenly, by half of the rise, since the alert began. A weekend or a night also
 * lowers them, but over hours: that is no rollback.
 */
export function suddenFall(
  observed: Observed,
  atMs: number,
  open: Reference,
  reachMs: number,
): number | undefined {
  const enough = enoughOf(open);
  let steepest: { readonly atMs: number; readonly change: number } | undefined;
  for (let back = newestMs; back <= reachMs; back += newestMs) {
    const change = unusualFall(observed, atMs - back, open);
    // The hours around a fall contain it as well.
    if (change === undefined || change > -enough) {
      if (steepest !== undefined) break;
    } else if (change < (steepest?.change ?? 0)) steepest = { atMs: atMs - back, change };
  }
  return steepest?.atMs;
}

/** The change at this time beyond that of other days and weeks, as a logarithm; undefined if values are still as high as no week was. */
function unusualFall(observed: Observed, atMs: number, open: Reference): number | undefined {
  const beganMs = open.beganMs ?? open.atMs;
  const after = { fromMs: atMs, toMs: atMs + newestMs };
  const before = { fromMs: Math.max(beganMs, atMs - beforeMs), toMs: atMs - 10 * minuteMs };
  const change = contrast(observed.values, after, before);
  if (change === undefined || isAboveAllWeeks(observed, after, open)) return undefined;
  const ofDay = explained(observed, { season: "day", elasticity: 0 }, [after, before]) ?? 0;
  return change - Math.min(0, ofDay, ...fallsOfWeekday(observed, after, before));
}

/** Half of the rise, as a logarithm. */
function enoughOf({ increase = 0 }: Reference): number {
  return Math.log1p(increase) / 2;
}

/** Whether values are still above those at this time in every week before the rise. More requests would explain that, where they are counted. */
function isAboveAllWeeks({ values, requests }: Observed, span: Span, open: Reference): boolean {
  if (requests.atMs.length > 0) return false;
  const rises = risesOverWeeks(values, span, open.beganMs ?? open.atMs);
  return rises.length > 0 && rises.every((rise) => rise >= enoughOf(open));
}

/** A rise that began as a weekend did hides the fall of that one: each week counts by itself. */
function fallsOfWeekday({ values }: Observed, after: Span, before: Span): number[] {
  const changes: number[] = [];
  for (let days = 7; days <= learntDays; days += 7) {
    const change = contrast(values, earlier(after, days * dayMs), earlier(before, days * dayMs));
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/** Whether values have been low for longer than a weekend. */
export function isLowForDays({ values, requests }: Observed, atMs: number, open: Reference): boolean {
  if (atMs - slowMs < (open.beganMs ?? open.atMs)) return false;
  for (let toMs = atMs; toMs > atMs - slowMs; toMs -= 2 * hourMs) {
    const span = { fromMs: toMs - 2 * hourMs, toMs };
    const { count, mean } = meanOf(values, span);
    if (count > 0 && increaseOf(mean, expectedSince(open, toMs, requestsIn(requests, span))) >= resolveBelow)
      return false;
  }
  return true;
}
