import { hourMs } from "@flamekeep/contract/durations";
import { profilesMin } from "#alerts/detect/series/scales.ts";
import { increaseOf, meanOf, requestsIn, type Span } from "#alerts/detect/series/series.ts";
import type { Evaluation, Observed } from "#alerts/detect/watched/observed.ts";
import { expectedSince, type Reference } from "./reference.ts";

/** Long enough that noise of single profiles does not change the severity. */
const windowMs = hourMs;

/**
 * The newest hour of an open alert against what is expected without the rise; undefined in the first hour, with few profiles, and for
 * alerts about some instances.
 */
export function levelOf(
  { values, requests }: Pick<Observed, "values" | "requests">,
  atMs: number,
  { open, baseline }: { readonly open: Reference; readonly baseline: Span },
): Evaluation | undefined {
  const window = { fromMs: atMs - windowMs, toMs: atMs };
  if (open.scope !== undefined || window.fromMs < open.atMs) return undefined;
  const { count, mean: current } = meanOf(values, window);
  if (count < profilesMin) return undefined;
  const previous = expectedSince(open, atMs, requestsIn(requests, window));
  const before = meanOf(values, baseline).mean;
  return {
    window,
    baseline,
    factor: before > 0 ? previous / before : 1,
    current,
    previous,
    increase: increaseOf(current, previous),
    isSupported: true,
    perHour: open.perHour,
    beganMs: open.beganMs,
  };
}
