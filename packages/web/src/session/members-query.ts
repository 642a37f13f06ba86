import { listMembers } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The people of the organization. Visitors of the demo cannot read them. */
export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => call(listMembers, { signal }),
});
