import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { queueFactorNotice } from "#accounts/email/changed-notice.ts";
import { accountWithPassword } from "#accounts/passwords/current-password.ts";
import { generateRecoveryCodes, recoveryCodeHash } from "#auth/second-factor/recovery-code.ts";
import type { Context, UserActor } from "#context";
import { Failure } from "#failure";
import type { RowStore } from "#store/row/row-store.ts";
import { methodsOf } from "./methods.ts";
import { removeRecoveryCodes } from "./queries.ts";

/** Stores new codes in place of the former ones, and returns them: they are not readable afterwards. */
async function createRecoveryCodes(rows: RowStore, userId: string, now: Date): Promise<string[]> {
  const codes = generateRecoveryCodes();
  const createdAt = now.toISOString();
  await removeRecoveryCodes(rows, userId);
  await rows
    .insertInto("recoveryCodes")
    .values(codes.map((code) => ({ codeHash: recoveryCodeHash(code) as string, userId, createdAt })))
    .execute();
  return codes;
}

/**
 * New codes when an account gets its first second factor or has used all of its codes; else null. Call it before the factor is stored:
 * an operator who removed all factors of the account has left its codes, and they must be replaced.
 */
export async function codesForFactor(rows: RowStore, userId: string, now: Date): Promise<string[] | null> {
  const hasCodes = (await methodsOf(rows, userId)).includes("recovery_code");
  return hasCodes ? null : createRecoveryCodes(rows, userId, now);
}

export async function replaceRecoveryCodes(
  ctx: Context,
  actor: UserActor,
  input: InputOf<typeof calls.replaceRecoveryCodes>,
): Promise<ReplyOf<typeof calls.replaceRecoveryCodes>> {
  const account = await accountWithPassword(ctx, actor, input.password);
  if ((await methodsOf(ctx.rows, account.id)).length === 0) {
    throw new Failure("conflict", "Recovery codes are for accounts with a second factor. Set one up first.");
  }
  const codes = await ctx.rows
    .transaction()
    .execute((rows) => createRecoveryCodes(rows, account.id, ctx.now()));
  ctx.log.info({ userId: account.id }, "recovery codes replaced");
  queueFactorNotice(ctx, account.email, "recoveryCodesReplaced");
  return { recovery_codes: codes };
}
