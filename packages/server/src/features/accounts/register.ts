import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import type { InputOf, publicConfig, ReplyOf } from "@flamekeep/contract";
import { verifyNewAccount } from "#accounts/email/verify-email.ts";
import { joinBy, recordJoining, usableInvitation } from "#accounts/invitations/join.ts";
import type { UsableInvitation } from "#accounts/invitations/queries.ts";
import { refuseCommonPassword } from "#accounts/passwords/checks.ts";
import { hashPassword } from "#auth/passwords/password.ts";
import { startSession } from "#auth/sessions/session.ts";
import { rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { Failure, forbidden } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import {
  type AccountRow,
  claimOperator,
  createOrganization,
  emailKeyOf,
  hasOperator,
  insertPerson,
  personByEmail,
} from "./people/queries.ts";
import { presentUser } from "./people/user.ts";

type Registration = InputOf<typeof calls.register>;

const taken = () =>
  new Failure("conflict", "An account with this email address already exists. Sign in instead.");

const closed = () =>
  forbidden("Registration is closed on this server. Ask an admin of your organization for an invitation.");

/**
 * Creates a user and an organization with that user as its admin, or joins the organization of an invitation, and starts a
 * session. The first account of the installation becomes its operator, also where registration is closed.
 */
export async function registerAccount(
  ctx: Context,
  _actor: null,
  input: Registration,
  caller: Pick<Caller, "address" | "isAddressShared" | "userAgent">,
): Promise<ReplyOf<typeof calls.register>> {
  const invitation = await usableInvitation(ctx, input.invitation, emailKeyOf(input.email));
  const isOpen = ctx.config.signup === "open" || invitation !== undefined;
  if (!isOpen && (await hasOperator(ctx.rows))) throw closed();
  refuseCommonPassword(input.password, {
    email: input.email.trim(),
    firstName: input.first_name,
    lastName: input.last_name,
  });
  // The hash comes first, so that the reply for a taken address is not faster.
  const passwordHash = await hashPassword(input.password, ctx.config.passwordCost);
  if ((await personByEmail(ctx.rows, input.email)) !== undefined) throw taken();
  const account = await createAccount(ctx, input, { passwordHash, invitation, isOpen });
  if (invitation !== undefined) await recordJoining(ctx, account, account.id);
  await verifyNewAccount(ctx, account, caller.address);
  const address = caller.isAddressShared ? [] : rememberAddress(ctx, account.id, caller.address);
  const tokens = await startSession(ctx, { ...account, passwordHash }, caller, address);
  if (tokens === undefined)
    throw new Error("The password of a new account was changed before its first session");
  ctx.log.info({ userId: account.id, orgId: account.orgId }, "user registered");
  return { user: presentUser({ ...account, lastLoginAt: ctx.now().toISOString() }), tokens };
}

interface NewAccount {
  readonly passwordHash: string;
  readonly invitation: UsableInvitation | undefined;
  /** False: only the first account of the installation may register. */
  readonly isOpen: boolean;
}

async function createAccount(
  ctx: Context,
  input: Registration,
  { passwordHash, invitation, isOpen }: NewAccount,
): Promise<AccountRow> {
  const now = ctx.now();
  const createdAt = now.toISOString();
  const person = {
    id: randomUUID(),
    email: input.email.trim(),
    firstName: input.first_name.trim(),
    lastName: input.last_name.trim(),
    isActive: 1 as const,
    isVerified: 0 as const,
    createdAt,
  };
  const { id: userId, firstName } = person;
  return ctx.rows.transaction().execute(async (rows) => {
    const stored = { ...person, emailKey: emailKeyOf(person.email), passwordHash };
    if (!(await insertPerson(rows, stored))) throw taken();
    const isOperator = await claimOperator(rows, userId);
    if (!isOpen && !isOperator) throw closed();
    const membership =
      invitation === undefined
        ? await createOrganization(rows, { userId, firstName, now })
        : await joinBy(rows, invitation, { userId, now });
    return { ...person, ...membership, lastLoginAt: null, operatorSlot: isOperator ? "first" : null };
  });
}

/** Settings of the sign-in pages. The first account may register although the server is closed to registration. */
export async function getPublicConfig(ctx: Context): Promise<ReplyOf<typeof publicConfig>> {
  const { oidc, openFiles, signup } = ctx.config;
  const isClosed = signup === "invite" && (await hasOperator(ctx.rows));
  return {
    demo: ctx.demo !== null,
    mail: ctx.mailer.isSending,
    sign_up: isClosed ? "invite" : "open",
    open_files: openFiles === undefined ? null : { size_bytes_max: openFiles.sizeBytesMax },
    single_sign_on: oidc === undefined ? null : { name: oidc.name },
  };
}
