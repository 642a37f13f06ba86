import { publicConfig } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** What the server tells anybody about itself. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) => call(publicConfig, { signal }),
});
