import type { Insertable, Selectable } from "kysely";
import { usableLinks } from "#auth/shared-links.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, countRows, type Database, type RowStore } from "#store/row/row-store.ts";

export type SharedLinkRow = Omit<
  Selectable<Database["sharedLinks"]>,
  "orgId" | "tokenHash" | "fromAt" | "toAt" | "look"
> & { readonly firstName: string; readonly lastName: string };

export async function allowsPublicLinks(rows: RowStore, orgId: string): Promise<boolean> {
  const setting = rows.selectFrom("organizations").select("allowsPublicLinks").where("id", "=", orgId);
  return (await setting.executeTakeFirst())?.allowsPublicLinks === 1;
}

/** Links end when they are forbidden: allowing new ones later must not open old ones again. False if this is allowed or forbidden already. */
export function storeAllowance(rows: RowStore, orgId: string, isAllowed: boolean): Promise<boolean> {
  const flag = isAllowed ? 1 : 0;
  return lockedTransaction(rows, orgId, async (transaction) => {
    const update = transaction.updateTable("organizations").set({ allowsPublicLinks: flag });
    const isChanged = await changesRow(update.where("id", "=", orgId).where("allowsPublicLinks", "!=", flag));
    if (!isAllowed) await transaction.deleteFrom("sharedLinks").where("orgId", "=", orgId).execute();
    return isChanged;
  });
}

function listedLinks(rows: RowStore, orgId: string, now: string) {
  return usableLinks(rows, now)
    .select([
      "sharedLinks.id",
      "sharedLinks.service",
      "sharedLinks.type",
      "sharedLinks.graph",
      "sharedLinks.createdBy",
      "sharedLinks.createdAt",
      "sharedLinks.expiresAt",
      "sharedLinks.lastOpenedAt",
      "users.firstName",
      "users.lastName",
    ])
    .where("sharedLinks.orgId", "=", orgId);
}

export function sharedLinksOf(rows: RowStore, orgId: string, now: Date): Promise<SharedLinkRow[]> {
  return listedLinks(rows, orgId, now.toISOString())
    .orderBy("sharedLinks.createdAt", "desc")
    .orderBy("sharedLinks.id")
    .execute();
}

export function findSharedLink(
  rows: RowStore,
  orgId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<SharedLinkRow | undefined> {
  return listedLinks(rows, orgId, now.toISOString()).where("sharedLinks.id", "=", id).executeTakeFirst();
}

/**
 * Refuses a link that would be one more than `linksMax` listed ones, and one that an admin forbids at the same moment: it
 * would be stored after the others were removed, and work once links are allowed again.
 */
export function insertSharedLink(
  rows: RowStore,
  link: Insertable<Database["sharedLinks"]>,
  linksMax: number,
): Promise<"stored" | "forbidden" | "too many"> {
  return lockedTransaction(rows, link.orgId, async (transaction) => {
    if (!(await allowsPublicLinks(transaction, link.orgId))) return "forbidden";
    const count = await countRows(listedLinks(transaction, link.orgId, link.createdAt));
    if (count >= linksMax) return "too many";
    await transaction.insertInto("sharedLinks").values(link).execute();
    return "stored";
  });
}

export async function removeSharedLink(rows: RowStore, orgId: string, id: string): Promise<void> {
  await rows.deleteFrom("sharedLinks").where("orgId", "=", orgId).where("id", "=", id).execute();
}
