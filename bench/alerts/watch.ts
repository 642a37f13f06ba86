import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { nextChange } from "@flamekeep/server/alerts/detect/next-change.ts";
import type { Reference, UsualDay } from "@flamekeep/server/alerts/detect/resolution/reference.ts";
import { stepMs } from "@flamekeep/server/alerts/detect/series/scales.ts";
import { meanOf, requestsIn, type Series } from "@flamekeep/server/alerts/detect/series/series.ts";
import { medianOf } from "@flamekeep/server/alerts/detect/series/statistics.ts";
import type { Observed } from "@flamekeep/server/alerts/detect/watched/observed.ts";

export interface Alert {
  readonly atMs: number;
  readonly increase: number;
  /** undefined while open. */
  readonly resolvedMs: number | undefined;
}

/** Every alert the detector gives over the whole time. */
export function watch(observed: Observed, endMs: number): Alert[] {
  const alerts: Alert[] = [];
  let open: { reference: Reference; increase: number } | undefined;
  let fromMs = 0;
  for (;;) {
    const toMs = Math.floor(endMs / stepMs) * stepMs;
    const change = nextChange(observed, { fromMs, toMs }, open?.reference);
    if (change === undefined) break;
    fromMs = change.atMs;
    if (change.kind === "opened") {
      const { previous, increase, baseline, window, scope, perHour, restartsEveryMs } = change.evaluation;
      const requests = requestsIn(observed.requests, window);
      const usual = usualBefore(observed, baseline.fromMs);
      const beganMs = change.evaluation.beganMs ?? window.fromMs;
      open = {
        reference: {
          atMs: change.atMs,
          previous,
          requests,
          usual,
          increase,
          beganMs,
          perHour,
          restartsEveryMs,
          scope,
        },
        increase,
      };
    } else if (open !== undefined) {
      alerts.push({ atMs: open.reference.atMs, increase: open.increase, resolvedMs: change.atMs });
      open = undefined;
    }
  }
  if (open !== undefined) {
    alerts.push({ atMs: open.reference.atMs, increase: open.increase, resolvedMs: undefined });
  }
  return alerts;
}

function usualBefore({ values, requests }: Observed, beforeMs: number): UsualDay {
  return { values: usualByHour(values, beforeMs), requests: usualByHour(requests, beforeMs) };
}

/** Medians by hour of the day over the week before. */
function usualByHour(series: Series, beforeMs: number): (number | null)[] {
  const byHour = Array.from({ length: 24 }, (): number[] => []);
  const firstHour = Math.floor((beforeMs - 7 * dayMs) / hourMs);
  for (let hour = Math.max(0, firstHour); (hour + 1) * hourMs <= beforeMs; hour++) {
    const { mean, count } = meanOf(series, { fromMs: hour * hourMs, toMs: (hour + 1) * hourMs });
    if (count > 0) byHour[hour % 24]!.push(mean);
  }
  return byHour.map((values) => (values.length === 0 ? null : medianOf(values)));
}
