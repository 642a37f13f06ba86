import type { Insertable, Selectable } from "kysely";
import { requireRole } from "#auth/require-role.ts";
import type { UserActor } from "#context";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import {
  acrossOrganizations,
  changesRow,
  countRows,
  type Database,
  type RowStore,
} from "#store/row/row-store.ts";

type Stored = Selectable<Database["invitations"]>;

export type UsableInvitation = Omit<Stored, "tokenHash" | "createdBy" | "createdAt"> & {
  readonly orgName: string;
};

/** With the name of the inviter; null after their account was removed. */
export type InvitationRow = Omit<Stored, "orgId" | "tokenHash" | "createdBy"> & InviterName;
interface InviterName {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

function ofOrganization(rows: RowStore, orgId: string, now: Date) {
  return rows
    .selectFrom("invitations")
    .leftJoin("users", "users.id", "invitations.createdBy")
    .select([
      "invitations.id",
      "invitations.email",
      "invitations.role",
      "invitations.createdAt",
      "invitations.expiresAt",
      "users.firstName",
      "users.lastName",
    ])
    .where("invitations.orgId", "=", orgId)
    .where("invitations.expiresAt", ">", now.toISOString());
}

export function invitationsOf(rows: RowStore, orgId: string, now: Date): Promise<InvitationRow[]> {
  return ofOrganization(rows, orgId, now)
    .orderBy("invitations.createdAt", "desc")
    .orderBy("invitations.id")
    .execute();
}

export function findInvitation(
  rows: RowStore,
  orgId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<InvitationRow | undefined> {
  return ofOrganization(rows, orgId, now).where("invitations.id", "=", id).executeTakeFirst();
}

/** False if the organization has `invitationsMax` invitations that can still be accepted. */
export function insertInvitation(
  rows: RowStore,
  actor: UserActor,
  invitation: Insertable<Database["invitations"]>,
  invitationsMax: number,
): Promise<boolean> {
  const { orgId, createdAt } = invitation;
  return lockedTransaction(rows, orgId, async (transaction) => {
    await requireRole(transaction, actor, ["admin"]);
    const count = await countRows(
      transaction.selectFrom("invitations").where("orgId", "=", orgId).where("expiresAt", ">", createdAt),
    );
    if (count >= invitationsMax) return false;
    await transaction.insertInto("invitations").values(invitation).execute();
    return true;
  });
}

export async function removeInvitation(rows: RowStore, orgId: string, id: string): Promise<void> {
  await rows.deleteFrom("invitations").where("orgId", "=", orgId).where("id", "=", id).execute();
}

/** Invitations of a person who may not invite any more. */
export async function removeInvitationsBy(rows: RowStore, orgId: string, userId: string): Promise<void> {
  await rows.deleteFrom("invitations").where("orgId", "=", orgId).where("createdBy", "=", userId).execute();
}

/** An invitation works as long as its author is an admin who can sign in. */
export function invitationByHash(
  rows: RowStore,
  tokenHash: string,
  now: Date,
): Promise<UsableInvitation | undefined> {
  return acrossOrganizations(rows)
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.orgId")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.orgId", "=", "invitations.orgId")
        .onRef("memberships.userId", "=", "invitations.createdBy"),
    )
    .innerJoin("users", "users.id", "invitations.createdBy")
    .select([
      "invitations.id",
      "invitations.orgId",
      "invitations.email",
      "invitations.role",
      "invitations.expiresAt",
      "organizations.name as orgName",
    ])
    .where("invitations.tokenHash", "=", tokenHash)
    .where("invitations.expiresAt", ">", now.toISOString())
    .where("memberships.role", "=", "admin")
    .where("users.isActive", "=", 1)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
}

/** Uses an invitation up; false if it no longer works. One statement, so that only one of many concurrent uses succeeds. */
export function takeInvitation(
  rows: RowStore,
  { id, orgId, now }: { readonly id: string; readonly orgId: string; readonly now: Date },
): Promise<boolean> {
  return changesRow(
    rows
      .deleteFrom("invitations")
      .where("orgId", "=", orgId)
      .where("id", "=", id)
      .where("expiresAt", ">", now.toISOString()),
  );
}
