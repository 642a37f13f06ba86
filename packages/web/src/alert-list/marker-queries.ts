import { limits, listAlerts, listDeploys } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

interface MarkedRange {
  readonly service: string;
  readonly range: RangeQuery;
  readonly refetchInterval: number | false;
}

/** Alerts that were open in the range. */
export function serviceAlertsQuery({ service, range, refetchInterval }: MarkedRange) {
  const subject = ["alerts", "service", service] as const;
  const query = { service, ...range, limit: limits.alertListLimitMax };
  return queryOptions({
    queryKey: [...subject, range],
    queryFn: ({ signal }) => call(listAlerts, { query, signal }),
    placeholderData: whileOfSameSubject(subject),
    refetchInterval,
  });
}

/** The versions that the service started in the range. */
export function deploysQuery({ service, range, refetchInterval }: MarkedRange) {
  const subject = ["deploys", service] as const;
  return queryOptions({
    queryKey: [...subject, range],
    queryFn: ({ signal }) => call(listDeploys, { params: { service }, query: range, signal }),
    placeholderData: whileOfSameSubject(subject),
    refetchInterval,
  });
}
