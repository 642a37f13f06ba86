import type { DashboardDefinition } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import type { Insertable } from "kysely";
import { countRows, type Database, type RowStore } from "#store/row/row-store.ts";

/** A version of a dashboard. */
export interface StoredVersion {
  readonly id: string;
  readonly version: number;
  readonly savedAt: string;
  /** null if the account no longer exists. */
  readonly savedBy: string | null;
  readonly definition: DashboardDefinition;
}

type NewVersion = Omit<Insertable<Database["dashboardVersions"]>, "definition"> & {
  readonly definition: DashboardDefinition;
};

/** The latest version of each dashboard. */
export async function latestVersions(rows: RowStore, orgId: string): Promise<StoredVersion[]> {
  const latest = versionsOf(rows, orgId).whereRef("dashboardVersions.version", "=", "dashboards.version");
  return (await latest.execute()).map(toStoredVersion);
}

/** Newest first; none if there is no such dashboard. */
export async function versionsOfDashboard(
  rows: RowStore,
  orgId: string,
  id: string,
): Promise<StoredVersion[]> {
  const versions = versionsOf(rows, orgId).where("dashboards.id", "=", id);
  return (await versions.orderBy("dashboardVersions.version", "desc").execute()).map(toStoredVersion);
}

/** The latest version by default; undefined if there is no such dashboard or version. */
export async function findVersion(
  rows: RowStore,
  orgId: string,
  { id, version }: { readonly id: string; readonly version?: number | undefined },
): Promise<StoredVersion | undefined> {
  const versions = versionsOf(rows, orgId).where("dashboards.id", "=", id);
  const found = await (version === undefined
    ? versions.whereRef("dashboardVersions.version", "=", "dashboards.version")
    : versions.where("dashboardVersions.version", "=", version)
  ).executeTakeFirst();
  return found && toStoredVersion(found);
}

function versionsOf(rows: RowStore, orgId: string) {
  return rows
    .selectFrom("dashboards")
    .innerJoin("dashboardVersions", (join) =>
      join
        .onRef("dashboardVersions.orgId", "=", "dashboards.orgId")
        .onRef("dashboardVersions.dashboardId", "=", "dashboards.id"),
    )
    .leftJoin("users", "users.id", "dashboardVersions.savedBy")
    .select([
      "dashboards.id",
      "dashboardVersions.version",
      "dashboardVersions.definition",
      "dashboardVersions.savedAt",
      "users.firstName",
      "users.lastName",
    ])
    .where("dashboards.orgId", "=", orgId);
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versionsOf>["executeTakeFirstOrThrow"]>>;

function toStoredVersion({ firstName, lastName, definition, ...row }: VersionRow): StoredVersion {
  return {
    ...row,
    savedBy: firstName === null ? null : `${firstName} ${lastName}`,
    definition: JSON.parse(definition) as DashboardDefinition,
  };
}

/** Call it with the organization locked. */
export function countDashboards(rows: RowStore, orgId: string): Promise<number> {
  return countRows(rows.selectFrom("dashboards").where("orgId", "=", orgId));
}

export async function insertDashboard(rows: RowStore, first: NewVersion): Promise<void> {
  const { orgId, dashboardId: id, version, savedAt: createdAt } = first;
  await rows.insertInto("dashboards").values({ orgId, id, version, createdAt }).execute();
  await insertVersion(rows, first);
}

/** Makes it the latest version, and removes the oldest ones. Call it with the organization locked. */
export async function addVersion(rows: RowStore, next: NewVersion): Promise<void> {
  const { orgId, dashboardId: id, version } = next;
  const update = rows.updateTable("dashboards").set({ version });
  await update.where("orgId", "=", orgId).where("id", "=", id).execute();
  await insertVersion(rows, next);
  await rows
    .deleteFrom("dashboardVersions")
    .where("orgId", "=", orgId)
    .where("dashboardId", "=", id)
    .where("version", "<=", version - limits.dashboardVersionsMax)
    .execute();
}

async function insertVersion(rows: RowStore, { definition, ...version }: NewVersion): Promise<void> {
  const values = { ...version, definition: JSON.stringify(definition) };
  await rows.insertInto("dashboardVersions").values(values).execute();
}

export async function deleteDashboard(rows: RowStore, orgId: string, id: string): Promise<void> {
  await rows.deleteFrom("dashboards").where("orgId", "=", orgId).where("id", "=", id).execute();
}
