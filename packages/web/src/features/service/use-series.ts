import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { timedCharts } from "#profile-series/timed-charts.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { seriesOfPage } from "./series-of-page.ts";
import type { Explore } from "./use-explore.ts";

/** The series of the page's range, ready to draw. */
export function useSeries(explore: Explore) {
  const { service, tab, time, sampleType, groupBy, bucket, tags, labels, splitLabel, isStacked } = explore;
  const options = seriesOfPage({
    service,
    tab,
    range: time.range,
    sampleType,
    groupBy,
    splitLabel,
    bucket,
    tags,
    labels,
  });
  // Before the calls of the page's parts, which take longer: the chart is the first thing to look at.
  usePrefetchQuery(options);
  const query = useQuery({ ...options, refetchInterval: time.refreshMs(refreshSteps.listMs) });
  const isChosen = bucket !== undefined;
  const charts = useMemo(
    () => query.data && timedCharts(query.data, { isStacked, isChosen }),
    [query.data, isStacked, isChosen],
  );
  return { query, charts };
}
