import { listServiceProfiles } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

interface OfService {
  readonly service: string;
  readonly range: RangeQuery;
}

/** The newest batches of HTTP metrics. */
export function metricBatchesQuery({ service, range }: OfService, limit: number) {
  const subject = ["metric-batches", service, limit] as const;
  return callQuery(
    [...subject, range],
    listServiceProfiles,
    {
      params: { service },
      query: { ...range, type: "metrics", limit },
    },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
