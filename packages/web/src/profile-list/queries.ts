import {
  type DisplayType,
  listProfiles,
  listServiceProfiles,
  listServices,
  type ProfileList,
} from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** With the call itself, a profile that arrives shows within 2 s while the page can be seen. */
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

/** Newest first. Only the first page follows what arrives: an older page would shift under the reader. */
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
