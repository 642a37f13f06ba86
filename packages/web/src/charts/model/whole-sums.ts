import type { Values } from "./series.ts";

/**
 * Sums by bucket, without those of buckets that are not whole because they still fill or are only partly in the range: such a
 * sum is too small, and its line would seem to fall. They stay where no whole bucket has one, as after the first profile.
 */
export function wholeSums(lines: readonly Values[], isWhole: (bucket: number) => boolean): readonly Values[] {
  const whole = lines.map((values) => values.map((value, at) => (isWhole(at) ? value : null)));
  return whole.some((values) => values.some((value) => value !== null)) ? whole : lines;
}
