import { listOrganizations } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** The organizations of the person who is signed in. */
export const organizationsQuery = callQuery(["organizations"], listOrganizations);
