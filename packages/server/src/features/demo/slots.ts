import { demoRequests } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";

/** How often one kind of upload happens, for how long at this rate, and for how long at a lower one. */
export interface Cadence {
  readonly everyMs: number;
  readonly denseMs: number;
  readonly sparseEveryMs: number;
  readonly sparseMs: number;
}

export const profileCadence: Cadence = {
  everyMs: 15 * minuteMs,
  denseMs: dayMs,
  sparseEveryMs: hourMs,
  sparseMs: 7 * dayMs,
};

export const metricsCadence: Cadence = { ...profileCadence, everyMs: demoRequests.everyMs };

/**
 * The Unix milliseconds at which uploads of this cadence begin, ascending, within [fromMs, nowMs]: multiples of its
 * period, so that they do not depend on the time of the call.
 */
export function slotsOf(cadence: Cadence, fromMs: number, nowMs: number): number[] {
  const slots: number[] = [];
  const first = Math.max(fromMs, nowMs - cadence.sparseMs);
  for (
    let slot = Math.ceil(first / cadence.everyMs) * cadence.everyMs;
    slot <= nowMs;
    slot += cadence.everyMs
  ) {
    if (slot > nowMs - cadence.denseMs || slot % cadence.sparseEveryMs === 0) slots.push(slot);
  }
  return slots;
}
