import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { sendVerification, verifyEmail } from "#accounts/email/verify-email.ts";
import { registerOrganizations } from "#accounts/organizations/routes.ts";
import { changePassword } from "#accounts/passwords/change-password.ts";
import { requestReset, resetPassword } from "#accounts/passwords/reset-password.ts";
import { finishSignIn } from "#accounts/second-factor/finish-sign-in.ts";
import { signInWithPasskey, startPasskeyLogin } from "#accounts/second-factor/passkey-sign-in.ts";
import { registerSecondFactors } from "#accounts/second-factor/routes.ts";
import { registerSingleSignOn } from "#accounts/single-sign-on/routes.ts";
import { bearerOf } from "#auth/credentials.ts";
import { refresh } from "#auth/sessions/refresh.ts";
import { deviceCookie, deviceOf } from "#auth/sign-in-limits/device-cookie.ts";
import type { Context } from "#context";
import type { Caller } from "#http/endpoint/caller.ts";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { Reply } from "#http/reply/reply.ts";
import { registerForOperator } from "./for-operator.ts";
import { registerExpiryJob } from "./job.ts";
import { emailKeyOf } from "./queries.ts";
import { getPublicConfig, registerAccount } from "./register.ts";
import { endOwnSession, listSessions, signOutEverywhere } from "./sessions.ts";
import { signIn, signOut } from "./sign-in.ts";
import { getUser } from "./user.ts";

/** Calls per minute and address, because each costs a slow hash or a write. Signing in has its own limits, in auth/sign-in-limits. */
const callsMax = { register: 30, tokens: 120, mailTokens: 30, passkeys: 60 };

export function registerAccounts(app: FastifyInstance, ctx: Context): void {
  registerExpiryJob(app, ctx);
  registerForOperator(app, ctx);
  serve(app, ctx, calls.publicConfig, getPublicConfig);

  const tokens = { rate: perMinute(app, callsMax.tokens) };
  const passkeys = { rate: perMinute(app, callsMax.passkeys) };
  serve(app, ctx, calls.register, withDeviceCookie(registerAccount), {
    rate: perMinute(app, callsMax.register),
  });
  serve(app, ctx, calls.login, withDeviceCookie(signIn));
  serve(app, ctx, calls.finishLogin, withDeviceCookie(finishSignIn));
  serve(app, ctx, calls.startPasskeyLogin, startPasskeyLogin, passkeys);
  serve(app, ctx, calls.loginWithPasskey, withDeviceCookie(signInWithPasskey), passkeys);
  serve(app, ctx, calls.refreshToken, refreshTokens, tokens);
  serve(app, ctx, calls.logout, signOut, tokens);
  serve(app, ctx, calls.userProfile, getUser);

  const mailTokens = { rate: perMinute(app, callsMax.mailTokens) };
  serve(app, ctx, calls.forgotPassword, requestReset);
  serve(app, ctx, calls.resetPassword, resetPassword, mailTokens);
  serve(app, ctx, calls.changePassword, changePassword);
  serve(app, ctx, calls.verifyEmail, verifyEmail, mailTokens);
  serve(app, ctx, calls.sendVerification, sendVerification);

  serve(app, ctx, calls.listSessions, listSessions);
  serve(app, ctx, calls.endSession, endOwnSession);
  serve(app, ctx, calls.endSessions, signOutEverywhere);
  registerSingleSignOn(app, ctx);
  registerSecondFactors(app, ctx);
  registerOrganizations(app, ctx);
}

/** Remembers the device of somebody who has signed in, so that failed attempts of others do not lock it out. */
function withDeviceCookie<I, A extends calls.SignedIn | calls.SecondFactorNeeded>(
  begin: (ctx: Context, actor: null, input: I, caller: Caller) => Promise<A>,
) {
  return async (ctx: Context, actor: null, input: I, caller: Caller): Promise<Reply<A>> => {
    const answer = await begin(ctx, actor, input, caller);
    if (!("user" in answer)) return new Reply(answer);
    const emailKey = emailKeyOf(answer.user.email);
    const deviceId = deviceOf(ctx, emailKey, caller.headers.cookie);
    return new Reply(answer, { headers: { "set-cookie": deviceCookie(ctx, emailKey, deviceId) } });
  };
}

async function refreshTokens(ctx: Context, _actor: null, _input: object, caller: Caller) {
  return { tokens: await refresh(ctx, bearerOf(caller.headers), caller) };
}
