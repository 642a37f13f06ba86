import { cellMs } from "#alerts/detect/series/scales.ts";

/** Signals of the routes of a service, which are judged as profiles are. */
export const httpSignals = {
  /** Seconds, and 5 ms. */
  http_p95: { unit: "seconds", riseMin: 0.005 },
  /** The fraction of requests with status 5xx, and one percentage point. Refused requests (4xx) are the callers' part. */
  http_error_rate: { unit: "ratio", riseMin: 0.01 },
} as const;
export type HttpSignal = keyof typeof httpSignals;

/**
 * Ten minutes of a route are one value if they have a hundred requests. Five of them are above the p95, which then varies by about a
 * seventh where durations are distributed exponentially; fewer would be the noise of single requests. One failed
 * request is a percentage point, the smallest rise of the error rate.
 */
export const httpCells = { cellMs, requestsMin: 100 } as const;
/** The busiest routes of a service; the rest has few requests and would cost as much. */
export const routesMax = 10;
/** Lower rates count as this much: a rise from nothing has no size. */
export const errorRateMin = 0.001;

/** The profile type whose evidence an alert about requests has. */
export const evidenceType = "cpu";
export const evidenceSampleType = "cpu/nanoseconds";

/** The sample type of the series: `http_p95/seconds GET /checkout`. */
export function httpSampleType(signal: HttpSignal, route: string): string {
  return `${signal}/${httpSignals[signal].unit} ${route}`;
}

/** The opposite of `httpSampleType`; undefined of sample types of profiles. */
export function toHttpSeries(
  sampleType: string,
): { readonly signal: HttpSignal; readonly route: string } | undefined {
  const signal = (Object.keys(httpSignals) as HttpSignal[]).find((each) =>
    sampleType.startsWith(`${each}/${httpSignals[each].unit} `),
  );
  return signal === undefined ? undefined : { signal, route: sampleType.slice(sampleType.indexOf(" ") + 1) };
}
