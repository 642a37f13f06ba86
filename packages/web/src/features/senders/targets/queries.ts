import { listTargets } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** The server writes the states of scrapes every few seconds. */
const refreshIntervalMs = 10_000;

export const targetsQuery = callQuery(["targets"], listTargets, {}, { refetchInterval: refreshIntervalMs });
