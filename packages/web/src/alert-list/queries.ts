import { limits, listAlerts, listMuteProposals, listMutes } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";

/** The newest alerts, as many as fit in one reply. The server does not sort by increase; callers do. */
export function alertsQuery(status: "open" | "all") {
  return callQuery(
    ["alerts", status],
    listAlerts,
    { query: { status, limit: limits.alertListLimitMax } },
    { refetchInterval: refreshSteps.listMs },
  );
}

/** The queries that a change of alerts concerns. */
export const queriesOfAlerts = [{ queryKey: ["alerts"] }, { queryKey: ["status"] }] as const;

/** The muted series, with the ends of their mutes. */
export const mutesQuery = callQuery(["alert-mutes"], listMutes, {}, { refetchInterval: refreshSteps.listMs });

/** Schedules for alerts that come back, by the clock of a zone. Changes of alerts and mutes invalidate the key `alerts`. */
export function proposalsQuery(timeZone: string) {
  return callQuery(["alerts", "proposals", timeZone], listMuteProposals, { query: { time_zone: timeZone } });
}
