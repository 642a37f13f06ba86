import { spanMs, type Timeline } from "@flamekeep/contract";
import type { TimelineField } from "@flamekeep/contract/profile-types";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { isOfProfiles } from "#alert-list/model.ts";
import { typeColor } from "#charts/model/colours.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { ChartCard, Charts, ProjectChart } from "#project/parts/charts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { timelineValues, timesOf } from "#project/parts/timeline.ts";
import type { MarkedChart } from "#project/parts/use-markers.ts";

interface TimelineChart {
  readonly type: "cpu" | "memory" | "goroutine" | "mutex";
  readonly field: TimelineField;
  readonly title: string;
  readonly detail: string;
  readonly line: string;
  readonly unit: ChartUnit;
}

const charts: readonly TimelineChart[] = [
  {
    type: "cpu",
    field: "cpu_seconds",
    title: "CPU Usage",
    detail: "CPU seconds over time",
    line: "CPU time",
    unit: "seconds",
  },
  {
    type: "memory",
    field: "memory_bytes",
    title: "Memory Usage",
    detail: "Heap in use over time",
    line: "Heap in use",
    unit: "bytes",
  },
  {
    type: "goroutine",
    field: "goroutine_count",
    title: "Goroutines",
    detail: "Number of goroutines over time",
    line: "Goroutines",
    unit: "count",
  },
  {
    type: "mutex",
    field: "mutex_usage",
    title: "Mutex Contention",
    detail: "Mutex wait time over time",
    line: "Wait time, all goroutines",
    unit: "seconds",
  },
];

/** The CPU profiles of an alert about requests are its evidence, and the requests have charts too. */
function markedChart(type: TimelineChart["type"]): MarkedChart {
  return {
    isAbout: (alert) => alert.profile_type === type && isOfProfiles(alert),
    evidence: type,
  };
}

const markedCharts = {
  cpu: markedChart("cpu"),
  memory: markedChart("memory"),
  goroutine: markedChart("goroutine"),
  mutex: markedChart("mutex"),
};

interface TimelinesProps {
  readonly time: ProjectTime;
  readonly query: UseQueryResult<Timeline>;
}

export function Timelines({ time, query }: TimelinesProps) {
  return (
    <Charts
      label="Timelines"
      query={query}
      errorTitle="Failed to load timeline data. Please try again later."
      isEmpty={(timeline) =>
        charts.every(({ field }) => timelineValues(timeline, field).every((value) => value === null))
      }
      emptyTitle="No timeline data available"
      emptyNote={<p>No profiles of this service in the selected time range.</p>}
    >
      {(timeline) =>
        charts.map((chart) => (
          <TimelineCard key={chart.field} chart={chart} timeline={timeline} time={time} />
        ))
      }
    </Charts>
  );
}

interface TimelineCardProps {
  readonly chart: TimelineChart;
  readonly timeline: Timeline;
  readonly time: ProjectTime;
}

function TimelineCard({ chart, timeline, time }: TimelineCardProps) {
  const { type, field, title, detail, line, unit } = chart;
  const timesMs = useMemo(() => timesOf(timeline.data_points), [timeline]);
  const series = useMemo(() => {
    return [{ id: field, label: line, color: typeColor(type), values: timelineValues(timeline, field) }];
  }, [timeline, type, field, line]);
  return (
    <ChartCard title={title} detail={unit === "seconds" ? `${detail}, in each ${timeline.bucket}` : detail}>
      <ProjectChart
        label={title}
        bucketMs={spanMs(timeline.bucket) ?? 60_000}
        {...{ timesMs, series, unit, time }}
        marked={markedCharts[type]}
        emptyTitle="No timeline data available"
      />
    </ChartCard>
  );
}
