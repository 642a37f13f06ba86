import type { KeyScope } from "@flamekeep/contract";
import type { Insertable } from "kysely";
import { lockOrganization } from "#store/row/organization-lock.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

export interface ApiKeyRow {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly prefix: string;
  readonly isActive: 0 | 1;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsedAt: string | null;
}

const columns = [
  "id",
  "publicId",
  "name",
  "scope",
  "prefix",
  "isActive",
  "createdAt",
  "updatedAt",
  "lastUsedAt",
] as const;

export function keysPage(
  rows: RowStore,
  orgId: string,
  page: { readonly page: number; readonly size: number },
): Promise<ApiKeyRow[]> {
  return rows
    .selectFrom("apiKeys")
    .select(columns)
    .where("orgId", "=", orgId)
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(page.size)
    .offset((page.page - 1) * page.size)
    .execute();
}

export async function countKeys(rows: RowStore, orgId: string): Promise<number> {
  const { count } = await rows
    .selectFrom("apiKeys")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("orgId", "=", orgId)
    .executeTakeFirstOrThrow();
  return count;
}

/** False if the organization has `keysMax` active keys. Also removes all but the latest `keysMax` revoked keys. */
export function insertKey(
  rows: RowStore,
  key: Insertable<Database["apiKeys"]>,
  keysMax: number,
): Promise<boolean> {
  return rows.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, key.orgId);
    const { active } = await transaction
      .selectFrom("apiKeys")
      .select(({ fn }) => fn.countAll<number>().as("active"))
      .where("orgId", "=", key.orgId)
      .where("isActive", "=", 1)
      .executeTakeFirstOrThrow();
    if (active >= keysMax) return false;
    await transaction.insertInto("apiKeys").values(key).execute();
    const revoked = transaction
      .selectFrom("apiKeys")
      .where("orgId", "=", key.orgId)
      .where("isActive", "=", 0);
    const latest = revoked.select("id").orderBy("updatedAt", "desc").orderBy("id").limit(keysMax);
    await transaction
      .deleteFrom("apiKeys")
      .where("orgId", "=", key.orgId)
      .where("isActive", "=", 0)
      .where("id", "not in", latest)
      .execute();
    return true;
  });
}

/** Revokes a key; undefined if the organization has no such key. */
export function revokeKey(
  rows: RowStore,
  orgId: string,
  id: string,
  at: Date,
): Promise<ApiKeyRow | undefined> {
  return rows
    .updateTable("apiKeys")
    .set({ isActive: 0, updatedAt: at.toISOString() })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
}
