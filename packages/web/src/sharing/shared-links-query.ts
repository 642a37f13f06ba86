import { listSharedLinks } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

export const sharedLinksQuery = callQuery(["shared-links"], listSharedLinks);
