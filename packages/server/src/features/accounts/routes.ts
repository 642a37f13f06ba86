import {
  changePassword as changePasswordCall,
  endSession,
  endSessions,
  finishLogin,
  forgotPassword,
  listSessions as listSessionsCall,
  login,
  loginWithPasskey,
  logout,
  publicConfig,
  refreshToken,
  register,
  resetPassword as resetPasswordCall,
  sendVerification as sendVerificationCall,
  startPasskeyLogin as startPasskeyLoginCall,
  userProfile,
  verifyEmail as verifyEmailCall,
} from "@flamekeep/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendVerification, verifyEmail } from "#accounts/email/verify-email.ts";
import { registerForOperator } from "#accounts/for-operator/routes.ts";
import { registerOrganizations } from "#accounts/organizations/routes.ts";
import { changePassword } from "#accounts/passwords/change-password.ts";
import { requestReset } from "#accounts/passwords/request-reset.ts";
import { resetPassword } from "#accounts/passwords/reset-password.ts";
import { finishSignIn } from "#accounts/second-factor/finish-sign-in.ts";
import { signInWithPasskey, startPasskeyLogin } from "#accounts/second-factor/passkeys/sign-in.ts";
import { registerSecondFactors } from "#accounts/second-factor/routes.ts";
import { endOwnSession, signOutEverywhere } from "#accounts/sessions/end-sessions.ts";
import { listSessions } from "#accounts/sessions/list-sessions.ts";
import { registerSingleSignOn } from "#accounts/single-sign-on/routes.ts";
import { bearerOf } from "#auth/credentials.ts";
import { refresh } from "#auth/sessions/refresh.ts";
import { deviceCookie, deviceOf } from "#auth/sign-in-limits/device-cookie.ts";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import type { Caller } from "./caller.ts";
import { getUser } from "./get-user.ts";
import { registerExpiryJob } from "./job.ts";
import { getPublicConfig } from "./public-config.ts";
import { emailKeyOf } from "./queries.ts";
import { registerAccount } from "./register.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

/** Calls per minute and address, because each costs a slow hash or a write. Signing in has its own limits, in auth/sign-in-limits. */
const callsMax = { register: 30, tokens: 120, mailTokens: 30, passkeys: 60 };

export function registerAccounts(app: FastifyInstance, ctx: Context): void {
  registerExpiryJob(app, ctx);
  registerForOperator(app, ctx);
  serve(app, ctx, publicConfig, () => getPublicConfig(ctx));
  const setDeviceCookie = (request: FastifyRequest, reply: FastifyReply, email: string) => {
    const emailKey = emailKeyOf(email);
    const deviceId = deviceOf(ctx, emailKey, request.headers.cookie);
    reply.header("set-cookie", deviceCookie(ctx, emailKey, deviceId));
  };
  serve(
    app,
    ctx,
    register,
    async ({ body, request, reply }) => {
      const answer = await registerAccount(ctx, body, callerOf(request));
      setDeviceCookie(request, reply, body.email);
      return answer;
    },
    { rate: perMinute(app, callsMax.register) },
  );
  serve(app, ctx, login, async ({ body, request, reply }) => {
    const answer = await signIn(ctx, body, callerOf(request));
    if ("user" in answer) setDeviceCookie(request, reply, body.email);
    return answer;
  });
  serve(app, ctx, finishLogin, async ({ body, request, reply }) => {
    const answer = await finishSignIn(ctx, body, callerOf(request));
    setDeviceCookie(request, reply, answer.user.email);
    return answer;
  });
  const passkeyRate = { rate: perMinute(app, callsMax.passkeys) };
  serve(app, ctx, startPasskeyLoginCall, ({ body }) => startPasskeyLogin(ctx, body), passkeyRate);
  serve(
    app,
    ctx,
    loginWithPasskey,
    async ({ body, request, reply }) => {
      const answer = await signInWithPasskey(ctx, body, callerOf(request));
      setDeviceCookie(request, reply, answer.user.email);
      return answer;
    },
    passkeyRate,
  );
  serve(
    app,
    ctx,
    refreshToken,
    async ({ request }) => ({ tokens: await refresh(ctx, bearerOf(request.headers), callerOf(request)) }),
    { rate: perMinute(app, callsMax.tokens) },
  );
  serve(
    app,
    ctx,
    logout,
    ({ request, reply }) => {
      // Not "storage": the app removes its tokens itself, at once, and this reply may come after another sign-in.
      reply.header("clear-site-data", '"cache"');
      return signOut(ctx, bearerOf(request.headers));
    },
    { rate: perMinute(app, callsMax.tokens) },
  );
  serve(app, ctx, userProfile, ({ actor }) => getUser(ctx, actor));
  registerPasswords(app, ctx);
  registerSessions(app, ctx);
  registerSingleSignOn(app, ctx, callerOf);
  registerSecondFactors(app, ctx);
  registerOrganizations(app, ctx);
}

function registerSessions(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listSessionsCall, ({ actor }) => listSessions(ctx, actor));
  serve(app, ctx, endSession, ({ actor, params }) => endOwnSession(ctx, actor, params.id));
  serve(app, ctx, endSessions, ({ actor }) => signOutEverywhere(ctx, actor));
}

function registerPasswords(app: FastifyInstance, ctx: Context): void {
  const rate = perMinute(app, callsMax.mailTokens);
  serve(app, ctx, forgotPassword, ({ body, request }) => requestReset(ctx, body, callerOf(request)));
  serve(app, ctx, resetPasswordCall, ({ body }) => resetPassword(ctx, body), { rate });
  serve(app, ctx, changePasswordCall, ({ actor, body }) => changePassword(ctx, actor, body));
  serve(app, ctx, verifyEmailCall, ({ body }) => verifyEmail(ctx, body), { rate });
  serve(app, ctx, sendVerificationCall, ({ actor, request }) =>
    sendVerification(ctx, actor, callerOf(request)),
  );
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/** An untrusted proxy hides the address of the caller: `address` is then the proxy's. */
function callerOf(request: FastifyRequest): Caller {
  const isForwarded = forwardingHeaders.some((name) => name in request.headers);
  return {
    address: request.ip,
    isAddressShared: isForwarded && request.ip === request.socket.remoteAddress,
    cookies: request.headers.cookie,
    userAgent: request.headers["user-agent"],
  };
}
