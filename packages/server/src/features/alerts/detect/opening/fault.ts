/**
 * Values that are faults by themselves, such as leaked goroutines: the first one above zero opens an alert, and values of zero end it.
 *
 * ```
 *   0  0  3  3  0  3  0  0  0
 *         ^ opened       ^ resolved: none for longer than twice the usual time between two faults
 * ```
 *
 * Instances send their profiles in turn: one without the fault ends nothing.
 */
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Change } from "#alerts/detect/observed.ts";
import type { Reference } from "#alerts/detect/resolution/reference.ts";
import { stepMs } from "#alerts/detect/series/scales.ts";
import { indexAt, type Series, type Span } from "#alerts/detect/series/series.ts";

const quietMsMin = 30 * minuteMs;
const baselineMs = hourMs;

/** The first change in (fromMs, toMs]. */
export function nextFaultChange(
  values: Series,
  { fromMs, toMs }: Span,
  open: Reference | undefined,
): Change | undefined {
  return open === undefined ? opening(values, { fromMs, toMs }) : resolution(values, { fromMs, toMs }, open);
}

/** A profile of the last step before the span may have arrived after it was evaluated. */
function opening(values: Series, { fromMs, toMs }: Span): Change | undefined {
  const first = faultIn(values, { fromMs: fromMs - stepMs, toMs });
  if (first === undefined) return undefined;
  const beganMs = values.atMs[first]!;
  const atMs = Math.max(fromMs + stepMs, Math.ceil((beganMs + 1) / stepMs) * stepMs);
  if (atMs > toMs) return undefined;
  const evaluation = {
    window: { fromMs: beganMs, toMs: atMs },
    baseline: { fromMs: beganMs - baselineMs, toMs: beganMs },
    factor: 1,
    previous: 0,
    current: values.value[first]!,
    increase: 0,
    isSupported: true,
    perHour: undefined,
    beganMs,
  };
  return { kind: "opened", atMs, evaluation };
}

function faultIn({ value, atMs }: Series, { fromMs, toMs }: Span): number | undefined {
  for (let at = indexAt({ atMs } as Series, fromMs); at < value.length && atMs[at]! < toMs; at++)
    if (value[at]! > 0) return at;
  return undefined;
}

/** Ends with the first profile without the fault that is late enough after the last one with it. */
function resolution(values: Series, { fromMs, toMs }: Span, open: Reference): Change | undefined {
  const first = indexAt(values, open.beganMs ?? open.atMs);
  let lastMs = values.atMs[first] ?? open.atMs;
  let quietMs = quietMsMin;
  for (let at = first; at < values.value.length; at++) {
    const ms = values.atMs[at]!;
    const endMs = Math.ceil((ms + 1) / stepMs) * stepMs;
    if (endMs > toMs) return undefined;
    if (values.value[at]! > 0) {
      quietMs = Math.max(quietMs, 2 * (ms - lastMs));
      lastMs = ms;
    } else if (ms - lastMs >= quietMs && endMs > fromMs) {
      return { kind: "resolved", atMs: endMs };
    }
  }
  return undefined;
}
