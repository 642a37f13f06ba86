import type { operatorOverview, ReplyOf } from "@flamekeep/contract";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import type { Config } from "#config";
import type { Context } from "#context";
import {
  countUsers,
  deletedOrganizations,
  organizationRows,
  refusedRequests,
  storedBytes,
  storedProfiles,
} from "./queries.ts";

type Overview = ReplyOf<typeof operatorOverview>;

export async function readOverview(ctx: Context): Promise<Overview> {
  const [rows, deleted, users, refused] = await Promise.all([
    organizationRows(ctx.rows),
    deletedOrganizations(ctx.rows),
    countUsers(ctx.rows),
    refusedRequests(ctx.rows, firstUsageDay(ctx.now())),
  ]);
  const all = { orgIds: rows.map(({ id }) => id) };
  const [profiles, bytes] = await Promise.all([
    ctx.columns.query(storedProfiles, all),
    ctx.columns.query(storedBytes, all),
  ]);
  const profilesById = new Map(profiles.map((each) => [each.orgId, each]));
  const bytesById = new Map(bytes.map((each) => [each.orgId, each.bytes]));
  const organizations = rows.map((row) => {
    const stored = profilesById.get(row.id);
    return {
      id: row.id,
      name: row.name,
      is_demo: row.isDemo === 1,
      created_at: row.createdAt,
      members: row.members,
      active_api_keys: row.activeKeys,
      profiles: stored?.profiles ?? 0,
      stored_bytes: bytesById.get(row.id) ?? 0,
      refused_requests: refused.get(row.id) ?? 0,
      last_profile_at: stored?.lastAt.toISOString() ?? null,
    };
  });
  return { organizations, deleted_organizations: deleted, users, limits: limitsOf(ctx.config) };
}

function limitsOf({ signup, retentionDays, organization, ingest }: Config): Overview["limits"] {
  return {
    signup,
    retention_days: retentionDays,
    stored_bytes_max: organization.storedBytesMax,
    api_keys_max: organization.apiKeysMax,
    projects_max: organization.projectsMax,
    uploads_per_minute: ingest.perMinute,
    analyses_per_day: organization.analysesPerDay,
  };
}
