import { getAlertCoverage, listServices } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The services that sent profiles in the last week. */
export const serviceNamesQuery = queryOptions({
  queryKey: ["services", "7d", "names"],
  queryFn: ({ signal }) => call(listServices, { query: { since: "7d" }, signal }),
});

export function coverageQuery(service: string) {
  return queryOptions({
    queryKey: ["alert-coverage", service],
    queryFn: ({ signal }) => call(getAlertCoverage, { params: { service }, signal }),
    refetchInterval: minuteMs,
  });
}
