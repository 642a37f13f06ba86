import type { RouteTime } from "@flamekeep/contract";
import { type FlameView, fromLinkParams, isStep, toLinkParams, withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Flame } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { exportFileName } from "#api/save-file.ts";
import { flamePanel } from "#flame-graph/frame/wanted-function.ts";
import { Grouping } from "#flame-graph/toolbar/grouping.tsx";
import { groupingOf, groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { profileTypeLabel } from "#format/names.ts";
import { mergedQuery, readStoredFrames } from "#profile-series/merged-query.ts";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { staleClass } from "#ui/cx.ts";
import { focusStep, type GraphOfRoute, graphsOfRoute, type RouteFilter, routeFilter } from "./model.ts";

const FlameGraph = lazyPart(async () => (await import("#flame-graph/flame-graph.tsx")).FlameGraph);

const types = Object.fromEntries(graphsOfRoute.map((type) => [type, profileTypeLabel(type)])) as Record<
  GraphOfRoute,
  string
>;

const from = "/protected/projects/$projectId/route";

interface RouteGraphProps {
  readonly time: ProjectTime;
  /** How the samples of the route are recognized; undefined while that is read. */
  readonly found: RouteTime | undefined;
}

/** The flame graph of the route's samples: of CPU, mutex or block profiles. */
export function RouteGraph({ time, found }: RouteGraphProps) {
  const { type = "cpu" } = useSearch({ from });
  const navigate = useNavigate({ from: "/projects/$projectId/route" });
  const filter = found && routeFilter(found, type);
  return (
    <Card {...flamePanel}>
      <CardHeader
        title="Flame graph of this route"
        detail={filter === undefined ? time.label : `${time.label}, ${filterText(filter)}`}
        actions={
          <SegmentedControl
            label="Profile type"
            value={type}
            options={types}
            onChange={(next) =>
              void navigate({
                search: (before) => ({ ...before, ...ofOneType, type: next === "cpu" ? undefined : next }),
                resetScroll: false,
              })
            }
          />
        }
      />
      <div className="border-line border-t">
        {found === undefined && <Skeleton className="h-[56.5rem] w-full" />}
        {found !== undefined && filter === undefined && (
          <Message icon={Flame} title="No samples of this route">
            <p>No label of the CPU profiles names this route. See above how to add one.</p>
          </Message>
        )}
        {filter !== undefined && (
          <Suspense fallback={<Skeleton className="h-[56.5rem] w-full" />}>
            <FilteredGraph key={type} time={time} type={type} filter={filter} />
          </Suspense>
        )}
      </div>
    </Card>
  );
}

function filterText(filter: RouteFilter): string {
  if (filter.by === "function") return "stacks through the function that only this route runs";
  return `samples with ${Object.entries(filter.labels)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")}`;
}

/** References to frames and steps belong to one graph. */
const ofOneType = { ...withoutFrameRefs, transforms: undefined };

interface FilteredGraphProps {
  readonly time: ProjectTime;
  readonly type: GraphOfRoute;
  readonly filter: RouteFilter;
}

function FilteredGraph({ time, type, filter }: FilteredGraphProps) {
  const { service, range, refetchInterval } = time.scope;
  const search = useSearch({ from });
  const navigate = useNavigate({ from: "/projects/$projectId/route" });
  const grouping = groupingOf(search);
  const labels = filter.by === "label" ? filter.labels : {};
  const topic = {
    service,
    type,
    range,
    sampleType: undefined,
    grouping,
    tags: {},
    labels,
    byLabel: undefined,
  };
  const query = useQuery({ ...mergedQuery(topic), refetchInterval: refetchInterval && 60_000 });
  const { view, paramsOf } = useRouteView(filter);
  const change = (params: Record<string, unknown>, replace: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...params }), replace, resetScroll: false });
  return (
    <div className={staleClass(query.isPlaceholderData)}>
      <FlameGraph
        query={query}
        readStored={(meta) => readStoredFrames(topic, meta)}
        program={{ service, version: undefined }}
        profileId={exportFileName(service, type)}
        view={view}
        onViewChange={(next) => change(paramsOf(next), !isStep(view, next))}
        transformItems={
          <Grouping
            grouping={grouping}
            onChange={(to) => change({ ...groupingParams(to), ...withoutFrameRefs }, false)}
          />
        }
        emptyText={`No ${type} sample of this route in this range.`}
      />
    </div>
  );
}

const noView = {
  ...withoutFrameRefs,
  fn: undefined,
  find: undefined,
  scheme: undefined,
  pane: undefined,
  legend: undefined,
};

/** The view of the URL. A route that is recognized by a function begins with the step that keeps its stacks, which can be undone. */
function useRouteView(filter: RouteFilter) {
  const search = useSearch({ from });
  const first = filter.by === "function" ? focusStep(filter.ref) : "";
  const view = fromLinkParams({ ...search, transforms: search.transforms ?? first, q: search.find });
  const paramsOf = (next: FlameView) => {
    const { q, ...params } = toLinkParams(next);
    const transforms = next.transforms === first ? undefined : next.transforms;
    return { ...noView, ...params, transforms, find: q };
  };
  return { view, paramsOf };
}
