/**
 * A threshold that people set, applied to the values of minutes. Pure.
 *
 * ```
 *                 ┌──┐  ┌─────── opened: every value was above for `minutes`
 *   threshold ────┘  └──┘·······└──────── resolved: back for as long, at most ten minutes
 *                    └ one value back starts the time again
 * ```
 *
 * A value counts until the next one. Where that is far away, there is a gap: it breaks the time, so that an alert neither opens
 * nor resolves because of it.
 */
import { limits } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";

/** The value of the minute that begins at `atMs`. */
export interface MinuteValue {
  readonly atMs: number;
  readonly value: number;
}

export interface Threshold {
  readonly comparison: "above" | "below";
  readonly threshold: number;
  readonly minutes: number;
}

export type RuleChange =
  | { readonly kind: "opened"; readonly atMs: number; readonly beganMs: number; readonly value: number }
  | { readonly kind: "resolved"; readonly atMs: number };

/** Values that follow each other on the same side of the threshold. */
interface Run {
  readonly isBeyond: boolean;
  readonly fromMs: number;
  /** The end of the minute of its last value. */
  readonly toMs: number;
  readonly value: number;
}

/** Senders with a profile every ten minutes have no gaps. */
const gapMsMin = 15 * minuteMs;
const gapMsMax = 6 * hourMs;
/** A distance of this many usual ones is a gap. */
const gapFactor = 3;
const backMsMax = limits.ruleBackMinutesMax * minuteMs;

/** How long before a span values must be known to judge it: at the beginning of the span a run may end that needs all of it. */
export function reachMsOf({ minutes }: Pick<Threshold, "minutes">): number {
  return minutes * minuteMs + gapMsMax;
}

/**
 * The changes in (fromMs, toMs], in their order. Values that arrived late for a time before the span change nothing in it, but an
 * alert opens or resolves at its end if they show that it should be open or over by then.
 *
 * @param values of minutes that ended by `toMs`, ascending, from `reachMsOf` before the span on
 */
export function ruleChanges(
  values: readonly MinuteValue[],
  rule: Threshold,
  span: Span,
  wasOpen: boolean,
): RuleChange[] {
  const gapMs = gapMsOf(values);
  const changes: RuleChange[] = [];
  let isOpen = wasOpen;
  const apply = (run: Run, atMs: number) => {
    const change = changeAt(run, rule, isOpen, atMs);
    if (change === undefined) return;
    isOpen = change.kind === "opened";
    changes.push(change);
  };
  let run: Run | undefined;
  for (const value of values) {
    run = extended(run, value, isBeyond(rule, value.value), gapMs);
    if (run.toMs > span.fromMs && run.toMs <= span.toMs) apply(run, run.toMs);
  }
  if (run !== undefined && (isOpen || span.toMs - run.toMs <= gapMs)) apply(run, span.toMs);
  return changes;
}

function isBeyond({ comparison, threshold }: Threshold, value: number): boolean {
  return comparison === "above" ? value > threshold : value < threshold;
}

function extended(run: Run | undefined, { atMs, value }: MinuteValue, beyond: boolean, gapMs: number): Run {
  const continues = run !== undefined && run.isBeyond === beyond && atMs - run.toMs <= gapMs;
  return { isBeyond: beyond, fromMs: continues ? run.fromMs : atMs, toMs: atMs + minuteMs, value };
}

function changeAt(run: Run, { minutes }: Threshold, isOpen: boolean, atMs: number): RuleChange | undefined {
  const lastedMs = run.toMs - run.fromMs;
  const neededMs = minutes * minuteMs;
  if (!isOpen && run.isBeyond && lastedMs >= neededMs)
    return { kind: "opened", atMs, beganMs: run.fromMs, value: run.value };
  if (isOpen && !run.isBeyond && lastedMs >= Math.min(neededMs, backMsMax)) return { kind: "resolved", atMs };
  return undefined;
}

/** The longest time between two values that is no gap. */
function gapMsOf(values: readonly MinuteValue[]): number {
  const apart = values.slice(1).map(({ atMs }, index) => atMs - values[index]!.atMs);
  const usual = apart.sort((a, b) => a - b)[apart.length >>> 1] ?? 0;
  return Math.min(gapMsMax, Math.max(gapMsMin, gapFactor * usual));
}
