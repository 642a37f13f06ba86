import { listOrganizations } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The organizations of the person who is signed in. */
export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: ({ signal }) => call(listOrganizations, { signal }),
});
