import type { RowStore } from "#store/row/row-store.ts";

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly members: number;
}

export async function organizationRow(rows: RowStore, orgId: string): Promise<OrganizationRow> {
  const { members } = await rows
    .selectFrom("memberships")
    .select(({ fn }) => fn.countAll<number>().as("members"))
    .where("orgId", "=", orgId)
    .executeTakeFirstOrThrow();
  const organization = await rows
    .selectFrom("organizations")
    .select(["id", "name", "createdAt"])
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  return { ...organization, members };
}

export async function renameRow(rows: RowStore, orgId: string, name: string): Promise<void> {
  await rows.updateTable("organizations").set({ name }).where("id", "=", orgId).execute();
}
