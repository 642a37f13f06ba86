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

/** Cursor and selection of a chart by keyboard, as bucket indexes. `anchor` is where a selection began. */
export interface KeyCursor {
  readonly index: number | null;
  readonly anchor: number | null;
}

type KeyResult =
  | { readonly kind: "move"; readonly cursor: KeyCursor }
  | { readonly kind: "apply"; readonly from: number; readonly to: number }
  | { readonly kind: "clear" };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** The effect of a key, or undefined if it is not one of the chart's keys. Page Up and Page Down move a tenth of the chart. */
export function keyResult(
  cursor: KeyCursor,
  { key, shiftKey }: KeyPress,
  count: number,
): KeyResult | undefined {
  if (count === 0) return undefined;
  if (key === "Escape") return { kind: "clear" };
  if (key === "Enter") {
    if (cursor.index === null) return undefined;
    const anchor = cursor.anchor ?? cursor.index;
    return { kind: "apply", from: Math.min(anchor, cursor.index), to: Math.max(anchor, cursor.index) };
  }
  const target = targetOf(cursor.index, key, count);
  if (target === undefined) return undefined;
  const index = Math.min(count - 1, Math.max(0, target));
  const anchor = shiftKey ? (cursor.anchor ?? cursor.index ?? index) : null;
  return { kind: "move", cursor: { index, anchor } };
}

function targetOf(index: number | null, key: string, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  switch (key) {
    case "ArrowLeft":
      return index === null ? count - 1 : index - 1;
    case "ArrowRight":
      return index === null ? 0 : index + 1;
    case "PageUp":
      return (index ?? count) - page;
    case "PageDown":
      return (index ?? -1) + page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
