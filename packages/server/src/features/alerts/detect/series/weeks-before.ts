import { dayMs } from "@flamekeep/contract/durations";
import { contrast, earlier, learntDays } from "./scales.ts";
import type { Series, Span } from "./series.ts";

/**
 * How much higher values are than at the same time of each week before, as logarithms, newest week first. Only weeks whose time
 * ended before `beforeMs` and that have enough profiles.
 */
export function risesOverWeeks(values: Series, window: Span, beforeMs: number): number[] {
  const rises: number[] = [];
  for (let days = 7; days <= learntDays; days += 7) {
    const then = earlier(window, days * dayMs);
    const rise = then.toMs <= beforeMs ? contrast(values, window, then) : undefined;
    if (rise !== undefined) rises.push(rise);
  }
  return rises;
}
