import { listApiKeys, userProfile } from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

export function apiKeysQuery(page: number) {
  return queryOptions({
    queryKey: ["api-keys", page],
    queryFn: ({ signal }) => call(listApiKeys, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
}

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call(userProfile, { signal }),
});
