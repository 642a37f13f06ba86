import { type QueryClient, type QueryKey, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CallQuery } from "#api/call-query.ts";
import { figuresQuery, requestsQuery as groupRequestsQuery } from "#groups/queries.ts";
import { trendsQuery } from "#profile-list/queries.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { boundsOf, type RangeQuery } from "#time-range/view-range.ts";
import { type Figures, figuresOf, figuresOfGroup, type Side } from "./model.ts";
import { requestsQuery, summaryQuery, timelineQuery } from "./queries.ts";

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

export function useFigures(sides: readonly Side[]): SidesFigures {
  const { query: range, range: chosen, refreshMs: refreshOf } = useTimeRange();
  const { fromMs, toMs } = boundsOf(chosen, 0);
  const rangeMs = toMs - fromMs;
  const refetchInterval = refreshOf(refreshSteps.graphMs);
  const trends = useQuery({ ...trendsQuery(range), refetchInterval });
  const read = trends.data?.services;
  const groups = useGroups(sides, range, refetchInterval);
  const services = useServices(sides, { range, rangeMs, refetchInterval });
  const all = [trends, ...groups.all, ...services.all];
  const missing = all.filter(({ data }) => data === undefined);
  const error = missing.find((each) => each.error !== null)?.error ?? null;
  return {
    figures: sides.map(({ project, services: [service = "", ...others] }) =>
      project === undefined
        ? figuresOf(service, { trends: read, ...services.repliesOf(service) }, rangeMs)
        : figuresOfGroup([service, ...others], { trends: read, ...groups.repliesOf(project) }, rangeMs),
    ),
    error,
    isStale: all.some(({ isPlaceholderData }) => isPlaceholderData),
    retry: () => {
      for (const each of missing) void each.refetch();
    },
  };
}

type Interval = number | false;

function useGroups(sides: readonly Side[], range: RangeQuery, refetchInterval: Interval) {
  const client = useQueryClient();
  const projects = sides.flatMap(({ project, services }) => (services.length > 0 ? (project ?? []) : []));
  const gauges = useQueries({
    queries: projects.map((id) => ({ ...keepingLast(client, figuresQuery(id, range)), refetchInterval })),
  });
  const requests = useQueries({
    queries: projects.map((id) => ({
      ...keepingLast(client, groupRequestsQuery(id, range)),
      refetchInterval,
    })),
  });
  return {
    all: [...gauges, ...requests],
    repliesOf(id: string) {
      const at = projects.indexOf(id);
      return { gauges: gauges[at]?.data, requests: requests[at]?.data?.total };
    },
  };
}

interface ServiceScope {
  readonly range: RangeQuery;
  readonly rangeMs: number;
  readonly refetchInterval: Interval;
}

function useServices(sides: readonly Side[], { range, rangeMs, refetchInterval }: ServiceScope) {
  const client = useQueryClient();
  const names = sides.flatMap(({ project, services }) => (project === undefined ? services : []));
  const timelines = useQueries({
    queries: names.map((each) => ({
      ...keepingLast(client, timelineQuery(each, range, rangeMs)),
      refetchInterval,
    })),
  });
  const requests = useQueries({
    queries: names.map((each) => ({
      ...keepingLast(client, requestsQuery(each, range)),
      refetchInterval,
    })),
  });
  const summaries = useQueries({
    queries: names.map((each) => ({
      ...keepingLast(client, summaryQuery(each, range)),
      refetchInterval,
    })),
  });
  return {
    all: [...timelines, ...requests, ...summaries],
    repliesOf(service: string) {
      const at = names.indexOf(service);
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
    const read = client.getQueryCache().findAll({ queryKey: subject });
    const last = read.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0];
    return last?.state.data as Data | undefined;
  };
  return { ...query, placeholderData };
}
