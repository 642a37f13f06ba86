import type { login, ReplyOf } from "@flamekeep/contract";
import { joinOrganization, type UsableInvitation, usableInvitation } from "#accounts/invitations/join.ts";
import { hashPassword, isOfOtherCost, isPasswordOf } from "#auth/passwords/password.ts";
import { type SessionOrigin, startSession } from "#auth/sessions/session.ts";
import {
  type CountedAttempt,
  countAttempt,
  countSession,
  type Origin,
} from "#auth/sign-in-limits/attempts.ts";
import { deviceOf } from "#auth/sign-in-limits/device-cookie.ts";
import { isKnownAddress, rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { forbidden, unauthenticated } from "#failure";
import { createOrganization } from "./create-organization.ts";
import { presentUser } from "./present.ts";
import {
  emailKeyOf,
  homeOrganization,
  type MembershipRow,
  type PersonWithHash,
  personByEmail,
} from "./queries.ts";

/** Facts about the caller from the request. */
export interface Caller extends SessionOrigin {
  /** The address may be that of a proxy, shared by many people, so that it is not stored as a known address. */
  readonly isAddressShared: boolean;
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
}

/**
 * Checks a password and starts a session. An unknown address, a wrong password and a closed account get the same text,
 * status and response time. The attempt is counted before the password is checked, so that concurrent attempts cannot
 * exceed the limit.
 */
export async function signIn(
  ctx: Context,
  input: { readonly email: string; readonly password: string; readonly invitation?: string | undefined },
  caller: Caller,
): Promise<ReplyOf<typeof login>> {
  const emailKey = emailKeyOf(input.email);
  const invitation = await usableInvitation(ctx, input.invitation, emailKey);
  const findUserId = async () => (await personByEmail(ctx.rows, input.email))?.id;
  const attempt = await countAttempt(ctx, emailKey, await originOf(ctx, emailKey, caller)).catch((cause) => {
    const locked = { event: "session.locked", outcome: "failure" } as const;
    ctx.audit.recordRepeated(`locked:${emailKey}`, findUserId, locked);
    throw cause;
  });
  const person = await checkPassword(ctx, input, attempt);
  if (person === undefined) {
    ctx.metrics.count("flamekeep_sign_ins_failed_total", "Sign-ins with a wrong address or password.");
    ctx.audit.recordOfPerson(findUserId, { event: "session.failed", outcome: "failure" });
    throw unauthenticated("Invalid email or password");
  }
  await attempt.succeed();
  await countSession(ctx, person.id);
  const passwordHash = await updateHash(ctx, person, input.password);
  if (!caller.isAddressShared) await rememberAddress(ctx, person.id, caller.address);
  const account = { ...person, ...(await organizationOf(ctx, person, invitation)) };
  const tokens = await startSession(ctx, { ...account, passwordHash }, caller);
  if (tokens === undefined)
    throw unauthenticated("Your password was changed meanwhile. Sign in with the new one.");
  return { user: presentUser({ ...account, lastLoginAt: ctx.now().toISOString() }), tokens };
}

/** Where the session begins. A person who belongs nowhere gets a new organization if the server is open to everybody. */
async function organizationOf(
  ctx: Context,
  person: PersonWithHash,
  invitation: UsableInvitation | undefined,
): Promise<MembershipRow> {
  if (invitation !== undefined) return joinOrganization(ctx, invitation, person.id);
  const home = await homeOrganization(ctx.rows, person.id);
  if (home !== undefined) return home;
  if (ctx.config.signup === "invite") {
    throw forbidden(
      "Your account belongs to no organization any more. Ask for an invitation and open its link.",
    );
  }
  const owner = { userId: person.id, firstName: person.firstName, now: ctx.now() };
  return ctx.rows.transaction().execute((rows) => createOrganization(rows, owner));
}

/** Replaces a hash that an earlier version made at another cost. Returns the hash of the password. */
async function updateHash(ctx: Context, person: PersonWithHash, password: string): Promise<string> {
  const { passwordCost } = ctx.config;
  if (!isOfOtherCost(person.passwordHash, passwordCost)) return person.passwordHash;
  const passwordHash = await hashPassword(password, passwordCost);
  // Not if the password was changed meanwhile.
  const { numUpdatedRows } = await ctx.rows
    .updateTable("users")
    .set({ passwordHash })
    .where("id", "=", person.id)
    .where("passwordHash", "=", person.passwordHash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return passwordHash;
  // Another sign-in with this password replaced it, or the password was changed.
  const now = (await personByEmail(ctx.rows, person.email))?.passwordHash;
  const isSame = now !== undefined && (await isPasswordOf(now, password, passwordCost));
  return isSame ? now : person.passwordHash;
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
): Promise<PersonWithHash | undefined> {
  try {
    const found = await personByEmail(ctx.rows, input.email);
    const isCorrect = await isPasswordOf(found?.passwordHash, input.password, ctx.config.passwordCost);
    return isCorrect && found?.isActive === 1 ? found : undefined;
  } catch (cause) {
    await attempt.withdraw();
    throw cause;
  }
}
