import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { serviceExistsQuery } from "#profile-list/queries.ts";
import { nameOf } from "#profile-series/lines.ts";
import type { TimedChart } from "#profile-series/timed-charts.ts";
import { TagFilter } from "#sample-labels/tag-filter.tsx";
import { ServiceFrame, useServiceProfiles } from "#service-frame/service-frame.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Select } from "#ui/controls/select.tsx";
import { loadTypeView } from "./load-ahead.ts";
import { Overview } from "./overview.tsx";
import { SelectionButtons } from "./selection-buttons.tsx";
import { type Explore, useExplore } from "./use-explore.ts";
import { useSeries } from "./use-series.ts";

// Loaded after the charts, which do not wait for it.
const RangeLabelFilter = lazyPart(async () => (await import("./range-labels.tsx")).RangeLabelFilter);

interface ExploreToolbarProps {
  readonly explore: Explore;
  /** The chart of the type; undefined while it loads, and for all types. */
  readonly chart: TimedChart | undefined;
}

/** The controls for everything on the page. */
function ExploreToolbar({ explore, chart }: ExploreToolbarProps) {
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

const ServiceNotFound = lazyPart(async () => (await import("./no-service-profiles.tsx")).ServiceNotFound);
const TypeView = lazyPart(loadTypeView);

/** A service over time: choose a range on a timeline, read its merged flame graph, open a profile. */
export function ServicePage() {
  const explore = useExplore();
  const { service, tab, time, selection, active, tags } = explore;
  const title = `${service} Profiles`;
  usePageTitle(title);
  const profiles = useServiceProfiles(service, { ...active, tags }, time.refreshMs);
  const series = useSeries(explore);
  const { data: exists } = useQuery({ ...serviceExistsQuery(service), enabled: profiles.isEmpty });
  if (profiles.isEmpty && exists === false)
    return (
      <Suspense>
        <ServiceNotFound service={service} />
      </Suspense>
    );
  const label = selection === undefined ? time.label : spanText(selection.fromMs, selection.toMs, time.zone);
  const view = { explore, series, list: profiles.list, label };
  return (
    <ServiceFrame
      {...{ service, title, tab, profiles, label }}
      toolbar={<ExploreToolbar explore={explore} chart={tab === "all" ? undefined : series.charts?.[0]} />}
    >
      {tab === "all" ? (
        <Overview key={service} {...view} />
      ) : (
        <Suspense fallback={<Skeleton className="h-80 rounded-card!" />}>
          <TypeView key={service} {...view} type={tab} isCurrent={!profiles.isStale} />
        </Suspense>
      )}
    </ServiceFrame>
  );
}
