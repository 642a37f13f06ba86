import { useQuery } from "@tanstack/react-query";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { alertsQuery } from "./queries.ts";

/**
 * Reads the open alerts; false until they arrive or cannot be read. Stays true while a failed call is repeated, which it is
 * when a part of the page that shows the alerts appears.
 */
export function useHasOpenAlerts(): boolean {
  const query = useQuery(alertsQuery("open"));
  const error = useLastError(query);
  return query.data !== undefined || error !== null;
}
