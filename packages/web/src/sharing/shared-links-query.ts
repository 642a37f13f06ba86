import { listSharedLinks } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

export const sharedLinksQuery = queryOptions({
  queryKey: ["shared-links"],
  queryFn: ({ signal }) => call(listSharedLinks, { signal }),
});
