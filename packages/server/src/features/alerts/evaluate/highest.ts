import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { learntDays, profilesMin } from "#alerts/detect/series/scales.ts";
import { meanOf, type Series } from "#alerts/detect/series/series.ts";

/** The mean of the highest hour of the weeks before this time, for what is known to be possible; null if nothing is known. */
export function highestBefore(values: Series, beforeMs: number): { value: number; at: string } | null {
  let highest: { value: number; at: string } | null = null;
  for (let toMs = beforeMs; toMs > beforeMs - learntDays * dayMs; toMs -= hourMs) {
    const { count, mean } = meanOf(values, { fromMs: toMs - hourMs, toMs });
    if (count < profilesMin || mean <= (highest?.value ?? 0)) continue;
    highest = { value: mean, at: new Date(toMs - hourMs).toISOString() };
  }
  return highest;
}
