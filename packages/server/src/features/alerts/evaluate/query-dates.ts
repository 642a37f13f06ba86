import type { Span } from "#alerts/detect/series/series.ts";

/** The parameters of a query about a span. */
export function datesOf({ fromMs, toMs }: Span): { readonly from: Date; readonly to: Date } {
  return { from: new Date(fromMs), to: new Date(toMs) };
}
