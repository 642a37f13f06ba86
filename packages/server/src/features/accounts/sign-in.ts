import type { login, ReplyOf } from "@flamekeep/contract";
import type { Context } from "#context";
import { unauthenticated } from "#failure";
import { isPasswordOf } from "./password.ts";
import { presentUser } from "./present.ts";
import { accountByEmail, emailKeyOf } from "./queries.ts";
import { startSession } from "./session.ts";
import { admitAttempt, clearFailures, recordFailure, type Subject } from "./throttle.ts";

/** The same words, status and time for an unknown address, a wrong password and a closed account. */
export async function signIn(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
  address: string,
): Promise<ReplyOf<typeof login>> {
  const account: Subject = { kind: "account", name: emailKeyOf(input.email) };
  const subjects: readonly Subject[] = [account, { kind: "address", name: address }];
  await admitAttempt(ctx, subjects);
  const found = await accountByEmail(ctx.rows, input.email);
  const isRight = await isPasswordOf(found?.passwordHash, input.password);
  if (found === undefined || !isRight || found.isActive === 0) {
    await recordFailure(ctx, subjects);
    ctx.metrics.count("flamekeep_sign_ins_failed_total", "Sign-ins with a wrong address or password.");
    throw unauthenticated("Invalid email or password");
  }
  await clearFailures(ctx, account);
  const tokens = await startSession(ctx, found);
  return { user: presentUser({ ...found, lastLoginAt: ctx.now().toISOString() }), tokens };
}
