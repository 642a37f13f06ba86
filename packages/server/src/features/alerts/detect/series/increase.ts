import { meanOf, type Series, type Span } from "./series.ts";

/** The smallest rise that opens an alert. */
export const increaseMin = 0.2;
/** An open alert is resolved below this rise; lower than `increaseMin`, so that it does not flap around one threshold. */
export const resolveBelow = 0.1;
/** Requests are known in a span with at least this many minutes that have any. */
export const busyMinutesMin = 3;

/** The rise as a share of the previous value: 0.5 for +50%; 0 if the previous value is 0. */
export function increaseOf(current: number, previous: number): number {
  return previous > 0 ? (current - previous) / previous : 0;
}

/** Mean requests per minute, over minutes with requests; undefined if there are too few such minutes. */
export function requestsIn(requests: Series, span: Span): number | undefined {
  const { count, mean: perMinute } = meanOf(requests, span);
  return count < busyMinutesMin ? undefined : perMinute;
}
