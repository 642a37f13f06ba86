import { type DeletedOrganization, limits, operatorOverview, type ReplyOf } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import type { Config } from "#config";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";
import { readAllOwnLimits } from "#store/row/organization-limits.ts";
import { acrossOrganizations, countRows, type RowStore } from "#store/row/row-store.ts";
import { readStoragePrice, registerLimits, storageCost } from "./limits.ts";
import { type LimitsContext, readLimitsInUse } from "./limits-in-use.ts";

/** Each reads a column of every stored profile. */
const overviewsPerMinute = 30;

export function registerOperator(app: FastifyInstance, ctx: LimitsContext): void {
  serve(app, ctx, operatorOverview, readOverview, {
    rate: perMinute(app, "operator overviews", overviewsPerMinute),
  });
  registerLimits(app, ctx);
}

type Overview = ReplyOf<typeof operatorOverview>;

async function readOverview(ctx: LimitsContext): Promise<Overview> {
  const [rows, deleted, users, refused, price] = await Promise.all([
    organizationRows(ctx.rows),
    deletedOrganizations(ctx.rows),
    countUsers(ctx.rows),
    refusedRequests(ctx.rows, firstUsageDay(ctx.now())),
    readStoragePrice(ctx),
  ]);
  const [profiles, limitsById] = await Promise.all([
    ctx.columns.query(storedProfiles, { orgIds: rows.map(({ id }) => id) }),
    readLimitsInUse(ctx, rows),
  ]);
  const profilesById = new Map(profiles.map((each) => [each.orgId, each]));
  const organizations = rows.map((row) => {
    const stored = profilesById.get(row.id);
    const limits = limitsById.get(row.id)!;
    const bytes = limits.stored_bytes.used;
    return {
      id: row.id,
      name: row.name,
      is_demo: row.isDemo === 1,
      created_at: row.createdAt,
      members: row.members,
      active_api_keys: row.activeKeys,
      profiles: stored?.profiles ?? 0,
      stored_bytes: bytes,
      refused_requests: refused.get(row.id) ?? 0,
      last_profile_at: stored?.lastAt.toISOString() ?? null,
      limits,
      storage_cost: storageCost(bytes, price),
    };
  });
  const limits = limitsOf(ctx.config);
  return { organizations, deleted_organizations: deleted, users, storage_price: price, limits };
}

function limitsOf({ signup, retentionDays, organization, ingest }: Config): Overview["limits"] {
  return {
    signup,
    retention_days: retentionDays,
    stored_bytes_max: organization.storedBytesMax,
    api_keys_max: organization.apiKeysMax,
    projects_max: organization.projectsMax,
    services_max: organization.servicesMax,
    uploads_per_minute: ingest.perMinute,
    organization_uploads_per_minute: organization.uploadsPerMinute,
    analyses_per_day: organization.analysesPerDay,
  };
}

/** The profiles that the organizations have stored. Those without profiles have no row. */
const storedProfiles = query({
  name: "operator.stored-profiles",
  sql: `SELECT toString(org_id) AS orgId, countIf(type != 'metrics') AS profiles, max(received_at) AS lastAt
        FROM profiles WHERE org_id IN {orgIds:Array(UUID)} GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), profiles: Count, lastAt: Instant }),
});

/** All organizations that are in use, with their own limits and their numbers of members and active keys. */
async function organizationRows(rows: RowStore) {
  const all = acrossOrganizations(rows);
  const [organizations, members, keys, limits] = await Promise.all([
    all
      .selectFrom("organizations")
      .select(["id", "name", "isDemo", "createdAt", "retentionDays"])
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
    readAllOwnLimits(rows),
  ]);
  const countIn = (counts: readonly { orgId: string; count: number }[]) =>
    new Map(counts.map(({ orgId, count }) => [orgId, count]));
  const [memberCounts, keyCounts] = [countIn(members), countIn(keys)];
  return organizations.map((row) => ({
    ...row,
    members: memberCounts.get(row.id) ?? 0,
    activeKeys: keyCounts.get(row.id) ?? 0,
    ownLimits: limits.get(row.id) ?? {},
  }));
}

/** The refused requests of each organization's keys since a day (UTC). Organizations without any have no entry. */
async function refusedRequests(rows: RowStore, since: string): Promise<ReadonlyMap<string, number>> {
  const counts = await acrossOrganizations(rows)
    .selectFrom("apiKeyRefusals")
    .select(({ fn }) => ["orgId", fn.sum<number | string>("count").as("count")] as const)
    .where("day", ">=", since)
    .groupBy("orgId")
    .execute();
  // PostgreSQL returns sums as text.
  return new Map(counts.map(({ orgId, count }) => [orgId, Number(count)]));
}

function countUsers(rows: RowStore): Promise<number> {
  return countRows(rows.selectFrom("users"));
}

/** The last organizations that an admin deleted, newest first. Their audit logs went with them. */
async function deletedOrganizations(rows: RowStore): Promise<DeletedOrganization[]> {
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
