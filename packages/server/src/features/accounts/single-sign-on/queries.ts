import type { RowStore } from "#store/row/row-store.ts";

/** Names an account at a provider. It never changes. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export interface IdentityRow extends IdentityKey {
  readonly userId: string;
  readonly createdAt: string;
  readonly unlinkedAt: string | null;
}

export function identityOf(
  rows: RowStore,
  { issuer, subject }: IdentityKey,
): Promise<IdentityRow | undefined> {
  return rows
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Whether the account has, or had, an identity of the provider. */
export async function hasIdentityOf(rows: RowStore, userId: string, issuer: string): Promise<boolean> {
  const found = rows.selectFrom("identities").select("subject").where("userId", "=", userId);
  return (await found.where("issuer", "=", issuer).limit(1).executeTakeFirst()) !== undefined;
}

/** The linked ones, the newest first. */
export function identitiesOf(rows: RowStore, userId: string): Promise<IdentityRow[]> {
  return rows
    .selectFrom("identities")
    .selectAll()
    .where("userId", "=", userId)
    .where("unlinkedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("subject")
    .execute();
}

/** False if the identity signs in to an account already. One statement, so that only one of several concurrent links succeeds. */
export async function link(
  rows: RowStore,
  { issuer, subject }: IdentityKey,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<boolean> {
  const linked = { userId, createdAt: now.toISOString(), unlinkedAt: null };
  const { numInsertedOrUpdatedRows } = await rows
    .insertInto("identities")
    .values({ issuer, subject, ...linked })
    .onConflict((conflict) =>
      conflict
        .columns(["issuer", "subject"])
        .doUpdateSet(linked)
        .where("identities.unlinkedAt", "is not", null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False if it is not linked to the person any more. */
export async function unlink(
  rows: RowStore,
  { issuer, subject, userId }: IdentityRow,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable("identities")
    .set({ unlinkedAt: now.toISOString() })
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .where("userId", "=", userId)
    .where("unlinkedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
