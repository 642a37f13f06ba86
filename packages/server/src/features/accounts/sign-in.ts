import type { login, ReplyOf } from "@flamekeep/contract";
import { isPasswordOf } from "#auth/passwords/password.ts";
import { startSession } from "#auth/sessions/session.ts";
import {
  type CountedAttempt,
  countAttempt,
  countSession,
  type Origin,
} from "#auth/sign-in-limits/attempts.ts";
import { deviceOf } from "#auth/sign-in-limits/device-cookie.ts";
import { isKnownAddress, rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { unauthenticated } from "#failure";
import { presentUser } from "./present.ts";
import { type AccountWithHash, accountByEmail, emailKeyOf } from "./queries.ts";

/** Who asks, as the request tells. */
export interface Caller {
  readonly address: string;
  /** The address may be that of a proxy, and so of many people: no account gets to know it. */
  readonly isAddressShared: boolean;
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
}

/**
 * The same words, status and time for an unknown address, a wrong password and a closed account. The attempt is
 * counted before the password is checked: attempts at the same moment cannot outrun the count.
 */
export async function signIn(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
  caller: Caller,
): Promise<ReplyOf<typeof login>> {
  const emailKey = emailKeyOf(input.email);
  const attempt = await countAttempt(ctx, emailKey, await originOf(ctx, emailKey, caller));
  const account = await checkPassword(ctx, input, attempt);
  if (account === undefined) {
    ctx.metrics.count("flamekeep_sign_ins_failed_total", "Sign-ins with a wrong address or password.");
    throw unauthenticated("Invalid email or password");
  }
  await attempt.succeed();
  await countSession(ctx, account.id);
  if (!caller.isAddressShared) await rememberAddress(ctx, account.id, caller.address);
  const tokens = await startSession(ctx, account);
  return { user: presentUser({ ...account, lastLoginAt: ctx.now().toISOString() }), tokens };
}

async function originOf(ctx: Context, emailKey: string, caller: Caller): Promise<Origin> {
  const { address, isAddressShared, cookies } = caller;
  const deviceId = deviceOf(ctx, emailKey, cookies);
  if (deviceId !== undefined) return { kind: "device", deviceId };
  const isKnown = (await isKnownAddress(ctx, emailKey, address)) && !isAddressShared;
  return { kind: isKnown ? "known address" : "unknown address", address };
}

async function checkPassword(
  ctx: Context,
  input: { readonly email: string; readonly password: string },
  attempt: CountedAttempt,
): Promise<AccountWithHash | undefined> {
  try {
    const found = await accountByEmail(ctx.rows, input.email);
    const isRight = await isPasswordOf(found?.passwordHash, input.password);
    return isRight && found?.isActive === 1 ? found : undefined;
  } catch (cause) {
    await attempt.withdraw();
    throw cause;
  }
}
