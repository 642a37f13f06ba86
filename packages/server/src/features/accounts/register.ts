import { randomUUID } from "node:crypto";
import type { ReplyOf, register as registerCall } from "@flamekeep/contract";
import { queueVerification } from "#accounts/email/verify-email.ts";
import { refuseCommonPassword } from "#accounts/passwords/common-passwords.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import { startSession } from "#auth/sessions/session.ts";
import { rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { Failure, forbidden } from "#failure";
import { presentUser } from "./present.ts";
import { type AccountRow, accountByEmail, emailKeyOf } from "./queries.ts";
import type { Caller } from "./sign-in.ts";

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly first_name: string;
  readonly last_name: string;
}

const taken = () =>
  new Failure("conflict", "An account with this email address already exists. Sign in instead.");

/** Creates a user and an organization with that user as its admin, and starts a session. */
export async function registerAccount(
  ctx: Context,
  input: Registration,
  caller: Omit<Caller, "cookies">,
): Promise<ReplyOf<typeof registerCall>> {
  if (ctx.config.signup === "invite") {
    throw forbidden("Registration is closed on this server. Ask its operator for an account.");
  }
  refuseCommonPassword(input.password, {
    email: input.email.trim(),
    firstName: input.first_name,
    lastName: input.last_name,
  });
  // The hash comes first, so that the reply for a taken address is not faster.
  const passwordHash = await hashPassword(input.password, ctx.config.passwordCost);
  if ((await accountByEmail(ctx.rows, input.email)) !== undefined) throw taken();
  const account = await createAccount(ctx, input, passwordHash);
  if (!caller.isAddressShared) await rememberAddress(ctx, account.id, caller.address);
  queueVerification(ctx, account);
  const tokens = await startSession(ctx, { ...account, passwordHash }, caller);
  if (tokens === undefined)
    throw new Error("The password of a new account was changed before its first session");
  ctx.log.info({ userId: account.id, orgId: account.orgId }, "user registered");
  return { user: presentUser({ ...account, lastLoginAt: ctx.now().toISOString() }), tokens };
}

async function createAccount(ctx: Context, input: Registration, passwordHash: string): Promise<AccountRow> {
  const createdAt = ctx.now().toISOString();
  const orgId = randomUUID();
  const userId = randomUUID();
  const email = input.email.trim();
  const firstName = input.first_name.trim();
  const lastName = input.last_name.trim();
  const orgName = `${firstName}'s organization`;
  await ctx.rows.transaction().execute(async (rows) => {
    const user = { id: userId, email, emailKey: emailKeyOf(email), passwordHash, firstName, lastName };
    const { numInsertedOrUpdatedRows } = await rows
      .insertInto("users")
      .values({ ...user, isActive: 1, isVerified: 0, createdAt })
      // Of two concurrent registrations of one address, the second inserts nothing.
      .onConflict((conflict) => conflict.column("emailKey").doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) throw taken();
    await rows
      .insertInto("organizations")
      .values({ id: orgId, name: orgName, isDemo: 0, createdAt })
      .execute();
    await rows.insertInto("memberships").values({ orgId, userId, role: "admin", createdAt }).execute();
  });
  return {
    id: userId,
    email,
    firstName,
    lastName,
    isActive: 1,
    isVerified: 0,
    createdAt,
    lastLoginAt: null,
    role: "admin",
    orgId,
    orgName,
  };
}
