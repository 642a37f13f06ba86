import { memberships } from "#accounts/queries.ts";
import { lacksFactor, lacksSecondFactor } from "#auth/second-factor/factor-flags.ts";
import type { RowStore } from "#store/row/row-store.ts";

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly members: number;
  readonly requiresSecondFactor: 0 | 1;
}

export async function organizationRow(rows: RowStore, orgId: string): Promise<OrganizationRow> {
  const { members } = await rows
    .selectFrom("memberships")
    .select(({ fn }) => fn.countAll<number>().as("members"))
    .where("orgId", "=", orgId)
    .executeTakeFirstOrThrow();
  const organization = await rows
    .selectFrom("organizations")
    .select(["id", "name", "createdAt", "requiresSecondFactor"])
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  return { ...organization, members };
}

/** The organizations of a person, the one joined first on top, without those whose required second factor the person lacks. */
export async function readableOrganizations(
  rows: RowStore,
  userId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const own = await memberships(rows, userId)
    .select(["memberships.orgId as id", "organizations.name"])
    .select(lacksSecondFactor)
    .orderBy("memberships.createdAt")
    .orderBy("memberships.orgId")
    .execute();
  return own.flatMap(({ lacksSecondFactor: isClosed, ...each }) => (isClosed ? [] : [each]));
}

export async function renameRow(rows: RowStore, orgId: string, name: string): Promise<void> {
  await rows.updateTable("organizations").set({ name }).where("id", "=", orgId).execute();
}

export async function membersWithoutSecondFactor(rows: RowStore, orgId: string): Promise<number> {
  const { count } = await rows
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("memberships.orgId", "=", orgId)
    .where(lacksFactor)
    .executeTakeFirstOrThrow();
  return count;
}

export async function storeRequirement(rows: RowStore, orgId: string, isRequired: boolean): Promise<void> {
  const change = rows.updateTable("organizations").set({ requiresSecondFactor: isRequired ? 1 : 0 });
  await change.where("id", "=", orgId).execute();
}
