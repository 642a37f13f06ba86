import type { HttpTimeline } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { useMemo } from "react";
import { isOfRequests } from "#alert-list/model.ts";
import type { ChartSeries } from "#charts/model/chart.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { plural } from "#format/number.ts";
import { ProjectChart } from "#project/parts/charts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { timesOf } from "#project/parts/timeline.ts";
import type { MarkedChart } from "#project/parts/use-markers.ts";

export interface HttpFigure {
  readonly title: string;
  readonly unit: ChartUnit;
  readonly isStacked?: boolean;
  readonly series: (timeline: HttpTimeline) => readonly ChartSeries[];
}

interface HttpChartProps {
  readonly timeline: HttpTimeline;
  readonly figure: HttpFigure;
  readonly time: ProjectTime;
  readonly heightPx?: number;
  /** The alerts about the figure; by default all about requests. Keep it stable. */
  readonly marked?: MarkedChart;
}

const aboutRequests: MarkedChart = { isAbout: isOfRequests, evidence: "cpu" };

/** A figure of the requests over time, with deploys and the alerts about requests. */
export function HttpChart({ timeline, figure, time, heightPx, marked = aboutRequests }: HttpChartProps) {
  const timesMs = useMemo(() => timesOf(timeline.data_points), [timeline]);
  const series = useMemo(() => figure.series(timeline), [figure, timeline]);
  return (
    <ProjectChart
      label={figure.title}
      bucketMs={timeline.interval_minutes * minuteMs}
      {...{ timesMs, series, time, marked }}
      unit={figure.unit}
      isStacked={figure.isStacked ?? false}
      {...(heightPx !== undefined && { heightPx })}
      emptyTitle={`Data appears after the first ${plural(timeline.interval_minutes, "minute")}`}
    />
  );
}
