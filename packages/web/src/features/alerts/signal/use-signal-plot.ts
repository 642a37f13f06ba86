import { type Alert, httpTimeline, serviceSeries } from "@flamekeep/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { tagQuery } from "#profile-series/series-query.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { intervalMinutes, requestPlot, routeQuery } from "./request-series.ts";
import { type SignalPlot, seriesRange, signalPlot } from "./signal-series.ts";

/** Undefined while values are read; without a plot if none are stored. */
export function useSignalPlot(alert: Alert): { readonly plot: SignalPlot | undefined } | undefined {
  const range = seriesRange(alert, useMinute());
  return useQuery({
    queryKey: ["signal-plot", alert.id, range.from, range.to],
    queryFn: async ({ signal }) => ({ plot: await plotIn(alert, range, signal) }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

async function plotIn(
  alert: Alert,
  { from, to, bucket }: ReturnType<typeof seriesRange>,
  signal: AbortSignal,
): Promise<SignalPlot | undefined> {
  const { service, profile_type: type, sample_type } = alert;
  if (alert.signal !== undefined) {
    const interval = intervalMinutes(alert, bucket);
    const include_statuses = String(alert.signal === "http_error_rate");
    const query = { from, to, interval, include_statuses, ...routeQuery(alert) };
    return requestPlot(alert, alert.signal, await call(httpTimeline, { params: { service }, query, signal }));
  }
  const query = { from, to, bucket, sample_type, ...tagQuery(alert.rule?.tags ?? {}) };
  return signalPlot(alert, await call(serviceSeries, { params: { service, type }, query, signal }));
}
