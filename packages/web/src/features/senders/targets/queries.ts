import { listTargets, type Target } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** The server writes the states of scrapes every few seconds. */
const refreshIntervalMs = 10_000;

export const targetsQuery = callQuery(["targets"], listTargets, {}, { refetchInterval: refreshIntervalMs });

/** Whether a target that is switched on is not found, or fails to be scraped, wholly or in part. */
export function hasProblem({ is_enabled, failing, discovery_error }: Target): boolean {
  return is_enabled && (failing > 0 || discovery_error !== null);
}
