import { type QueryClient, type QueryKey, useQueries, useQueryClient } from "@tanstack/react-query";
import type { CallQuery } from "#api/call-query.ts";
import { figuresQuery, requestsQuery as groupRequestsQuery } from "#groups/queries.ts";
import { trendsQuery } from "#profile-list/queries.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { boundsOf, type RangeQuery } from "#time-range/view-range.ts";
import { type Figures, figuresOf, figuresOfGroup, isKnown, type Side } from "./model.ts";
import { allFiguresQuery, allRequestsQuery, requestsQuery, summaryQuery, timelineQuery } from "./queries.ts";

export interface SidesFigures {
  /** One for each side, in their order. */
  readonly figures: readonly Figures[];
  /** The error of the first failed call. */
  readonly error: Error | null;
  /** Whether figures of another range are shown while those of the range load. */
  readonly isStale: boolean;
  /** Repeats the failed calls. */
  readonly retry: () => void;
}

interface Scope {
  readonly range: RangeQuery;
  readonly rangeMs: number;
  readonly refetchInterval: number | false;
}

export function useFigures(sides: readonly Side[]): SidesFigures {
  const { query: range, range: chosen, refreshMs: refreshOf } = useTimeRange();
  const { fromMs, toMs } = boundsOf(chosen, 0);
  const rangeMs = toMs - fromMs;
  const scope = { range, rangeMs, refetchInterval: refreshOf(refreshSteps.graphMs) };
  const trends = useTrends(sides, scope);
  const groups = useGroups(sides, scope);
  const services = useServices(sides, scope);
  const all = [...trends.all, ...groups.all, ...services.all];
  const missing = all.filter(({ data }) => data === undefined);
  const error = missing.find((each) => each.error !== null)?.error ?? null;
  return {
    figures: sides.map((side) => {
      const replies = { trends: trends.of(side) };
      return side.kind === "service"
        ? figuresOf(side.id, { ...replies, ...services.of(side) }, rangeMs)
        : figuresOfGroup(side, { ...replies, ...groups.of(side) }, rangeMs);
    }),
    error,
    isStale: all.some(({ isPlaceholderData }) => isPlaceholderData),
    retry: () => {
      for (const each of missing) void each.refetch();
    },
  };
}

/** CPU of the services of each side. */
function useTrends(sides: readonly Side[], { range, refetchInterval }: Scope) {
  const client = useQueryClient();
  const all = useQueries({
    queries: sides.map((side) => ({
      ...keepingLast(client, trendsQuery(range, side.services, side.organization)),
      refetchInterval,
    })),
  });
  const of = (side: Side) => (isKnown(side) ? all[sides.indexOf(side)]?.data?.services : []);
  return { all: all.filter((_, at) => isKnown(sides[at]!)), of };
}

function useGroups(sides: readonly Side[], { range, refetchInterval }: Scope) {
  const client = useQueryClient();
  const last = <Data, K extends QueryKey>(query: CallQuery<Data, K>) => ({
    ...keepingLast(client, query),
    refetchInterval,
  });
  const projects = sides.filter((side) => side.kind === "project" && isKnown(side));
  const organizations = sides.filter(({ kind }) => kind === "organization");
  const gauges = useQueries({
    queries: projects.map(({ id, organization }) => last(figuresQuery(id, range, organization))),
  });
  const requests = useQueries({
    queries: projects.map(({ id, organization }) => last(groupRequestsQuery(id, range, organization))),
  });
  const allGauges = useQueries({ queries: organizations.map((side) => last(allFiguresQuery(side, range))) });
  const allRequests = useQueries({
    queries: organizations.map((side) => last(allRequestsQuery(side, range))),
  });
  return {
    all: [...gauges, ...requests, ...allGauges, ...allRequests],
    of(side: Side) {
      if (side.kind === "organization") {
        const at = organizations.indexOf(side);
        const sums = allGauges[at]?.data;
        return { gauges: sums && [sums], requests: allRequests[at]?.data?.total };
      }
      const at = projects.indexOf(side);
      return { gauges: gauges[at]?.data?.services, requests: requests[at]?.data?.total };
    },
  };
}

function useServices(sides: readonly Side[], { range, rangeMs, refetchInterval }: Scope) {
  const client = useQueryClient();
  const last = <Data, K extends QueryKey>(query: CallQuery<Data, K>) => ({
    ...keepingLast(client, query),
    refetchInterval,
  });
  const services = sides.filter(({ kind }) => kind === "service");
  const timelines = useQueries({
    queries: services.map((side) => last(timelineQuery(side, range, rangeMs))),
  });
  const requests = useQueries({ queries: services.map((side) => last(requestsQuery(side, range))) });
  const summaries = useQueries({ queries: services.map((side) => last(summaryQuery(side, range))) });
  return {
    all: [...timelines, ...requests, ...summaries],
    of(side: Side) {
      const at = services.indexOf(side);
      return {
        timeline: timelines[at]?.data,
        requests: requests[at]?.data?.total,
        performance: summaries[at]?.data?.summary.performance_metrics,
      };
    },
  };
}

/** Shows the last reply about the same subject while another range loads: `useQueries` does not pass it to `placeholderData`. */
function keepingLast<Data, K extends QueryKey>(client: QueryClient, query: CallQuery<Data, K>) {
  const subject = query.queryKey.slice(0, -1);
  const placeholderData = () => {
    const ofSubject = client.getQueryCache().findAll({ queryKey: subject });
    const read = ofSubject.filter(({ queryKey }) => queryKey.length === query.queryKey.length);
    const last = read.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0];
    return last?.state.data as Data | undefined;
  };
  return { ...query, placeholderData };
}
