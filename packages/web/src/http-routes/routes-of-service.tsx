import { aggregateHttpMetrics, type HttpGrouping, type RequestOrder } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

interface RequestsOfService {
  readonly service: string;
  readonly range: RangeQuery;
  readonly refetchInterval: number | false;
}

/** The requests of a service by path, method or status class. */
export function endpointsQuery(
  { service, range, refetchInterval }: RequestsOfService,
  groupBy: HttpGrouping,
) {
  const subject = ["http", "groups", service, groupBy] as const;
  return callQuery(
    [...subject, range],
    aggregateHttpMetrics,
    { params: { service }, query: { ...range, group_by: groupBy } },
    { placeholderData: whileOfSameSubject(subject), refetchInterval },
  );
}

interface PathLinkProps {
  readonly service: string;
  readonly path: string;
  /** The requests that the page lists first. */
  readonly order: RequestOrder;
}

/** Opens the page of the route. */
export function PathLink({ service, path, order }: PathLinkProps) {
  return (
    <Link
      to="/projects/$projectId/route"
      params={{ projectId: service }}
      search={{ path, ...(order !== "slowest" && { requests: order }) }}
      title={`${path}\nShow where its time goes`}
      className="block max-w-full truncate font-mono text-code hover:text-accent-text hover:underline"
    >
      {path}
    </Link>
  );
}
