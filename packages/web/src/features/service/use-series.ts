import { type ServiceSeries, spanMs } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { boundsOf } from "#time-range/view-range.ts";
import { bucketFor, joinBuckets, joinFactor } from "./model/buckets.ts";
import { type DrawnChart, drawnChart } from "./model/lines.ts";
import { seriesQuery } from "./queries.ts";
import type { Explore } from "./use-explore.ts";

const refreshMs = 15_000;

/** A chart with the buckets that it is drawn in. */
export interface TimedChart extends DrawnChart {
  readonly type: ServiceSeries["charts"][number]["type"];
  readonly sampleTypes: readonly string[];
  /** As `type/unit`. */
  readonly sampleType: string;
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
}

/** The series of the page's range, ready to draw. */
export function useSeries(explore: Explore) {
  const { service, tab, time, sampleType, groupBy, bucket, tags, isStacked } = explore;
  const { fromMs, toMs } = boundsOf(time.range, 0);
  const query = useQuery({
    ...seriesQuery({
      ...{ service, tab, sampleType, tags, range: time.query },
      groupBy: tab === "all" ? undefined : groupBy,
      bucket: bucket ?? bucketFor(toMs - fromMs),
    }),
    refetchInterval: time.refreshMs(refreshMs),
  });
  const isChosen = bucket !== undefined;
  const charts = useMemo(
    () => query.data && timedCharts(query.data, { isStacked, isChosen }),
    [query.data, isStacked, isChosen],
  );
  return { query, charts };
}

interface Look {
  readonly isStacked: boolean;
  /** Whether somebody chose the width of the buckets: then it stays. */
  readonly isChosen: boolean;
}

function timedCharts(data: ServiceSeries, { isStacked, isChosen }: Look): TimedChart[] {
  const [fromMs, toMs] = [Date.parse(data.from), Date.parse(data.to)];
  const widthMs = spanMs(data.bucket)!;
  const requested = { fromMs, widthMs, count: (toMs - fromMs) / widthMs };
  return data.charts.map((chart) => {
    const factor = isChosen ? 1 : joinFactor(requested, [chart]);
    const { buckets, charts } = joinBuckets(requested, [chart], factor);
    const joined = charts[0]!;
    const starts = Array.from({ length: buckets.count }, (_, at) => buckets.fromMs + at * buckets.widthMs);
    return {
      ...drawnChart(joined, { groupBy: data.group_by, isStacked, width: widthText(buckets.widthMs) }),
      type: chart.type,
      sampleTypes: chart.sample_types,
      sampleType: chart.sample_type,
      timesMs: starts,
      bucketMs: buckets.widthMs,
    };
  });
}

/** `15 min`, `4 h` or `7 d`. */
export function widthText(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
