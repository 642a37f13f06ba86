import type { Insertable } from "kysely";
import { type FactorFlags, factorFlags } from "#auth/second-factor/factor-flags.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

interface TotpRow {
  /** Sealed. */
  readonly secret: string;
  readonly createdAt: string;
  /** null: not in use yet. */
  readonly confirmedAt: string | null;
  readonly lastStep: number;
}

export function totpOf(rows: RowStore, userId: string): Promise<TotpRow | undefined> {
  return rows
    .selectFrom("totpSecrets")
    .select(["secret", "createdAt", "confirmedAt", "lastStep"])
    .where("userId", "=", userId)
    .executeTakeFirst();
}

export function factorsOf(rows: RowStore, userId: string): Promise<FactorFlags> {
  return rows.selectFrom("users").select(factorFlags).where("id", "=", userId).executeTakeFirstOrThrow();
}

/** Accepts the code of a step once; false if it, or a later one, was accepted before. One statement, for concurrent uses. */
export async function acceptStep(rows: RowStore, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable("totpSecrets")
    .set({ lastStep: step })
    .where("userId", "=", userId)
    .where("confirmedAt", "is not", null)
    .where("lastStep", "<", step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function recoveryCodesLeft(rows: RowStore, userId: string): Promise<number> {
  const { left } = await rows
    .selectFrom("recoveryCodes")
    .select(({ fn }) => fn.countAll<number | string>().as("left"))
    .where("userId", "=", userId)
    .where("usedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Marks a code of the person as used; false if there is none. One statement, so that only one of many concurrent uses succeeds. */
export async function consumeRecoveryCode(
  rows: RowStore,
  { userId, codeHash, now }: { readonly userId: string; readonly codeHash: string; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable("recoveryCodes")
    .set({ usedAt: now.toISOString() })
    .where("codeHash", "=", codeHash)
    .where("userId", "=", userId)
    .where("usedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function removeAllFactors(rows: RowStore, userId: string): Promise<void> {
  for (const table of ["totpSecrets", "passkeys", "recoveryCodes"] as const)
    await rows.deleteFrom(table).where("userId", "=", userId).execute();
}

export async function removeRecoveryCodes(rows: RowStore, userId: string): Promise<void> {
  await rows.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
}

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
