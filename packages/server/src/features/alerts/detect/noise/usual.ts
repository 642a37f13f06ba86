import { dayMs } from "@flamekeep/contract/durations";
import { cellMs, contrast, earlier } from "#alerts/detect/series/scales.ts";
import type { Series, Span } from "#alerts/detect/series/series.ts";
import type { ScaleNoise } from "./noise.ts";
import { type Season, usualOf } from "./season.ts";

/** How a series is predicted. */
export interface Explanation {
  readonly season: Season;
  readonly elasticity: number;
  /** How much later the curve of the day is than it was. */
  readonly laterMs?: number;
}

/** The change between two spans that requests and time explain, as a logarithm; undefined if that is not known. */
export function explained(
  { values, requests }: { readonly values: Series; readonly requests: Series },
  { season, elasticity, laterMs = 0 }: Explanation,
  [window, baseline]: readonly [Span, Span],
): number | undefined {
  const back = (span: Span, days: number) => earlier(span, days * dayMs + (days === 0 ? 0 : laterMs));
  const byRequests = (daysBack: number) => {
    if (elasticity === 0) return 0;
    const requestChange = contrast(requests, back(window, daysBack), back(baseline, daysBack));
    return elasticity * (requestChange ?? Number.NaN);
  };
  const unexplained = (daysBack: number) => {
    const change = contrast(values, back(window, daysBack), back(baseline, daysBack));
    return (change ?? Number.NaN) - byRequests(daysBack);
  };
  const usual = usualOf(unexplained, season);
  const now = byRequests(0);
  return usual === undefined || Number.isNaN(now) ? undefined : usual + now;
}

/** The same for the two neighbouring spans of a scale that end at this time: the season is read from what was learnt. */
export function explainedAt(
  { requests }: { readonly requests: Series },
  { elasticity, predicted }: ScaleNoise,
  [window, baseline]: readonly [Span, Span],
): number | undefined {
  const requestChange = elasticity === 0 ? 0 : contrast(requests, window, baseline);
  if (requestChange === undefined) return undefined;
  if (predicted === undefined) return elasticity * requestChange;
  const usual = predicted.cells[Math.floor((window.toMs - predicted.fromMs) / cellMs)];
  return usual === undefined || Number.isNaN(usual) ? undefined : usual + elasticity * requestChange;
}
