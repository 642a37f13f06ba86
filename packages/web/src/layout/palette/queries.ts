import { findFunctions, limits, listProfiles, listServices, type Profile } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

const profilesMax = 8;
const searchedRange = "720h";
const idLength = 32;

export const paletteServicesQuery = queryOptions({
  queryKey: ["palette", "services"],
  queryFn: ({ signal }) => call(listServices, { query: { since: searchedRange }, signal }),
  staleTime: 60_000,
});

/** Profiles whose id starts with the prefix: of the last 30 days, or of any age if it is the whole id. */
export function profilesByIdQuery(prefix: string | undefined) {
  return queryOptions({
    queryKey: ["palette", "profiles", prefix],
    queryFn: ({ signal }) => findProfiles(prefix ?? "", signal),
    enabled: prefix !== undefined,
    staleTime: 60_000,
  });
}

async function findProfiles(prefix: string, signal: AbortSignal): Promise<Profile[]> {
  const filter = prefix.length === idLength ? { profileId: prefix } : { q: prefix };
  const query = { ...filter, since: searchedRange, limit: profilesMax };
  const { profiles } = await call(listProfiles, { query, signal });
  return profiles.filter((profile) => profile.profile_id.startsWith(prefix));
}

/** Functions of the range whose name contains the text. */
export function functionsQuery(text: string | undefined, range: RangeQuery) {
  const query = { ...range, q: (text ?? "").slice(0, limits.searchLengthMax) };
  return queryOptions({
    queryKey: ["palette", "functions", query],
    queryFn: ({ signal }) => call(findFunctions, { query, signal }),
    enabled: text !== undefined,
    staleTime: 60_000,
  });
}
