import type { RowStore } from "./row-store.ts";

export async function isMember(rows: RowStore, orgId: string, userId: string): Promise<boolean> {
  const found = rows.selectFrom("memberships").select("userId");
  const member = found.where("orgId", "=", orgId).where("userId", "=", userId);
  return (await member.executeTakeFirst()) !== undefined;
}
