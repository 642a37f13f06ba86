import type { SecondFactorNeeded, SecondFactors } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import type { RowStore } from "#store/row/row-store.ts";
import { recoveryCodesLeft, removeRecoveryCodes, totpOf } from "./queries.ts";

type Method = SecondFactorNeeded["second_factor"]["methods"][number];

/** The ways to finish a sign-in with the password; empty for an account that needs nothing else. */
export async function methodsOf(rows: RowStore, userId: string): Promise<Method[]> {
  const totp = await totpOf(rows, userId);
  if (totp === undefined || totp.confirmedAt === null) return [];
  return (await recoveryCodesLeft(rows, userId)) > 0 ? ["totp", "recovery_code"] : ["totp"];
}

export async function getSecondFactors(ctx: Context, actor: UserActor | DemoActor): Promise<SecondFactors> {
  if (actor.kind === "demo") return { totp_since: null, recovery_codes_left: 0 };
  const totp = await totpOf(ctx.rows, actor.userId);
  return {
    totp_since: totp?.confirmedAt ?? null,
    recovery_codes_left: await recoveryCodesLeft(ctx.rows, actor.userId),
  };
}

/** Call it after the removal of a factor: codes for an account without one would have no use. */
export async function removeCodesWithoutFactor(rows: RowStore, userId: string): Promise<void> {
  if ((await methodsOf(rows, userId)).length === 0) await removeRecoveryCodes(rows, userId);
}
