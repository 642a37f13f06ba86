import { type DeletedOrganization, limits } from "@flamekeep/contract";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** The profiles that the organizations have stored. Those without profiles have no row. */
export const storedProfiles = query({
  name: "operator.stored-profiles",
  sql: `SELECT toString(org_id) AS orgId, countIf(type != 'metrics') AS profiles, max(received_at) AS lastAt
        FROM profiles WHERE org_id IN {orgIds:Array(UUID)} GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), profiles: Count, lastAt: Instant }),
});

/** As the limit of stored bytes counts them. */
export const storedBytes = query({
  name: "operator.stored-bytes",
  sql: `SELECT toString(org_id) AS orgId, sum(stored_bytes) AS bytes
        FROM type_totals_1m WHERE org_id IN {orgIds:Array(UUID)} AND sample_type = '' GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), bytes: Count }),
});

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly isDemo: 0 | 1;
  readonly createdAt: string;
  readonly members: number;
  readonly activeKeys: number;
}

/** All organizations that are in use, with their numbers of members and active keys. */
export async function organizationRows(rows: RowStore): Promise<OrganizationRow[]> {
  const all = acrossOrganizations(rows);
  const [organizations, members, keys] = await Promise.all([
    all
      .selectFrom("organizations")
      .select(["id", "name", "isDemo", "createdAt"])
      .where("suspendedAt", "is", null)
      .orderBy("createdAt")
      .orderBy("id")
      .execute(),
    all
      .selectFrom("memberships")
      .select(({ fn }) => ["orgId", fn.countAll<number>().as("count")] as const)
      .groupBy("orgId")
      .execute(),
    all
      .selectFrom("apiKeys")
      .select(({ fn }) => ["orgId", fn.countAll<number>().as("count")] as const)
      .where("isActive", "=", 1)
      .groupBy("orgId")
      .execute(),
  ]);
  const countIn = (counts: readonly { orgId: string; count: number }[]) =>
    new Map(counts.map(({ orgId, count }) => [orgId, count]));
  const [memberCounts, keyCounts] = [countIn(members), countIn(keys)];
  return organizations.map((row) => ({
    ...row,
    members: memberCounts.get(row.id) ?? 0,
    activeKeys: keyCounts.get(row.id) ?? 0,
  }));
}

/** The refused requests of each organization's keys since a day (UTC). Organizations without any have no entry. */
export async function refusedRequests(rows: RowStore, since: string): Promise<ReadonlyMap<string, number>> {
  const counts = await acrossOrganizations(rows)
    .selectFrom("apiKeyRefusals")
    .select(({ fn }) => ["orgId", fn.sum<number | string>("count").as("count")] as const)
    .where("day", ">=", since)
    .groupBy("orgId")
    .execute();
  // PostgreSQL returns sums as text.
  return new Map(counts.map(({ orgId, count }) => [orgId, Number(count)]));
}

export async function countUsers(rows: RowStore): Promise<number> {
  const { count } = await rows
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The last organizations that an admin deleted, newest first. Their audit logs went with them. */
export async function deletedOrganizations(rows: RowStore): Promise<DeletedOrganization[]> {
  const found = await acrossOrganizations(rows)
    .selectFrom("organizationRemovals")
    .select(["orgId", "name", "removedAt", "finishedAt"])
    .orderBy("removedAt", "desc")
    .orderBy("orgId")
    .limit(limits.deletedOrganizationsMax)
    .execute();
  return found.map(({ orgId, name, removedAt, finishedAt }) => ({
    id: orgId,
    name,
    deleted_at: removedAt,
    data_removed_at: finishedAt,
  }));
}
