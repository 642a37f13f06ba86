import type * as calls from "@flamekeep/contract";
import type { Passkey, SecondFactorNeeded, SecondFactors } from "@flamekeep/contract";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import type { FactorFlags } from "#auth/second-factor/factor-flags.ts";
import { generateRecoveryCodes, recoveryCodeHash } from "#auth/second-factor/totp.ts";
import type { Context, DemoActor, UserActor } from "#context";
import { Failure } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { relyingPartyOf } from "./passkey-challenges.ts";
import {
  factorsOf,
  type PasskeyRow,
  passkeysOf,
  recoveryCodesLeft,
  removeRecoveryCodes,
  totpOf,
} from "./queries.ts";

type Method = SecondFactorNeeded["second_factor"]["methods"][number];

/** The ways to finish a sign-in with the password; empty for an account that needs nothing else. */
export async function methodsOf(rows: RowStore, userId: string): Promise<Method[]> {
  return methodsFor(await factorsOf(rows, userId));
}

export function methodsFor({ hasTotp, hasPasskey, hasRecoveryCode }: FactorFlags): Method[] {
  const methods: Method[] = [];
  if (hasTotp) methods.push("totp");
  if (hasPasskey) methods.push("passkey");
  if (methods.length > 0 && hasRecoveryCode) methods.push("recovery_code");
  return methods;
}

export async function getSecondFactors(ctx: Context, actor: UserActor | DemoActor): Promise<SecondFactors> {
  const can_add_passkeys = relyingPartyOf(ctx.config) !== undefined;
  if (actor.kind === "demo") {
    return { totp_since: null, passkeys: [], recovery_codes_left: 0, can_add_passkeys };
  }
  const totp = await totpOf(ctx.rows, actor.userId);
  return {
    totp_since: totp?.confirmedAt ?? null,
    passkeys: (await passkeysOf(ctx.rows, actor.userId)).map(presentPasskey),
    recovery_codes_left: await recoveryCodesLeft(ctx.rows, actor.userId),
    can_add_passkeys,
  };
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, created_at: createdAt, last_used_at: lastUsedAt };
}

/** Call it after the removal of a factor: codes for an account without one would have no use. */
export async function removeCodesWithoutFactor(rows: RowStore, userId: string): Promise<void> {
  if ((await methodsOf(rows, userId)).length === 0) await removeRecoveryCodes(rows, userId);
}

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

export const replaceRecoveryCodes: Operation<typeof calls.replaceRecoveryCodes> = async (
  ctx,
  actor,
  input,
) => {
  const account = await accountWithPassword(ctx, actor, input.password);
  if ((await methodsOf(ctx.rows, account.id)).length === 0) {
    throw new Failure("conflict", "Recovery codes need a second factor. Set one up first.");
  }
  const codes = await ctx.rows
    .transaction()
    .execute((rows) => createRecoveryCodes(rows, account.id, ctx.now()));
  ctx.log.info({ userId: account.id }, "recovery codes replaced");
  queueFactorNotice(ctx, account.email, "recoveryCodesReplaced");
  return { recovery_codes: codes };
};
