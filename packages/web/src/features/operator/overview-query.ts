import { operatorOverview } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

export const overviewKey = ["operator"] as const;

export const overviewQuery = callQuery(overviewKey, operatorOverview);
