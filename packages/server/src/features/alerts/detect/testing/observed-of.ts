import { NoiseCache } from "#alerts/detect/noise/noise-cache.ts";
import { emptySeries, type Series } from "#alerts/detect/series/series.ts";
import type { Observed } from "#alerts/detect/watched/observed.ts";

/** A series without requests, other types, releases and instances, except those given. */
export function observedOf(values: Series, more: Partial<Observed> = {}): Observed {
  return {
    values,
    requests: emptySeries,
    siblings: [],
    isGauge: false,
    riseMin: 0,
    releasedMs: [],
    noise: new NoiseCache(),
    instances: [],
    ...more,
  };
}
