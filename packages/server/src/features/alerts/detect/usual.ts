import { dayMs } from "@flamekeep/contract/durations";
import { type Season, usualOf } from "./noise.ts";
import { contrast, earlier } from "./scales.ts";
import type { Series, Span } from "./series.ts";

export interface Explanation {
  readonly season: Season;
  readonly elasticity: number;
}

/** The change between two spans that requests and time explain, as a logarithm; undefined if that is not known. */
export function explained(
  { values, requests }: { readonly values: Series; readonly requests: Series },
  { season, elasticity }: Explanation,
  [window, baseline]: readonly [Span, Span],
): number | undefined {
  const followed = (daysBack: number) => {
    if (elasticity === 0) return 0;
    const asked = contrast(requests, earlier(window, daysBack * dayMs), earlier(baseline, daysBack * dayMs));
    return elasticity * (asked ?? Number.NaN);
  };
  const rest = (daysBack: number) => {
    const change = contrast(values, earlier(window, daysBack * dayMs), earlier(baseline, daysBack * dayMs));
    return (change ?? Number.NaN) - followed(daysBack);
  };
  const usual = usualOf(rest, season);
  const now = followed(0);
  return usual === undefined || Number.isNaN(now) ? undefined : usual + now;
}
