import { Link } from "@tanstack/react-router";
import { type PointerEvent, useRef } from "react";
import type { ChartMarker } from "#charts/model/chart.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import type { TimedChart } from "#profile-series/timed-charts.ts";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { chartProps } from "./timeline-card.tsx";
import type { Explore } from "./use-explore.ts";
import type { useMarkers } from "./use-markers.ts";
import type { useSeries } from "./use-series.ts";

const heightPx = 120;
const gridClass = "grid gap-4 min-[1100px]:grid-cols-2";
const placeholders = ["cpu", "memory", "goroutine", "mutex"];

interface TypeChartsProps {
  readonly explore: Explore;
  readonly series: ReturnType<typeof useSeries>;
  readonly markersOf: ReturnType<typeof useMarkers>;
}

/** A small timeline of each type that has profiles. A click on one opens its type, dragging selects a range for all. */
export function TypeCharts({ explore, series: { query, charts }, markersOf }: TypeChartsProps) {
  return (
    <Panel
      query={query}
      loading={
        <div role="status" aria-label="Loading the timelines" className={gridClass}>
          {placeholders.map((type) => (
            <Skeleton key={type} className="h-52 rounded-card!" />
          ))}
        </div>
      }
      errorTitle="Could not load the timelines"
    >
      {() => (
        <div className={gridClass}>
          {charts?.map((chart) => (
            <TypeChart key={chart.type} explore={explore} chart={chart} markers={markersOf(chart.type)} />
          ))}
        </div>
      )}
    </Panel>
  );
}

interface TypeChartProps {
  readonly explore: Explore;
  readonly chart: TimedChart;
  readonly markers: readonly ChartMarker[];
}

/** A longer movement is a drag. */
const clickPxMax = 4;

function TypeChart({ explore, chart, markers }: TypeChartProps) {
  const { service, selection } = explore;
  const pressedAt = useRef<number>(undefined);

  /** With a selection, a click clears it. */
  function openOnClick(event: PointerEvent) {
    const from = pressedAt.current;
    pressedAt.current = undefined;
    if (selection !== undefined || from === undefined) return;
    if (Math.abs(event.clientX - from) < clickPxMax) explore.open(chart.type, "from the top");
  }

  return (
    <Card className="min-w-0">
      <div className="flex items-center gap-2 px-4 pt-3 pb-1">
        <ProfileTypeBadge type={chart.type} />
        <Link
          to="/profiles/service/$serviceName/$type"
          params={{ serviceName: service, type: chart.type }}
          search
          className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
        >
          {chart.title}
        </Link>
        <span className="ml-auto truncate text-label text-muted">{chart.detail}</span>
      </div>
      <div
        className="cursor-pointer px-3 pb-2"
        onPointerDownCapture={(event) => {
          const isPlot = (event.target as Element).closest(".u-over") !== null;
          pressedAt.current = isPlot && event.button === 0 ? event.clientX : undefined;
        }}
        onPointerUpCapture={openOnClick}
      >
        <TimeSeries
          label={`${chart.title} of ${service}`}
          {...chartProps(chart, explore)}
          heightPx={heightPx}
          markers={markers}
          syncGroup="service types"
        />
      </div>
    </Card>
  );
}
