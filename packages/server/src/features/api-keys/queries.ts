import type { Role } from "@flamekeep/contract";
import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import { requireRole } from "#auth/require-role.ts";
import type { UserActor } from "#context";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { countRows, type Database, type RowStore } from "#store/row/row-store.ts";

export type ApiKeyRow = Omit<Selectable<Database["apiKeys"]>, "orgId" | "secretHash" | "createdBy"> & {
  /** The creator's name; null for a key that the server made itself. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The creator's role; null for a former member. */
  readonly role: Role | null;
};

function keysOf(rows: RowStore, orgId: string) {
  return rows
    .selectFrom("apiKeys")
    .leftJoin("users", "users.id", "apiKeys.createdBy")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.userId", "=", "apiKeys.createdBy")
        .onRef("memberships.orgId", "=", "apiKeys.orgId"),
    )
    .select([
      "apiKeys.id",
      "apiKeys.publicId",
      "apiKeys.name",
      "apiKeys.scope",
      "apiKeys.prefix",
      "apiKeys.isActive",
      "apiKeys.createdAt",
      "apiKeys.updatedAt",
      "apiKeys.lastUsedAt",
      "apiKeys.expiresAt",
      "users.firstName",
      "users.lastName",
      "memberships.role",
    ])
    .where("apiKeys.orgId", "=", orgId);
}

export function keysPage(
  rows: RowStore,
  orgId: string,
  page: { readonly page: number; readonly size: number },
): Promise<ApiKeyRow[]> {
  return keysOf(rows, orgId)
    .orderBy("apiKeys.createdAt", "desc")
    .orderBy("apiKeys.id")
    .limit(page.size)
    .offset((page.page - 1) * page.size)
    .execute();
}

export function countKeys(rows: RowStore, orgId: string): Promise<number> {
  return countRows(rows.selectFrom("apiKeys").where("orgId", "=", orgId));
}

/**
 * False if the organization has `keysMax` active keys. Also removes all but the latest `keysMax` keys that were revoked or
 * have expired.
 */
export function insertKey(
  rows: RowStore,
  actor: UserActor,
  key: Insertable<Database["apiKeys"]>,
  keysMax: number,
): Promise<boolean> {
  const isOver = (eb: ExpressionBuilder<Database, "apiKeys">) =>
    eb.or([eb("isActive", "=", 0), eb("expiresAt", "<=", key.createdAt)]);
  return lockedTransaction(rows, key.orgId, async (transaction) => {
    await requireRole(transaction, actor, ["admin", "member"]);
    const active = await countRows(
      transaction
        .selectFrom("apiKeys")
        .where("orgId", "=", key.orgId)
        .where("isActive", "=", 1)
        .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", key.createdAt)])),
    );
    if (active >= keysMax) return false;
    await transaction.insertInto("apiKeys").values(key).execute();
    const over = transaction.selectFrom("apiKeys").where("orgId", "=", key.orgId).where(isOver);
    const latest = over.select("id").orderBy("updatedAt", "desc").orderBy("id").limit(keysMax);
    await transaction
      .deleteFrom("apiKeys")
      .where("orgId", "=", key.orgId)
      .where(isOver)
      .where("id", "not in", latest)
      .execute();
    return true;
  });
}

export function findKey(rows: RowStore, orgId: string, id: string): Promise<ApiKeyRow | undefined> {
  return keysOf(rows, orgId).where("apiKeys.id", "=", id).executeTakeFirst();
}

export interface UsageRange {
  readonly orgId: string;
  readonly keyId: string;
  /** The first day, UTC. */
  readonly since: string;
}

export function usageByDay(rows: RowStore, { orgId, keyId, since }: UsageRange) {
  return rows
    .selectFrom("apiKeyUsage")
    .select(["day", "profiles", "bytes"])
    .where("orgId", "=", orgId)
    .where("keyId", "=", keyId)
    .where("day", ">=", since)
    .execute();
}

export function refusalsByDay(rows: RowStore, { orgId, keyId, since }: UsageRange) {
  return rows
    .selectFrom("apiKeyRefusals")
    .select(["day", "code", "count", "lastAt", "lastMessage"])
    .where("orgId", "=", orgId)
    .where("keyId", "=", keyId)
    .where("day", ">=", since)
    .execute();
}
