import { isMeasured, type Values } from "./series.ts";

/**
 * Sums by bucket, without buckets that are not whole because they still fill or are only partly in the range: such a
 * sum is too small, and its line would seem to fall. They stay where no whole bucket has one, as after the first profile.
 * Buckets that are not whole are the first or the last ones.
 */
export function wholeSums(lines: readonly Values[], isWhole: (bucket: number) => boolean): readonly Values[] {
  const whole = lines.map((values) => wholePart(values, isWhole));
  return whole.some((values) => values.some(isMeasured)) ? whole : lines;
}

function wholePart(values: Values, isWhole: (bucket: number) => boolean): Values {
  let from = 0;
  let end = values.length;
  while (from < end && !isWhole(from)) from++;
  while (end > from && !isWhole(end - 1)) end--;
  // Asking for each of thousands of buckets takes longer than drawing them.
  return from === 0 && end === values.length ? values : values.slice().fill(null, 0, from).fill(null, end);
}
