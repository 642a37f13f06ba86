import type { Insertable } from "kysely";
import type { Database, RowStore } from "#store/row/row-store.ts";

export interface PasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  /** A JSON array of texts. */
  readonly transports: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The newest first. */
export function passkeysOf(rows: RowStore, userId: string): Promise<PasskeyRow[]> {
  return rows
    .selectFrom("passkeys")
    .selectAll()
    .where("userId", "=", userId)
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .execute();
}

export function passkeyByCredential(rows: RowStore, credentialId: string): Promise<PasskeyRow | undefined> {
  return rows.selectFrom("passkeys").selectAll().where("credentialId", "=", credentialId).executeTakeFirst();
}

/** False if a passkey with this credential exists. */
export async function insertPasskey(
  rows: RowStore,
  passkey: Insertable<Database["passkeys"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await rows
    .insertInto("passkeys")
    .values(passkey)
    .onConflict((conflict) => conflict.column("credentialId").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function renamePasskeyRow(
  rows: RowStore,
  userId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<PasskeyRow | undefined> {
  return rows
    .updateTable("passkeys")
    .set({ name })
    .where("userId", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

export async function deletePasskey(
  rows: RowStore,
  userId: string,
  id: string,
): Promise<PasskeyRow | undefined> {
  return rows
    .deleteFrom("passkeys")
    .where("userId", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

interface PasskeyUse {
  readonly id: string;
  readonly counter: number;
  readonly now: Date;
}

/** Records a use; false if a use with the same or a later count came first, or the passkey was removed. */
export async function recordUse(rows: RowStore, { id, counter, now }: PasskeyUse): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable("passkeys")
    .set({ counter, lastUsedAt: now.toISOString() })
    .where("id", "=", id)
    .where((eb) => (counter === 0 ? eb("counter", "=", 0) : eb("counter", "<", counter)))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
