import { timeBuckets } from "@flamekeep/contract";
import { ArrowLeftRight, X, ZoomIn } from "lucide-react";
import type { ReactNode } from "react";
import type { ChartMarker } from "#charts/model/chart.ts";
import type { TimeSpan } from "#charts/model/series.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { TimeSeries } from "#charts/time-series.tsx";
import { type TimedChart, widthText } from "#profile-series/timed-charts.ts";
import { betweenRange } from "#time-range/view-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useCompareEntries } from "./compare-entries.tsx";
import type { Explore } from "./use-explore.ts";
import type { useSeries } from "./use-series.ts";

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
        actions={<TimelineActions explore={explore} />}
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

function TimelineActions({ explore }: { readonly explore: Explore }) {
  const { groupBy, splitLabel, isStacked, change } = explore;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SelectionNote explore={explore} />
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
    </div>
  );
}

/** Which part of the range the page shows, and the way back. */
function SelectionNote({ explore }: { readonly explore: Explore }) {
  const { selection, select, time } = explore;
  if (selection === undefined) return null;
  return (
    <span className="flex min-h-9 flex-wrap items-center gap-2">
      <span className="text-label tabular-nums">
        <span className="text-muted">Selected: </span>
        {spanText(selection.fromMs, selection.toMs, time.zone)}
      </span>
      <Button size="sm" className="h-8" onClick={() => zoomIn(explore, selection)}>
        <ZoomIn aria-hidden className="size-3.5" strokeWidth={1.75} />
        Zoom in
      </Button>
      <Button size="sm" className="h-8" onClick={() => select(undefined)}>
        Clear
      </Button>
    </span>
  );
}

function zoomIn({ time, change }: Explore, { fromMs, toMs }: TimeSpan): void {
  const range = betweenRange(fromMs, toMs);
  if (range === undefined) return;
  time.change(range);
  change({ selection: undefined, before: undefined }, true);
}

/** The same for the overview, whose header names the selection: one line of the toolbar has room for them. */
export function SelectionButtons({ explore }: { readonly explore: Explore }) {
  const { selection, before, isMarking, setMarking, markBefore, select } = explore;
  if (selection === undefined) return null;
  const isComparing = before !== undefined;
  const endLabel = isComparing ? "End the comparison" : "Clear the selection";
  return (
    <span className="flex h-9 items-center gap-1">
      <Button
        size="icon"
        className="size-8"
        aria-label="Zoom in"
        title="Zoom in"
        onClick={() => zoomIn(explore, selection)}
      >
        <ZoomIn aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
      {!isComparing && (
        <Button
          size="sm"
          className="h-8"
          aria-pressed={isMarking}
          title="Drag over the baseline range, or Shift-drag."
          onClick={() => setMarking(!isMarking)}
        >
          <ArrowLeftRight aria-hidden className="size-3.5" strokeWidth={1.75} />
          {isMarking ? "Mark before" : "Compare"}
        </Button>
      )}
      <Button
        size="icon"
        className="size-8"
        aria-label={endLabel}
        title={endLabel}
        onClick={() => (isComparing ? markBefore(undefined) : select(undefined))}
      >
        <X aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
    </span>
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
