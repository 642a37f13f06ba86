import { bucketSpan, spanOf, type TimeSpan } from "./series.ts";

/** Where a selection is taken hold of: at one of its ends, or as a whole. */
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

/** The selection after a drag by whole buckets, inside the chart. A drag at one end leaves the other end as it is. */
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
