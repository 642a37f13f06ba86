import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { bucketFor } from "#profile-series/buckets.ts";
import { seriesQuery } from "#profile-series/series-query.ts";
import { timedCharts } from "#profile-series/timed-charts.ts";
import { boundsOf } from "#time-range/view-range.ts";
import type { Explore } from "./use-explore.ts";

const refreshMs = 15_000;

/** The series of the page's range, ready to draw. */
export function useSeries(explore: Explore) {
  const { service, tab, time, sampleType, groupBy, bucket, tags, isStacked } = explore;
  const { fromMs, toMs } = boundsOf(time.range, 0);
  const options = seriesQuery({
    ...{ service, tab, sampleType, tags, range: time.query },
    groupBy: tab === "all" ? undefined : groupBy,
    bucket: bucket ?? bucketFor(toMs - fromMs),
  });
  // Before the calls of the page's parts, which take longer: the chart is the first thing to look at.
  usePrefetchQuery(options);
  const query = useQuery({ ...options, refetchInterval: time.refreshMs(refreshMs) });
  const isChosen = bucket !== undefined;
  const charts = useMemo(
    () => query.data && timedCharts(query.data, { isStacked, isChosen }),
    [query.data, isStacked, isChosen],
  );
  return { query, charts };
}
