import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { sendVerification, verifyEmail } from "#accounts/email/verify-email.ts";
import * as invitations from "#accounts/invitations/operations.ts";
import { requestReset, resetPassword } from "#accounts/passwords/reset-password.ts";
import { finishSignIn } from "#accounts/second-factor/finish-sign-in.ts";
import { signInWithPasskey, startPasskeyLogin } from "#accounts/second-factor/passkey-sign-in.ts";
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
import * as members from "./organizations/members.ts";
import * as organizations from "./organizations/operations.ts";
import { deleteOrganization } from "./organizations/operations.ts";
import { changePassword } from "./passwords/change-password.ts";
import { moveSession } from "./people/move-session.ts";
import { emailKeyOf } from "./people/queries.ts";
import { getUser } from "./people/user.ts";
import { getPublicConfig, registerAccount } from "./register.ts";
import { getSecondFactors, replaceRecoveryCodes } from "./second-factor/methods.ts";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./second-factor/passkeys.ts";
import { confirmTotp, removeTotp, startTotp } from "./second-factor/totp.ts";
import { endOwnSession, listSessions, signOutEverywhere } from "./sessions.ts";
import { signIn, signOut } from "./sign-in.ts";

/** Calls per minute and address, because each costs a slow hash, a write or a search, or could guess a token. Signing in has its own limits, in auth/sign-in-limits. */
const callsMax = {
  register: 30,
  tokens: 120,
  mailTokens: 30,
  passkeys: 60,
  factors: 30,
  invitations: 30,
  searches: 120,
};

export function registerAccounts(app: FastifyInstance, ctx: Context): void {
  registerExpiryJob(app, ctx);
  registerForOperator(app, ctx);
  serve(app, ctx, calls.publicConfig, getPublicConfig);

  const passkeys = { rate: perMinute(app, "passkeys", callsMax.passkeys) };
  serve(app, ctx, calls.register, withDeviceCookie(registerAccount), {
    rate: perMinute(app, "sign-ups", callsMax.register),
  });
  serve(app, ctx, calls.login, withDeviceCookie(signIn));
  serve(app, ctx, calls.finishLogin, withDeviceCookie(finishSignIn));
  serve(app, ctx, calls.startPasskeyLogin, startPasskeyLogin, passkeys);
  serve(app, ctx, calls.loginWithPasskey, withDeviceCookie(signInWithPasskey), passkeys);
  serve(app, ctx, calls.refreshToken, refreshTokens, { rate: perMinute(app, "refreshes", callsMax.tokens) });
  // Counted by itself: many renewals behind one address must not keep anybody signed in.
  serve(app, ctx, calls.logout, signOut, { rate: perMinute(app, "sign-outs", callsMax.tokens) });
  serve(app, ctx, calls.userProfile, getUser);

  const mailTokens = { rate: perMinute(app, "links of mails", callsMax.mailTokens) };
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

function registerSecondFactors(app: FastifyInstance, ctx: Context): void {
  const options = { rate: perMinute(app, "second factors", callsMax.factors) };
  serve(app, ctx, calls.getSecondFactors, getSecondFactors);
  serve(app, ctx, calls.startTotp, startTotp, options);
  serve(app, ctx, calls.confirmTotp, confirmTotp, options);
  serve(app, ctx, calls.removeTotp, removeTotp, options);
  serve(app, ctx, calls.replaceRecoveryCodes, replaceRecoveryCodes, options);
  serve(app, ctx, calls.startPasskey, startPasskey, options);
  serve(app, ctx, calls.addPasskey, addPasskey, options);
  serve(app, ctx, calls.removePasskey, removePasskey, options);
  serve(app, ctx, calls.renamePasskey, renamePasskey, options);
}

function registerOrganizations(app: FastifyInstance, ctx: Context): void {
  const searches = { rate: perMinute(app, "searches of people", callsMax.searches) };
  serve(app, ctx, calls.listOrganizations, organizations.listOrganizations);
  serve(app, ctx, calls.switchOrganization, moveSession);
  serve(app, ctx, calls.findOrganizationOf, organizations.findOrganizationOf, searches);
  serve(app, ctx, calls.getOrganization, organizations.getOrganization);
  serve(app, ctx, calls.renameOrganization, organizations.renameOrganization);
  serve(app, ctx, calls.requireSecondFactor, organizations.requireSecondFactor);
  serve(app, ctx, calls.deleteOrganization, deleteOrganization);

  serve(app, ctx, calls.listMembers, members.listMembers);
  serve(app, ctx, calls.changeMemberRole, members.changeMemberRole);
  serve(app, ctx, calls.removeMember, members.removeMember);
  serve(app, ctx, calls.transferOrganization, members.transferOrganization);
  serve(app, ctx, calls.leaveOrganization, members.leaveOrganization);

  const tokens = { rate: perMinute(app, "invitations", callsMax.invitations) };
  serve(app, ctx, calls.listInvitations, invitations.listInvitations);
  serve(app, ctx, calls.createInvitation, invitations.createInvitation);
  serve(app, ctx, calls.revokeInvitation, invitations.revokeInvitation);
  serve(app, ctx, calls.readInvitation, invitations.readInvitation, tokens);
  serve(app, ctx, calls.acceptInvitation, invitations.acceptInvitation, tokens);
}
