import { withoutFrameRefs } from "@flamekeep/flame";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { nameOf } from "#profile-series/lines.ts";
import type { TimedChart } from "#profile-series/timed-charts.ts";
import { TagFilter } from "#sample-labels/tag-filter.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import { SelectionButtons } from "./selection-buttons.tsx";
import type { Explore } from "./use-explore.ts";

// Loaded after the charts, which do not wait for it.
const RangeLabelFilter = lazyPart(async () => (await import("./range-labels.tsx")).RangeLabelFilter);

interface ExploreToolbarProps {
  readonly explore: Explore;
  /** The chart of the type; undefined while it loads, and for all types. */
  readonly chart: TimedChart | undefined;
}

/** The controls for everything on the page. */
export function ExploreToolbar({ explore, chart }: ExploreToolbarProps) {
  const { service, tab, time, tags, changeTags } = explore;
  return (
    <div
      role="toolbar"
      aria-label="Profiles shown"
      className="flex min-w-0 flex-1 flex-wrap items-start justify-end gap-2 max-sm:basis-full max-sm:justify-start"
    >
      <TimeRangeControl />
      {explore.tab !== "all" && <SampleTypeSelect explore={explore} chart={chart} />}
      <TagFilter {...{ service, tab, tags }} range={time.query} onChange={changeTags} />
      {explore.tab === "all" && <SelectionButtons explore={explore} />}
      {explore.tab !== "all" && (
        <Suspense>
          <RangeLabelFilter explore={explore} type={explore.tab} isReady={chart !== undefined} />
        </Suspense>
      )}
    </div>
  );
}

function SampleTypeSelect({ explore, chart }: ExploreToolbarProps) {
  const names = [...new Set((chart?.sampleTypes ?? []).map(nameOf))];
  const current = explore.sampleType ?? (chart === undefined ? "" : nameOf(chart.sampleType));
  if (names.length < 2 && (names.length === 0 || current === names[0])) return null;
  const all = names.includes(current) ? names : [...names, current];
  return (
    <Select
      label="Sample type"
      value={current}
      options={all.map((value) => ({ value, label: sampleTypeLabel(value) }))}
      onChange={(value) => explore.change({ sample_type: value, ...withoutFrameRefs })}
      className="min-w-28"
    />
  );
}
