import type { GraphType, LaneFigure } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { lanePanels, panelsOfProfiles } from "#add-to-dashboard/panel-names.ts";
import { lazyPart } from "#api/import-page.ts";
import { exportFileName } from "#api/save-file.ts";
import { flamePanel } from "#flame-graph/frame/wanted-function.ts";
import { loadFlameGraph } from "#flame-graph/load.ts";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { exactSpan } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { mergedQuery, readStoredFrames } from "#profile-series/merged-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { cx, staleClass } from "#ui/cx.ts";
import { CompareBefore } from "./compare-before.tsx";
import type { Explore } from "./use-explore.ts";

interface MergedFlameProps {
  readonly explore: Explore;
  readonly type: GraphType;
  /** Profiles of the type in what is selected; undefined while unknown. */
  readonly profiles: number | undefined;
  /** Whether the graph shows means of the profiles, not sums. */
  readonly isMean: boolean;
  /** The selection or range in words. */
  readonly label: string;
  /** Other figures of the page that can be added to a dashboard. */
  readonly figures?: readonly LaneFigure[];
  /** Without a title: its controls are in the toolbar of the graph. */
  readonly isCompact?: boolean;
}

// Loaded while its data is on the way, so that the timeline above it does not wait for it.
const FlameGraph = lazyPart(loadFlameGraph);

/** States at a moment, such as goroutines, are the mean over the profiles; amounts, such as CPU time, their sum. */
function mergedText(profiles: number, isMean: boolean): string {
  return `${plural(profiles, "profile")} merged${isMean && profiles > 1 ? ", mean values" : ""}`;
}

/** The flame graph of all profiles in what is selected. */
export function MergedFlame({ explore, type, profiles, isMean, label, ...rest }: MergedFlameProps) {
  const { figures = [], isCompact = false } = rest;
  const { service, active: range, sampleType, grouping, tags, labels, byLabel } = explore;
  const { time, selection, view, changeView } = explore;
  const { version }: Readonly<Record<string, string | undefined>> = tags;
  const zone = useZone();
  const topic = { service, type, range, sampleType, grouping, tags, labels, byLabel };
  const query = useQuery({
    ...mergedQuery(topic),
    refetchInterval: selection === undefined && time.refreshMs(refreshSteps.graphMs),
  });
  const detail = profiles === undefined ? label : `${mergedText(profiles, isMean)}, ${label}`;
  const actions = (
    <div className={isCompact ? "contents" : "flex flex-wrap items-center gap-2"}>
      <CompareBefore explore={explore} isCompact={isCompact} />
      <AddToDashboard panels={[...panelsOfProfiles(service, type), ...lanePanels(service, figures)]} />
    </div>
  );
  return (
    <Card {...flamePanel}>
      {!isCompact && <CardHeader title="Flame graph" detail={detail} actions={actions} />}
      <div className={cx(!isCompact && "border-line border-t", staleClass(query.isPlaceholderData))}>
        <Suspense fallback={<Skeleton className="h-[56.5rem] w-full" />}>
          <FlameGraph
            query={query}
            readStored={(meta) => readStoredFrames(topic, meta)}
            program={{ service, version }}
            profileId={exportFileName(service, type)}
            titleOf={({ merge }) =>
              `${service} · ${profileTypeLabel(type)}${merge === undefined ? "" : ` · ${exactSpan(merge.from, merge.to, zone)}`}`
            }
            view={view}
            onViewChange={changeView}
            {...(isCompact && { actions, isCompact, note: detail })}
            transformItems={
              <Grouping
                grouping={grouping}
                onChange={(to) => explore.change({ ...groupingParams(to), ...withoutFrameRefs })}
              />
            }
            emptyText={
              Object.keys(labels).length === 0
                ? "No profiles in this range."
                : "No samples with these labels in this range."
            }
          />
        </Suspense>
      </div>
    </Card>
  );
}
