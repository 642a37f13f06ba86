import { type QueryClient, type QueryKey, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CallQuery } from "#api/call-query.ts";
import { trendsQuery } from "#profile-list/queries.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { boundsOf } from "#time-range/view-range.ts";
import { type Figures, figuresOf } from "./model.ts";
import { requestsQuery, summaryQuery, timelineQuery } from "./queries.ts";

/** How often the page is read again; it reads the stacks of whole ranges. */
export const refreshMs = 60_000;

export interface ServicesFigures {
  /** One for each service, in their order. */
  readonly figures: readonly Figures[];
  /** The error of the first failed call. */
  readonly error: Error | null;
  /** Whether figures of another range are shown while those of the range load. */
  readonly isStale: boolean;
  /** Repeats the failed calls. */
  readonly retry: () => void;
}

export function useFigures(services: readonly string[]): ServicesFigures {
  const { query: range, range: chosen, refreshMs: refreshOf } = useTimeRange();
  const { fromMs, toMs } = boundsOf(chosen, 0);
  const rangeMs = toMs - fromMs;
  const refetchInterval = refreshOf(refreshMs);
  const trends = useQuery({ ...trendsQuery(range), refetchInterval });
  const client = useQueryClient();
  const timelines = useQueries({
    queries: services.map((each) => ({
      ...keepingLast(client, timelineQuery(each, range, rangeMs)),
      refetchInterval,
    })),
  });
  const requests = useQueries({
    queries: services.map((each) => ({
      ...keepingLast(client, requestsQuery(each, range)),
      refetchInterval,
    })),
  });
  const summaries = useQueries({
    queries: services.map((each) => ({
      ...keepingLast(client, summaryQuery(each, range)),
      refetchInterval,
    })),
  });
  const all = [trends, ...timelines, ...requests, ...summaries];
  const missing = all.filter(({ data }) => data === undefined);
  const error = missing.find((each) => each.error !== null)?.error ?? null;
  return {
    figures: services.map((service, at) =>
      figuresOf(
        service,
        {
          trends: trends.data?.services,
          timeline: timelines[at]?.data,
          requests: requests[at]?.data?.total,
          performance: summaries[at]?.data?.summary.performance_metrics,
        },
        rangeMs,
      ),
    ),
    error,
    isStale: all.some(({ isPlaceholderData }) => isPlaceholderData),
    retry: () => {
      for (const each of missing) void each.refetch();
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
