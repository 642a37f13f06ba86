import type { LimitName, LimitsInUse, OwnLimits } from "@flamekeep/contract";
import type { Context } from "#context";
import { utcDayOf } from "#store/column/utc.ts";
import { countsOfServices, storedBytes } from "#store/profiles/stored-usage.ts";
import { limitOf } from "#store/row/organization-limits.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

export interface LimitsContext extends Context {
  /** Uploads of the organization to all servers in the last full minute. */
  uploadsInLastMinute(orgId: string): number;
}

/** The parts of an organization that its limits depend on. */
interface Limited {
  readonly id: string;
  /** The days that it chose; null: as many as it may. */
  readonly retentionDays: number | null;
  readonly ownLimits: OwnLimits;
}

/** The usage of organizations according to the stores, by id. */
interface StoredUsage {
  readonly bytes: ReadonlyMap<string, number>;
  readonly services: ReadonlyMap<string, number>;
  readonly analyses: ReadonlyMap<string, number>;
}

/** The limits of each organization with their usage, by its id. */
export async function readLimitsInUse(
  ctx: LimitsContext,
  organizations: readonly Limited[],
): Promise<ReadonlyMap<string, LimitsInUse>> {
  const ids = organizations.map(({ id }) => id);
  const usage = await readUsage(ctx, ids);
  return new Map(organizations.map((each) => [each.id, limitsInUse(ctx, each, usage)]));
}

function limitsInUse(
  ctx: LimitsContext,
  { id, retentionDays, ownLimits }: Limited,
  usage: StoredUsage,
): LimitsInUse {
  const inUse = (name: LimitName, used: (value: number) => number) => {
    const { value, source } = limitOf(ctx.config, { orgId: id, ownLimits }, name);
    return { value, used: used(value), source };
  };
  return {
    stored_bytes: inUse("stored_bytes", () => usage.bytes.get(id) ?? 0),
    uploads_per_minute: inUse("uploads_per_minute", () => ctx.uploadsInLastMinute(id)),
    services: inUse("services", () => usage.services.get(id) ?? 0),
    retention_days: inUse("retention_days", (value) => Math.min(retentionDays ?? value, value)),
    analyses_per_day: inUse("analyses_per_day", () => usage.analyses.get(id) ?? 0),
  };
}

async function readUsage({ columns, rows, now }: Context, orgIds: string[]): Promise<StoredUsage> {
  const [bytes, services, analyses] = await Promise.all([
    columns.query(storedBytes, { orgIds }),
    columns.query(countsOfServices, { orgIds }),
    analysesOf(rows, utcDayOf(now().getTime())),
  ]);
  return {
    bytes: new Map(bytes.map((each) => [each.orgId, each.bytes])),
    services: new Map(services.map((each) => [each.orgId, each.services])),
    analyses,
  };
}

async function analysesOf(rows: RowStore, day: string): Promise<ReadonlyMap<string, number>> {
  const found = acrossOrganizations(rows).selectFrom("analysisUsage").select(["orgId", "analyses"]);
  return new Map((await found.where("day", "=", day).execute()).map((each) => [each.orgId, each.analyses]));
}
