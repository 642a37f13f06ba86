import { limits, listAlerts, listMuteProposals, listMutes } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** The server evaluates alerts once a minute. */
const refreshIntervalMs = 15_000;

/** The newest alerts, as many as fit in one reply. The server does not sort by increase; callers do. */
export function alertsQuery(status: "open" | "all") {
  return callQuery(
    ["alerts", status],
    listAlerts,
    { query: { status, limit: limits.alertListLimitMax } },
    { refetchInterval: refreshIntervalMs },
  );
}

/** The queries that a change of alerts concerns. */
export const queriesOfAlerts = [{ queryKey: ["alerts"] }, { queryKey: ["status"] }] as const;

/** The muted series, with the ends of their mutes. */
export const mutesQuery = callQuery(["alert-mutes"], listMutes, {}, { refetchInterval: refreshIntervalMs });

/** Schedules for alerts that come back, by the clock of a zone. Changes of alerts and mutes invalidate the key `alerts`. */
export function proposalsQuery(timeZone: string) {
  return callQuery(["alerts", "proposals", timeZone], listMuteProposals, { query: { time_zone: timeZone } });
}
