import type { Passkey, SecondFactorNeeded, SecondFactors } from "@flamekeep/contract";
import type { FactorFlags } from "#auth/second-factor/factor-flags.ts";
import type { Context, DemoActor, UserActor } from "#context";
import type { RowStore } from "#store/row/row-store.ts";
import { type PasskeyRow, passkeysOf } from "./passkeys/queries.ts";
import { relyingPartyOf } from "./passkeys/relying-party.ts";
import { factorsOf, recoveryCodesLeft, removeRecoveryCodes, totpOf } from "./queries.ts";

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
