import { spanMs } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { isoText, type RangeQuery } from "#time-range/view-range.ts";

/** The range of the same length that ends where this one begins; undefined if `from` and `to` are no range. */
export function periodBefore({ from, to }: RangeQuery): RangeQuery | undefined {
  const length = to === "now" ? spanMs(from) : undefined;
  if (length !== undefined) return { from: `${(2 * length) / minuteMs}m`, to: from };
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (!(fromMs < toMs)) return undefined;
  return { from: isoText(2 * fromMs - toMs), to: isoText(fromMs) };
}
