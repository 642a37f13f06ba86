import type { Selectable } from "kysely";
import { lockOrganization } from "#store/row/organization-lock.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

export type ProjectRow = Selectable<Database["projects"]>;
export type DerivedRow = Selectable<Database["derivedProjects"]>;

/** The fields that people can change; tags as a JSON array. */
export type ProjectChange = Partial<Pick<ProjectRow, "name" | "description" | "status" | "tags">>;

export function storedProjects(rows: RowStore, orgId: string): Promise<ProjectRow[]> {
  return rows.selectFrom("projects").selectAll().where("orgId", "=", orgId).orderBy("createdAt").execute();
}

export function derivedProjects(rows: RowStore, orgId: string): Promise<DerivedRow[]> {
  return rows.selectFrom("derivedProjects").selectAll().where("orgId", "=", orgId).execute();
}

/** People in the organization, whatever their role. */
export async function countMembers(rows: RowStore, orgId: string): Promise<number> {
  const { count } = await rows
    .selectFrom("memberships")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("orgId", "=", orgId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** False if the organization has `projectsMax` projects. */
export function insertProject(rows: RowStore, project: ProjectRow, projectsMax: number): Promise<boolean> {
  return rows.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, project.orgId);
    const { count } = await transaction
      .selectFrom("projects")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("orgId", "=", project.orgId)
      .executeTakeFirstOrThrow();
    if (count >= projectsMax) return false;
    await transaction.insertInto("projects").values(project).execute();
    return true;
  });
}

/** False when the organization has no such project. */
export async function updateStoredProject(
  rows: RowStore,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  change: ProjectChange & Pick<ProjectRow, "updatedAt">,
): Promise<boolean> {
  const update = rows.updateTable("projects").set(change).where("orgId", "=", orgId).where("id", "=", id);
  return (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** False when the organization has no such project. */
export async function removeProject(rows: RowStore, orgId: string, id: string): Promise<boolean> {
  const removal = rows.deleteFrom("projects").where("orgId", "=", orgId).where("id", "=", id);
  return (await removal.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** Adds to what was changed before on the project of a service. */
export async function updateDerivedProject(
  rows: RowStore,
  { orgId, service }: { readonly orgId: string; readonly service: string },
  change: ProjectChange & Partial<Pick<DerivedRow, "isHidden">> & Pick<DerivedRow, "updatedAt">,
): Promise<void> {
  const unchanged = { name: null, description: null, status: null, tags: null, isHidden: 0 as const };
  await rows
    .insertInto("derivedProjects")
    .values({ ...unchanged, ...change, orgId, service })
    .onConflict((conflict) => conflict.columns(["orgId", "service"]).doUpdateSet(change))
    .execute();
}
