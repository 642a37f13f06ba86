import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** A user together with the organization of the session. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly isActive: 0 | 1;
  readonly isVerified: 0 | 1;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
  readonly role: "admin" | "member" | "viewer";
  readonly orgId: string;
  readonly orgName: string;
}

export type AccountWithHash = AccountRow & { readonly passwordHash: string };

/** Email addresses are compared without regard to case, as mail servers do in practice. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

function accounts(rows: RowStore) {
  return rows
    .selectFrom("users")
    .innerJoin("memberships", "memberships.userId", "users.id")
    .innerJoin("organizations", "organizations.id", "memberships.orgId")
    .select([
      "users.id",
      "users.email",
      "users.firstName",
      "users.lastName",
      "users.isActive",
      "users.isVerified",
      "users.createdAt",
      "users.lastLoginAt",
      "memberships.role",
      "memberships.orgId",
      "organizations.name as orgName",
    ]);
}

/** A user of several organizations signs in to the one joined first. */
export function accountByEmail(rows: RowStore, email: string): Promise<AccountWithHash | undefined> {
  return accounts(acrossOrganizations(rows))
    .select("users.passwordHash")
    .where("users.emailKey", "=", emailKeyOf(email))
    .where("organizations.suspendedAt", "is", null)
    .orderBy("memberships.createdAt")
    .limit(1)
    .executeTakeFirst();
}

export function accountInOrganization(
  rows: RowStore,
  orgId: string,
  userId: string,
): Promise<AccountRow | undefined> {
  return accounts(rows)
    .where("users.id", "=", userId)
    .where("memberships.orgId", "=", orgId)
    .executeTakeFirst();
}

export function accountWithHash(
  rows: RowStore,
  orgId: string,
  userId: string,
): Promise<AccountWithHash | undefined> {
  return accounts(rows)
    .select("users.passwordHash")
    .where("users.id", "=", userId)
    .where("memberships.orgId", "=", orgId)
    .executeTakeFirst();
}
