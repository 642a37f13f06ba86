import type { Selectable } from "kysely";
import { type FactorFlags, factorFlags } from "#auth/second-factor/factor-flags.ts";
import { changesRow, countRows, type Database, type RowStore } from "#store/row/row-store.ts";

type TotpRow = Selectable<Database["totpSecrets"]>;

export function totpOf(rows: RowStore, userId: string): Promise<TotpRow | undefined> {
  return rows.selectFrom("totpSecrets").selectAll().where("userId", "=", userId).executeTakeFirst();
}

export function factorsOf(rows: RowStore, userId: string): Promise<FactorFlags> {
  return rows.selectFrom("users").select(factorFlags).where("id", "=", userId).executeTakeFirstOrThrow();
}

/** Accepts the code of a step once; false if it, or a later one, was accepted before. One statement, for concurrent uses. */
export function acceptStep(rows: RowStore, userId: string, step: number): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("totpSecrets")
      .set({ lastStep: step })
      .where("userId", "=", userId)
      .where("confirmedAt", "is not", null)
      .where("lastStep", "<", step),
  );
}

export function recoveryCodesLeft(rows: RowStore, userId: string): Promise<number> {
  return countRows(rows.selectFrom("recoveryCodes").where("userId", "=", userId).where("usedAt", "is", null));
}

/** Marks a code of the person as used; false if there is none. One statement, so that only one of many concurrent uses succeeds. */
export function consumeRecoveryCode(
  rows: RowStore,
  { userId, codeHash, now }: { readonly userId: string; readonly codeHash: string; readonly now: Date },
): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("recoveryCodes")
      .set({ usedAt: now.toISOString() })
      .where("codeHash", "=", codeHash)
      .where("userId", "=", userId)
      .where("usedAt", "is", null),
  );
}

export async function removeAllFactors(rows: RowStore, userId: string): Promise<void> {
  for (const table of ["totpSecrets", "passkeys", "recoveryCodes"] as const)
    await rows.deleteFrom(table).where("userId", "=", userId).execute();
}

export async function removeRecoveryCodes(rows: RowStore, userId: string): Promise<void> {
  await rows.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
}

export type PasskeyRow = Selectable<Database["passkeys"]>;

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
export function insertPasskey(rows: RowStore, passkey: PasskeyRow): Promise<boolean> {
  return changesRow(
    rows
      .insertInto("passkeys")
      .values(passkey)
      .onConflict((conflict) => conflict.column("credentialId").doNothing()),
  );
}

/** False if there is no such passkey, or if it has the name already. */
export function renamePasskeyRow(
  rows: RowStore,
  userId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const update = rows.updateTable("passkeys").set({ name }).where("userId", "=", userId);
  return changesRow(update.where("id", "=", id).where("name", "!=", name));
}

export function deletePasskey(rows: RowStore, userId: string, id: string): Promise<PasskeyRow | undefined> {
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
export function recordUse(rows: RowStore, { id, counter, now }: PasskeyUse): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("passkeys")
      .set({ counter, lastUsedAt: now.toISOString() })
      .where("id", "=", id)
      .where((eb) => (counter === 0 ? eb("counter", "=", 0) : eb("counter", "<", counter))),
  );
}
