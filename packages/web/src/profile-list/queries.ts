import {
  type DisplayType,
  listProfiles,
  listServiceProfiles,
  listServices,
  type ProfileList,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** Together with the duration of the call, a new profile appears within 2 s while the page is visible. */
const liveIntervalMs = 1_500;

export interface ProfileFilter {
  readonly since: string;
  readonly limit: number;
  readonly service?: string | undefined;
  readonly type?: DisplayType | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

async function fetchProfiles(filter: ProfileFilter, signal: AbortSignal): Promise<ProfileList> {
  const { service, type, ...rest } = filter;
  const query = { ...rest, display_type: type, q: rest.q === "" ? undefined : rest.q };
  if (service === undefined) return call(listProfiles, { query, signal });
  return call(listServiceProfiles, { params: { service }, query, signal });
}

/** Profiles, newest first. Only the first page is refetched: later pages would shift while somebody reads them. */
export function profilesQuery(filter: ProfileFilter) {
  return queryOptions({
    queryKey: ["profiles", filter],
    queryFn: ({ signal }) => fetchProfiles(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: filter.cursor === undefined ? liveIntervalMs : false,
  });
}

export function servicesQuery(since: string) {
  return queryOptions({
    queryKey: ["services", since],
    queryFn: ({ signal }) => call(listServices, { query: { since, include_totals: "true" }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveIntervalMs,
  });
}
