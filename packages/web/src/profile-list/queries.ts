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
import { allPages, type CallQuery, dataQuery } from "#api/call-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { countOf, withCounts } from "./model.ts";

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

export interface CountedServices extends ReplyOf<typeof listServices> {
  readonly countedAtMs: number;
}

/** Counting the profiles and alerts of thousands of services costs more than listing a page of them. */
const countsIntervalMs = 60_000;

/** Asks for the counts once a minute, and when another service is listed. */
export function servicesQuery(range: RangeQuery, page: ServicesPage) {
  return dataQuery<CountedServices, readonly ["services", RangeQuery, ServicesPage]>(
    ["services", range, page],
    async ({ client, queryKey, signal }) => {
      const query = { ...range, ...page };
      const state = client.getQueryState<CountedServices>(queryKey);
      const before = state?.isInvalidated ? undefined : state?.data;
      const nowMs = Date.now();
      if (before !== undefined && nowMs - before.countedAtMs < countsIntervalMs) {
        const counted = withCounts(await call(listServices, { query, signal }), before);
        if (counted !== undefined) return counted;
      }
      const reply = await call(listServices, { query: { ...query, include_totals: "true" }, signal });
      return { ...reply, countedAtMs: nowMs };
    },
    { placeholderData: keepPreviousData },
  );
}

/** Health and CPU change slowly, and reading them costs more than a list. */
export const trendIntervalMs = 15_000;

/** @param organization another one than that of the session */
export function trendsQuery(
  range: RangeQuery,
  services: readonly string[] | "all",
  organization?: string,
): CallQuery<Trends, readonly unknown[]> {
  // In the order of their names, so that a list in another order has the same trends.
  const names = services === "all" ? services : [...new Set(services)].sort();
  const isAsked = names.length > 0;
  return dataQuery<Trends, readonly unknown[]>(
    ["service-trends", organization, names, range],
    ({ signal }) => fetchTrends({ range, organization, signal }, names),
    // Without services, the trends of those before would be shown for good as those of another page.
    { enabled: isAsked, ...(isAsked && { placeholderData: keepPreviousData }) },
  );
}

type Trends = ReplyOf<typeof serviceTrends>;

interface TrendsRequest {
  readonly range: RangeQuery;
  readonly organization: string | undefined;
  readonly signal: AbortSignal;
}

const callsAtOnce = 4;

async function fetchTrends(
  { range, organization, signal }: TrendsRequest,
  names: readonly string[] | "all",
): Promise<Trends> {
  const read = (some: { readonly cursor?: string | undefined; readonly service?: string[] }) =>
    call(serviceTrends, { query: { ...range, ...some }, organization, signal });
  const replies: Trends[] = [];
  if (names === "all") replies.push(...(await allPages((cursor) => read({ cursor }))));
  else {
    const parts = namedParts(names);
    for (let from = 0; from < parts.length; from += callsAtOnce) {
      const some = parts.slice(from, from + callsAtOnce);
      replies.push(...(await Promise.all(some.map((service) => read({ service })))));
    }
  }
  return { ...replies[0]!, services: replies.flatMap(({ services }) => services) };
}

/** Space for names in one address: servers and proxies limit its length. */
const namesCharsMax = 4_000;

/** A call names a limited number of services, in an address of limited length. */
function namedParts(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let chars = 0;
  for (const name of names) {
    const length = new URLSearchParams({ service: name }).toString().length + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length === limits.trendServicesMax || chars + length > namesCharsMax) {
      parts.push([name]);
      chars = length;
    } else {
      last.push(name);
      chars += length;
    }
  }
  return parts;
}
