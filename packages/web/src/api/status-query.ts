import { serverStatus } from "@flamekeep/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";

/** The layout reads it again and again. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => call(serverStatus, { signal }),
});

/** Whether the data of the demo is still being loaded, so that the health of its services is not known. */
export function useIsLoadingDemo(): boolean {
  return useQuery({ ...statusQuery, select: ({ is_loading }) => is_loading }).data === true;
}
