import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** Bounds the reply. Rate limits allow more sessions, but nobody has that many in practice. */
const sessionsMax = 500;

export interface SessionRow {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The active sessions of a user, the most recently used first. */
export function sessionsOf(rows: RowStore, userId: string, now: Date): Promise<SessionRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("sessions")
    .select(["id", "userAgent", "address", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy(({ fn }) => fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id")
    .limit(sessionsMax)
    .execute();
}

/** Whether the session is the user's and active. */
export async function isSessionOf(
  rows: RowStore,
  { userId, id, now }: { readonly userId: string; readonly id: string; readonly now: Date },
): Promise<boolean> {
  const row = await acrossOrganizations(rows)
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row !== undefined;
}
