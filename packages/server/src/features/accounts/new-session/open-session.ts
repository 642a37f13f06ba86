import type { SignedIn } from "@flamekeep/contract";
import { joinOnce, recordJoining } from "#accounts/invitations/join.ts";
import type { UsableInvitation } from "#accounts/invitations/queries.ts";
import {
  createOrganization,
  homeOrganization,
  type MembershipRow,
  type PersonWithHash,
} from "#accounts/people/queries.ts";
import { presentUser } from "#accounts/people/user.ts";
import { startSession } from "#auth/sessions/session.ts";
import { rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { Failure, forbidden, unauthenticated } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import { runSteps, type Step } from "#store/row/steps.ts";

interface SessionRequest {
  readonly caller: Caller;
  /** The session begins in its organization, which the person joins. */
  readonly invitation: UsableInvitation | undefined;
  /** The person's home organization, if it was read before. */
  readonly home?: MembershipRow | undefined;
  /** Counts that change because the sign-in succeeded, written with the session: each commit waits for the disk. */
  readonly countSteps?: readonly Step[];
}

/** The last step of every way to sign in: a session for a person who has proved who they are. */
export async function openSession(
  ctx: Context,
  person: PersonWithHash,
  { caller, invitation, home, countSteps = [] }: SessionRequest,
): Promise<SignedIn> {
  const start = { caller, countSteps };
  if (invitation !== undefined) return openWithInvitation(ctx, person, { ...start, invitation });
  const membership = home ?? (await homeWithCounts(ctx, person, countSteps));
  return startIn(ctx, { ...person, ...membership }, start);
}

/** In one transaction: without a session the invitation still works. */
async function openWithInvitation(
  ctx: Context,
  person: PersonWithHash,
  { invitation, ...start }: StartRequest & { readonly invitation: UsableInvitation },
): Promise<SignedIn> {
  const opened = ctx.rows.transaction().execute(async (rows) => {
    const joined = await joinOnce(rows, invitation, { userId: person.id, now: ctx.now() });
    const account = { ...person, ...joined.membership };
    return { ...joined, signedIn: await startIn({ ...ctx, rows }, account, start) };
  });
  const { signedIn, membership, isNew } = await opened.catch(async (cause) => {
    // Somebody else has just used the invitation: the password was right all the same.
    if (cause instanceof Failure && cause.code === "invalid") await runSteps(ctx.rows, start.countSteps);
    throw cause;
  });
  if (isNew) await recordJoining(ctx, membership, person.id);
  return signedIn;
}

type StartRequest = Required<Pick<SessionRequest, "caller" | "countSteps">>;

async function startIn(
  ctx: Context,
  account: PersonWithHash & MembershipRow,
  { caller, countSteps }: StartRequest,
): Promise<SignedIn> {
  const address = caller.isAddressShared ? [] : rememberAddress(ctx, account.id, caller.address);
  const started = ctx.audit.step(account.orgId, {
    event: "session.started",
    actor: { kind: "user", id: account.id },
  });
  const tokens = await startSession(ctx, account, caller, [...address, ...countSteps, started]);
  if (tokens === undefined)
    throw unauthenticated(
      "Your account was just changed. Sign in again, with the new password if you have one.",
    );
  return { user: presentUser({ ...account, lastLoginAt: ctx.now().toISOString() }), tokens };
}

async function homeWithCounts(
  ctx: Context,
  person: PersonWithHash,
  countSteps: readonly Step[],
): Promise<MembershipRow> {
  try {
    return await homeOrNewOrganization(ctx, person);
  } catch (cause) {
    // The password was right, so the attempt counts as a success although no session can start.
    await runSteps(ctx.rows, countSteps);
    throw cause;
  }
}

/**
 * Where the session begins. A person who belongs nowhere gets a new organization if the server is open to everybody; the operator always
 * does, because nobody else could invite them.
 */
async function homeOrNewOrganization(ctx: Context, person: PersonWithHash): Promise<MembershipRow> {
  const home = await homeOrganization(ctx.rows, person.id);
  if (home !== undefined) return home;
  if (ctx.config.signup === "invite" && person.operatorSlot === null) {
    throw forbidden("Your account no longer belongs to an organization. Ask for an invitation.");
  }
  const owner = { userId: person.id, firstName: person.firstName, now: ctx.now() };
  return ctx.rows.transaction().execute((rows) => createOrganization(rows, owner));
}
