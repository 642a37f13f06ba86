import { listMembers } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";

/** The people of the organization. Visitors of the demo cannot read them. */
export const membersQuery = callQuery(["members"], listMembers);
