import { dayMs } from "@flamekeep/contract/durations";
import { type Learnt, type Season, usualOf } from "./noise.ts";
import { cellMs, contrast, earlier } from "./scales.ts";
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

/** The same for the two neighbouring spans of a scale that end at this time: the season is read from what was learnt. */
export function explainedAt(
  { requests }: { readonly requests: Series },
  { elasticity, predicted }: Learnt,
  [window, baseline]: readonly [Span, Span],
): number | undefined {
  const asked = elasticity === 0 ? 0 : contrast(requests, window, baseline);
  if (asked === undefined) return undefined;
  if (predicted === undefined) return elasticity * asked;
  const usual = predicted.cells[Math.floor((window.toMs - predicted.fromMs) / cellMs)];
  return usual === undefined || Number.isNaN(usual) ? undefined : usual + elasticity * asked;
}
