import { type FactorFlags, factorFlags } from "#auth/second-factor/factor-flags.ts";
import type { RowStore } from "#store/row/row-store.ts";

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
