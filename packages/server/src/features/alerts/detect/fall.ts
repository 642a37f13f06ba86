import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { increaseOf, requestsIn, resolveBelow } from "./detector.ts";
import type { Observed } from "./observed.ts";
import { expectedSince, type Reference } from "./reference.ts";
import { contrast, earlier, learntDays } from "./scales.ts";
import { meanOf, type Span } from "./series.ts";
import { explained } from "./usual.ts";

/** An alert also ends without a sudden fall once its values were low for this long: longer than a weekend. */
const slowMs = 3 * dayMs;
const newestMs = 30 * minuteMs;
const beforeMs = 2 * hourMs;
/** A rollback is looked for in this time: its fall is compared with the time just before it. */
const rollbackMs = 6 * hourMs;

/**
 * Whether values fell suddenly since the alert began, by half of the rise, or have been low for days. A weekend or a
 * night also lowers them, but over hours: that is no rollback.
 */
export function hasFallen(observed: Observed, atMs: number, open: Reference): boolean {
  if (open.increase === undefined) return true;
  const enough = Math.log1p(open.increase) / 2;
  for (let back = newestMs; back <= rollbackMs; back += newestMs) {
    const fellMs = atMs - back;
    const after = { fromMs: fellMs, toMs: fellMs + newestMs };
    const before = {
      fromMs: Math.max(open.beganMs ?? open.atMs, fellMs - beforeMs),
      toMs: fellMs - 10 * minuteMs,
    };
    const change = contrast(observed.values, after, before);
    if (change === undefined) continue;
    const ofDay = explained(observed, { season: "day", elasticity: 0 }, [after, before]) ?? 0;
    if (change - Math.min(0, ofDay, ...fallsOfWeekday(observed, after, before)) <= -enough) return true;
  }
  return isLowForDays(observed, atMs, open);
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

function isLowForDays({ values, requests }: Observed, atMs: number, open: Reference): boolean {
  if (atMs - slowMs < (open.beganMs ?? open.atMs)) return false;
  for (let toMs = atMs; toMs > atMs - slowMs; toMs -= 2 * hourMs) {
    const span = { fromMs: toMs - 2 * hourMs, toMs };
    const { count, mean } = meanOf(values, span);
    if (count > 0 && increaseOf(mean, expectedSince(open, toMs, requestsIn(requests, span))) >= resolveBelow)
      return false;
  }
  return true;
}
