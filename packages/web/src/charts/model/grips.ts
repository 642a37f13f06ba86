import { spanOf, type TimeSpan } from "./series.ts";

/** The part of a selection that is dragged: one of its ends, or the whole. */
export type Grip = "from" | "to" | "move";

interface GripDrag {
  readonly grip: Grip;
  /** Time under the pointer where the drag began, and now. */
  readonly startMs: number;
  readonly atMs: number;
}

interface Buckets {
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
}

/**
 * The selection after a drag inside the chart. An end goes to the nearest edge of a bucket, whether or not the bucket has values, and
 * leaves the other end as it is. The whole moves by whole buckets.
 */
export function draggedSpan(span: TimeSpan, drag: GripDrag, { timesMs, bucketMs }: Buckets): TimeSpan {
  const { grip, startMs, atMs } = drag;
  const whole = spanOf(timesMs, bucketMs);
  if (grip === "move") {
    const wantedMs = Math.round((atMs - startMs) / bucketMs) * bucketMs;
    // A selection that reaches over an end of the chart stays there.
    const leastMs = Math.min(0, whole.fromMs - span.fromMs);
    const mostMs = Math.max(0, whole.toMs - span.toMs);
    const byMs = Math.min(mostMs, Math.max(leastMs, wantedMs));
    return { fromMs: span.fromMs + byMs, toMs: span.toMs + byMs };
  }
  const fixedMs = grip === "from" ? span.toMs : span.fromMs;
  const nearestMs = whole.fromMs + Math.round((atMs - whole.fromMs) / bucketMs) * bucketMs;
  const edgeMs = Math.min(whole.toMs, Math.max(whole.fromMs, nearestMs));
  // A selection is never empty.
  if (edgeMs === fixedMs) return span;
  return { fromMs: Math.min(edgeMs, fixedMs), toMs: Math.max(edgeMs, fixedMs) };
}
