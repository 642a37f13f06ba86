import { timeBuckets } from "@flamekeep/contract";
import { type ReactNode, Suspense } from "react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { lanePanels } from "#add-to-dashboard/panel-names.ts";
import { lazyPart } from "#api/import-page.ts";
import type { ChartMarker } from "#charts/model/chart.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { type TimedChart, widthText } from "#profile-series/timed-charts.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useCompareEntries } from "./compare-entries.tsx";
import { SelectionNote } from "./selection-buttons.tsx";
import type { Explore } from "./use-explore.ts";
import type { useSeries } from "./use-series.ts";

// Its names of tags and labels come after the chart.
const GroupBySelect = lazyPart(async () => (await import("./group-by-select.tsx")).GroupBySelect);

const heightPx = 200;
const bucketOptions = [
  { value: "auto", label: "Auto interval" },
  ...timeBuckets.map((value) => ({
    value,
    label: value.replace(/(?<!\d)(\d+)m/, "$1 min").replace(/(?<!\d)(\d+)h/, "$1 h"),
  })),
] as const;

interface TimelineCardProps {
  readonly explore: Explore;
  readonly series: ReturnType<typeof useSeries>;
  readonly markers: readonly ChartMarker[];
}

/** The timeline of one type. Dragging on it selects what the rest of the page shows. */
export function TimelineCard({ explore, series: { query, charts }, markers }: TimelineCardProps) {
  const chart = charts?.[0];
  const legendActionOf = useCompareEntries(explore);
  return (
    <Card className="min-w-0">
      <CardHeader
        title={chart?.title ?? "Timeline"}
        detail={chart ? `${chart.detail}, every ${widthText(chart.bucketMs)}` : "\u00a0"}
        actions={<TimelineActions explore={explore} isReady={chart !== undefined} />}
      />
      <div className="px-3 pb-2">
        <Panel
          query={query}
          loading={<ChartSkeleton />}
          errorTitle="Could not load the timeline"
          empty={() =>
            chart === undefined || chart.series.length === 0 ? <EmptyChart explore={explore} /> : null
          }
        >
          {() =>
            chart && (
              <TimeSeries
                label={`${chart.title} of ${explore.service}`}
                {...chartProps(chart, explore)}
                isStacked={explore.isStacked && chart.series.length > 1}
                heightPx={heightPx}
                markers={markers}
                legendActionOf={legendActionOf}
              />
            )
          }
        </Panel>
      </div>
    </Card>
  );
}

/** Properties that all charts of the page share. */
function chartProps(chart: TimedChart, { selection, select, time }: Explore) {
  const { timesMs, bucketMs, series, unit } = chart;
  return { timesMs, bucketMs, series, unit, selected: selection, onSelect: select, zone: time.zone };
}

interface TimelineActionsProps {
  readonly explore: Explore;
  /** Whether the chart has loaded. */
  readonly isReady: boolean;
}

function TimelineActions({ explore, isReady }: TimelineActionsProps) {
  const { service, tab, groupBy, splitLabel, isStacked, change } = explore;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SelectionNote explore={explore} />
      <Suspense fallback={<Skeleton className="h-7 w-36 max-md:h-10" />}>
        <GroupBySelect explore={explore} isReady={isReady} />
      </Suspense>
      {(groupBy !== undefined || splitLabel !== undefined) && (
        <SegmentedControl
          label="Lines"
          value={isStacked ? "stacked" : "lines"}
          options={{ lines: "Lines", stacked: "Stacked" }}
          onChange={(next) => change({ stacked: next === "stacked" ? 1 : undefined })}
          className="max-md:h-10"
        />
      )}
      <Select
        label="Interval"
        size="sm"
        value={explore.bucket ?? "auto"}
        options={bucketOptions}
        onChange={(value) => change({ bucket: value === "auto" ? undefined : value })}
        className="w-32"
      />
      {tab !== "all" && <AddToDashboard panels={lanePanels(service, [tab])} />}
    </div>
  );
}

/** As high as the chart with its legend. */
function ChartSkeleton() {
  return (
    <div role="status" aria-label="Loading the timeline">
      <Skeleton className="mb-1 h-7 w-40" />
      <Skeleton className="h-[200px] w-full" />
    </div>
  );
}

function EmptyChart({ explore }: { readonly explore: Explore }): ReactNode {
  const isFiltered = Object.keys({ ...explore.tags, ...explore.labels }).length > 0;
  return (
    <p className="grid h-[232px] place-items-center text-center text-muted">
      {isFiltered ? "No profiles with these tags and labels in this range." : "No values in this range."}
    </p>
  );
}
