import { type createSharedLink, listSharedLinks, type RequestOf } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** A graph with every parameter, and the first view of it. */
export type Shared = Pick<RequestOf<typeof createSharedLink>["body"], "graph" | "look">;

export const sharedLinksQuery = callQuery(["shared-links"], listSharedLinks);
