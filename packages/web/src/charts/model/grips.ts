import { bucketSpan, spanOf, type TimeSpan } from "./series.ts";

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

/** The selection after a drag. It changes by whole buckets inside the chart; dragging one end leaves the other as it is. */
export function draggedSpan(span: TimeSpan, drag: GripDrag, { timesMs, bucketMs }: Buckets): TimeSpan {
  const { grip, startMs, atMs } = drag;
  if (grip === "move") {
    const whole = spanOf(timesMs, bucketMs);
    const wantedMs = Math.round((atMs - startMs) / bucketMs) * bucketMs;
    // A selection that reaches over an end of the chart stays there.
    const leastMs = Math.min(0, whole.fromMs - span.fromMs);
    const mostMs = Math.max(0, whole.toMs - span.toMs);
    const byMs = Math.min(mostMs, Math.max(leastMs, wantedMs));
    return { fromMs: span.fromMs + byMs, toMs: span.toMs + byMs };
  }
  const fixedMs = grip === "from" ? span.toMs : span.fromMs;
  const buckets = bucketSpan(timesMs, bucketMs, atMs, fixedMs);
  return atMs < fixedMs ? { fromMs: buckets.fromMs, toMs: fixedMs } : { fromMs: fixedMs, toMs: buckets.toMs };
}
