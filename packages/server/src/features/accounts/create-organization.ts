import { randomUUID } from "node:crypto";
import type { RowStore } from "#store/row/row-store.ts";
import type { MembershipRow } from "./queries.ts";

interface Owner {
  readonly userId: string;
  readonly firstName: string;
  readonly now: Date;
}

/** Creates an organization with the person as its admin. Call it inside a transaction. */
export async function createOrganization(
  rows: RowStore,
  { userId, firstName, now }: Owner,
): Promise<MembershipRow> {
  const createdAt = now.toISOString();
  const orgId = randomUUID();
  const orgName = `${firstName}'s organization`;
  await rows.insertInto("organizations").values({ id: orgId, name: orgName, isDemo: 0, createdAt }).execute();
  await rows.insertInto("memberships").values({ orgId, userId, role: "admin", createdAt }).execute();
  return { orgId, orgName, role: "admin", lacksSecondFactor: false };
}
