import type { Timeline } from "@flamekeep/contract";

/** Charts of the page whose cursors move together. */
export const syncGroup = "project";

export type TimelineField =
  | "cpu_seconds"
  | "memory_bytes"
  | "goroutine_count"
  | "mutex_usage"
  | "block_usage";

export function timelineValues({ data_points }: Timeline, field: TimelineField): (number | null)[] {
  return data_points.map((point) => point[field] ?? null);
}

export function timesOf(points: readonly { readonly timestamp: string }[]): number[] {
  return points.map(({ timestamp }) => Date.parse(timestamp));
}

/** The last measured value; null if there is none. */
export function lastValue(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}
