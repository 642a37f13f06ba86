import { limits, listAlerts, listDeploys } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
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
  return callQuery(
    [...subject, range],
    listAlerts,
    { query },
    { placeholderData: whileOfSameSubject(subject), refetchInterval },
  );
}

/** The versions that the service started in the range. */
export function deploysQuery({ service, range, refetchInterval }: MarkedRange) {
  const subject = ["deploys", service] as const;
  return callQuery(
    [...subject, range],
    listDeploys,
    { params: { service }, query: range },
    { placeholderData: whileOfSameSubject(subject), refetchInterval },
  );
}
