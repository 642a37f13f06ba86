import type { Role } from "@flamekeep/contract";
import type { ExpressionBuilder, Selectable } from "kysely";
import type { Database, RowStore } from "#store/row/row-store.ts";

export type MemberRow = Pick<
  Selectable<Database["users"]>,
  "id" | "email" | "firstName" | "lastName" | "lastLoginAt" | "isActive"
> & {
  readonly role: Role;
  readonly joinedAt: string;
  /** API keys of the organization that they created and that work. */
  readonly activeKeys: number;
};

function activeKeysOfMember(
  { selectFrom }: ExpressionBuilder<Database, "memberships" | "users">,
  orgId: string,
  now: Date,
) {
  return selectFrom("apiKeys")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("apiKeys.orgId", "=", orgId)
    .whereRef("apiKeys.createdBy", "=", "users.id")
    .where("apiKeys.isActive", "=", 1)
    .where((eb) =>
      eb.or([eb("apiKeys.expiresAt", "is", null), eb("apiKeys.expiresAt", ">", now.toISOString())]),
    );
}

function ofOrganization(rows: RowStore, orgId: string, now: Date) {
  return rows
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select([
      "users.id",
      "users.email",
      "users.firstName",
      "users.lastName",
      "users.lastLoginAt",
      "users.isActive",
      "memberships.role",
      "memberships.createdAt as joinedAt",
    ])
    .select((eb) => eb.fn.coalesce(activeKeysOfMember(eb, orgId, now), eb.lit(0)).as("activeKeys"))
    .where("memberships.orgId", "=", orgId);
}

/** Admins first: the names of the roles are in the order of their rights. */
export function membersOf(rows: RowStore, orgId: string, now: Date): Promise<MemberRow[]> {
  return ofOrganization(rows, orgId, now)
    .orderBy("memberships.role")
    .orderBy("users.firstName")
    .orderBy("users.lastName")
    .orderBy("users.id")
    .execute();
}

export function findMember(
  rows: RowStore,
  orgId: string,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<MemberRow | undefined> {
  return ofOrganization(rows, orgId, now).where("users.id", "=", userId).executeTakeFirst();
}

/** Whether somebody else is an admin who can sign in. */
export async function hasOtherAdmin(rows: RowStore, orgId: string, userId: string): Promise<boolean> {
  const other = await rows
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select("memberships.userId")
    .where("memberships.orgId", "=", orgId)
    .where("memberships.userId", "!=", userId)
    .where("memberships.role", "=", "admin")
    .where("users.isActive", "=", 1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function setRole(
  rows: RowStore,
  orgId: string,
  { userId, role }: { readonly userId: string; readonly role: Role },
): Promise<void> {
  await rows
    .updateTable("memberships")
    .set({ role })
    .where("orgId", "=", orgId)
    .where("userId", "=", userId)
    .execute();
}

/** The person's public links and assignments, also those of findings, go, too: a later membership must not bring them back. */
export async function removeMembership(rows: RowStore, orgId: string, userId: string): Promise<void> {
  await rows.deleteFrom("sharedLinks").where("orgId", "=", orgId).where("createdBy", "=", userId).execute();
  await rows
    .deleteFrom("incidentAssignments")
    .where("orgId", "=", orgId)
    .where("assignedTo", "=", userId)
    .execute();
  await rows
    .updateTable("findings")
    .set({ ownerId: null })
    .where("orgId", "=", orgId)
    .where("ownerId", "=", userId)
    .execute();
  await rows.deleteFrom("memberships").where("orgId", "=", orgId).where("userId", "=", userId).execute();
}

interface EndedSessions {
  /** Undefined for everybody. */
  readonly userId?: string;
  readonly at: Date;
  /** The session that goes on. */
  readonly except?: string;
}

export async function endSessionsIn(
  rows: RowStore,
  orgId: string,
  { userId, at, except }: EndedSessions,
): Promise<void> {
  let ending = rows
    .updateTable("sessions")
    .set({ endedAt: at.toISOString() })
    .where("orgId", "=", orgId)
    .where("endedAt", "is", null);
  if (userId !== undefined) ending = ending.where("userId", "=", userId);
  if (except !== undefined) ending = ending.where("id", "!=", except);
  await ending.execute();
}
