import type { RowStore } from "#store/row/row-store.ts";

/** Links that work as long as their organization allows them: not expired, and of an active person who is an admin or member there. */
export function usableLinks(rows: RowStore, now: string) {
  return rows
    .selectFrom("sharedLinks")
    .innerJoin("users", "users.id", "sharedLinks.createdBy")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.orgId", "=", "sharedLinks.orgId")
        .onRef("memberships.userId", "=", "sharedLinks.createdBy"),
    )
    .where("sharedLinks.expiresAt", ">", now)
    .where("users.isActive", "=", 1)
    .where("memberships.role", "in", ["admin", "member"]);
}
