import {
  type DisplayType,
  limits,
  listProfiles,
  listServiceProfiles,
  listServices,
  type ProfileList,
  type ProfileOrder,
  type ReplyOf,
  type ServiceOrder,
  serviceTrends,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { type CallQuery, callQuery } from "#api/call-query.ts";
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

/** Cards of a page of services. */
export const servicesPageSize = 48;

interface ServicesPage {
  readonly order: ServiceOrder;
  readonly limit: number;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

export function servicesQuery(range: RangeQuery, page: ServicesPage) {
  return callQuery(
    ["services", range, page],
    listServices,
    { query: { ...range, ...page, include_totals: "true" } },
    { placeholderData: keepPreviousData },
  );
}

/** Health and CPU change slowly, and reading them costs more than a list. */
export const trendIntervalMs = 15_000;

/** @param organization another one than that of the session */
export function trendsQuery(
  range: RangeQuery,
  services: readonly string[],
  organization?: string,
): CallQuery<Trends, readonly unknown[]> {
  // In the order of their names, so that a list in another order has the same trends.
  const names = [...new Set(services)].sort();
  return {
    queryKey: trendsKey(["service-trends", organization, names, range]),
    queryFn: ({ signal }) => fetchTrends({ range, organization, signal }, names),
    placeholderData: keepPreviousData,
    enabled: names.length > 0,
  };
}

/** The trends of all services, for the sum of an organization. */
export function allTrendsQuery(
  range: RangeQuery,
  organization: string | undefined,
): CallQuery<Trends, readonly unknown[]> {
  return {
    queryKey: trendsKey(["service-trends", organization, "all", range]),
    queryFn: async ({ signal }) => {
      const request = { range, organization, signal };
      const first = await callTrends(request, {});
      const services = [...first.services];
      for (let cursor = first.next_cursor; cursor !== null; ) {
        const next = await callTrends(request, { cursor });
        services.push(...next.services);
        cursor = next.next_cursor;
      }
      return { ...first, services };
    },
  };
}

function trendsKey(key: readonly unknown[]): CallQuery<Trends, readonly unknown[]>["queryKey"] {
  return key as CallQuery<Trends, readonly unknown[]>["queryKey"];
}

interface TrendsRequest {
  readonly range: RangeQuery;
  readonly organization: string | undefined;
  readonly signal: AbortSignal;
}

/** A call names a limited number of services. */
async function fetchTrends(request: TrendsRequest, names: readonly string[]): Promise<Trends> {
  const starts = Array.from({ length: Math.ceil(names.length / limits.trendServicesMax) }, (_, part) => part);
  const replies = await Promise.all(
    starts.map((part) => {
      const from = part * limits.trendServicesMax;
      return callTrends(request, { service: names.slice(from, from + limits.trendServicesMax) });
    }),
  );
  return { ...replies[0]!, services: replies.flatMap(({ services }) => services) };
}

type Trends = ReplyOf<typeof serviceTrends>;

function callTrends(
  { range, organization, signal }: TrendsRequest,
  some: { readonly cursor?: string; readonly service?: string[] },
): Promise<Trends> {
  return call(serviceTrends, { query: { ...range, ...some }, organization, signal });
}
