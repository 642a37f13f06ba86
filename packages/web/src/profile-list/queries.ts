import {
  type DisplayType,
  limits,
  listProfiles,
  listServiceProfiles,
  listServices,
  type ProfileList,
  type ProfileOrder,
  serviceTrends,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { countOf } from "./model.ts";

/** Together with the duration of the call, a new profile appears within 2 s while the page is visible. */
export const liveIntervalMs = 1_500;

export interface ProfileFilter extends RangeQuery {
  readonly limit: number;
  readonly service?: string | undefined;
  readonly type?: DisplayType | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  /** By default the newest come first. */
  readonly order?: ProfileOrder | undefined;
  /** Tags that the profiles must have. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Whether batches of HTTP metrics are left out. */
  readonly isWithoutMetrics?: boolean | undefined;
}

async function fetchProfiles(filter: ProfileFilter, signal: AbortSignal): Promise<ProfileList> {
  const { service, type, tags = {}, isWithoutMetrics = false, ...rest } = filter;
  const query = {
    ...rest,
    display_type: type,
    q: rest.q === "" ? undefined : rest.q,
    include_metrics: isWithoutMetrics ? "false" : undefined,
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tag.${name}`, value])),
  };
  if (service === undefined) return call(listProfiles, { query, signal });
  return call(listServiceProfiles, { params: { service }, query, signal });
}

/** Profiles in their order. */
export function profilesQuery(filter: ProfileFilter) {
  return queryOptions({
    queryKey: ["profiles", filter],
    queryFn: ({ signal }) => fetchProfiles(filter, signal),
    placeholderData: keepPreviousData,
  });
}

const absentServiceRefreshMs = 5_000;

/**
 * Whether anything of a service is stored, whatever its age. Asked where a range has nothing: an address may name a service that
 * does not exist. Asked again until there is something, so that the page appears with the first profile.
 */
export function serviceExistsQuery(service: string) {
  const query = { from: `${limits.sinceDaysMax}d`, limit: 1 };
  return queryOptions({
    queryKey: ["service-exists", service],
    queryFn: async ({ signal }) =>
      countOf(
        (await call(listServiceProfiles, { params: { service }, query, signal })).counts_by_display_type,
        "all",
      ) > 0,
    staleTime: ({ state }) => (state.data === true ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state }) => (state.data === true ? false : absentServiceRefreshMs),
  });
}

const largeFleet = 200;
const largeFleetIntervalMs = 10_000;

/** A list of many services is hundreds of kilobytes, so it is read less often. */
export function servicesIntervalMs(services: readonly unknown[] | undefined): number {
  return services !== undefined && services.length > largeFleet ? largeFleetIntervalMs : liveIntervalMs;
}

export function servicesQuery(range: RangeQuery) {
  return callQuery(
    ["services", range],
    listServices,
    { query: { ...range, include_totals: "true" } },
    { placeholderData: keepPreviousData },
  );
}

/** Health and CPU change slowly, and reading them for all services costs more than a list. */
export const trendIntervalMs = 15_000;

/** @param organization another one than that of the session */
export function trendsQuery(range: RangeQuery, organization?: string) {
  return callQuery(
    organization === undefined ? ["service-trends", range] : ["service-trends", organization, range],
    serviceTrends,
    { query: range, organization },
    { placeholderData: keepPreviousData },
  );
}
