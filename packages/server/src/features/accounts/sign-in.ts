import type { InputOf, login, ReplyOf } from "@flamekeep/contract";
import { usableInvitation } from "#accounts/invitations/join.ts";
import { startChallenge } from "#accounts/second-factor/challenges.ts";
import { bearerOf } from "#auth/credentials.ts";
import { hashPassword, needsRehash, verifyPassword } from "#auth/passwords/password.ts";
import { sessionOfRefreshToken } from "#auth/sessions/refresh.ts";
import { endSession } from "#auth/sessions/session.ts";
import { type CountedAttempt, sessionCountStep } from "#auth/sign-in-limits/attempts.ts";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import type { Context } from "#context";
import { unauthenticated, withHeaders } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import { Reply } from "#http/reply/reply.ts";
import { changesRow } from "#store/row/row-store.ts";
import { countCallersAttempt } from "./new-session/count-attempt.ts";
import { openSession } from "./new-session/open-session.ts";
import {
  emailKeyOf,
  homeOrganizationByEmail,
  type PersonSigningIn,
  type PersonWithHash,
  personByEmail,
  personSigningIn,
} from "./people/queries.ts";

/**
 * Checks a password and starts a session, or the second step of accounts with a second factor. An unknown address, a wrong password and a
 * closed account get the same text, status and response time. The attempt is counted before the password is checked, so that concurrent
 * attempts cannot exceed the limit.
 */
export async function signIn(
  ctx: Context,
  _actor: null,
  input: InputOf<typeof login>,
  caller: Caller,
): Promise<ReplyOf<typeof login>> {
  const emailKey = emailKeyOf(input.email);
  const findUserId = async () => (await personByEmail(ctx.rows, input.email))?.id;
  // At the same time, so that both reads take one turn at the row store: twenty people may sign in at once.
  const [found, home] = await Promise.all([
    personSigningIn(ctx, emailKey, caller.address),
    homeOrganizationByEmail(ctx.rows, emailKey),
  ]);
  // Before the attempt is counted: a sign-in that ends here has tried no password.
  const invitation = await usableInvitation(ctx, input.invitation, emailKey);
  const isAddressKnown = Boolean(found?.isAddressKnown);
  const attempt = await countCallersAttempt(ctx, {
    emailKey,
    caller,
    findUserId,
    proof: "password",
    isAddressKnown,
  });
  const person = await checkPassword(ctx, { found, password: input.password }, attempt);
  if (person === undefined) {
    ctx.metrics.count("flamekeep_sign_ins_failed_total", "Sign-ins with a wrong address or password.");
    ctx.audit.recordInAllOrganizations(findUserId, { event: "session.failed", outcome: "failure" });
    throw unauthenticated("Invalid email or password");
  }
  const checked = { ...person, passwordHash: await updateHash(ctx, person, input.password) };
  const challenge = await startChallenge(ctx, checked);
  if (challenge !== undefined) {
    // Earlier failures stay counted until the sign-in is finished: a right password alone does not forgive them.
    await attempt.withdraw();
    // Entries that end here show that somebody else knows the password.
    ctx.audit.recordInAllOrganizations(person.id, { event: "session.challenged" });
    return { second_factor: challenge };
  }
  const countSteps = [...attempt.successSteps, sessionCountStep(ctx, person.id)];
  return openSession(ctx, checked, { caller, invitation, home, countSteps });
}

/** Replaces a hash that an earlier version made at another cost. Returns the hash of the password. */
async function updateHash(ctx: Context, person: PersonWithHash, password: string): Promise<string> {
  const { passwordCost } = ctx.config;
  if (!needsRehash(person.passwordHash, passwordCost)) return person.passwordHash;
  const passwordHash = await hashPassword(password, passwordCost);
  // Not if the password was changed meanwhile.
  const update = ctx.rows
    .updateTable("users")
    .set({ passwordHash })
    .where("id", "=", person.id)
    .where("passwordHash", "=", person.passwordHash);
  if (await changesRow(update)) return passwordHash;
  // Another sign-in with this password replaced it, or the password was changed.
  const now = (await personByEmail(ctx.rows, person.email))?.passwordHash;
  const isSame = now !== undefined && (await verifyPassword(now, password, passwordCost));
  // Otherwise returns the stale hash: startSession then refuses, because the password was changed.
  return isSame ? now : person.passwordHash;
}

async function checkPassword(
  ctx: Context,
  { found, password }: { readonly found: PersonSigningIn | undefined; readonly password: string },
  attempt: CountedAttempt,
): Promise<PersonSigningIn | undefined> {
  try {
    const isCorrect = await verifyPassword(found?.passwordHash, password, ctx.config.passwordCost);
    return isCorrect && found?.isActive === 1 ? found : undefined;
  } catch (cause) {
    await attempt.withdraw();
    throw cause;
  }
}

/** Ends the session of an access or refresh token. Succeeds without a valid token too: then there is no session to end. */
export async function signOut(
  ctx: Context,
  _actor: null,
  _input: object,
  caller: Caller,
): Promise<Reply<{ message: string }>> {
  // Not "storage": the app removes its tokens itself, at once, and this reply may come after another sign-in.
  const headers = { "clear-site-data": '"cache"' };
  const token = bearerOf(caller.headers);
  try {
    if (token !== undefined) await endSessionOf(ctx, token);
  } catch (error) {
    throw withHeaders(error, headers);
  }
  return new Reply({ message: "Signed out" }, { headers });
}

async function endSessionOf(ctx: Context, token: string): Promise<void> {
  const claims = await readAccessToken(ctx.accessKeys, token, ctx.now());
  const sessionId = claims?.sessionId ?? (await sessionOfRefreshToken(ctx, token));
  if (sessionId !== undefined) await endAndRecord(ctx, sessionId);
}

async function endAndRecord(ctx: Context, sessionId: string): Promise<void> {
  const session = await ctx.sessions.find(sessionId);
  await endSession(ctx, sessionId);
  if (session === undefined) return;
  const actor = { kind: "user", id: session.userId } as const;
  await ctx.audit.record(session.orgId, { event: "session.ended", actor });
}
