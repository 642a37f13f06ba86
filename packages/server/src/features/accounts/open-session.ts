import type { SignedIn } from "@flamekeep/contract";
import { joinOrganization, type UsableInvitation } from "#accounts/invitations/join.ts";
import { startSession } from "#auth/sessions/session.ts";
import { rememberAddress } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { forbidden, unauthenticated } from "#failure";
import { runSteps, type Step } from "#store/row/steps.ts";
import type { Caller } from "./caller.ts";
import { createOrganization } from "./create-organization.ts";
import { presentUser } from "./present.ts";
import { homeOrganization, type MembershipRow, type PersonWithHash } from "./queries.ts";

interface Opening {
  readonly caller: Omit<Caller, "cookies">;
  /** The session begins in its organization, which the person joins. */
  readonly invitation: UsableInvitation | undefined;
  /** Counts that change because the sign-in succeeded, written with the session: each commit waits for the disk. */
  readonly counts?: readonly Step[];
}

/** The last step of every way to sign in: a session for a person who has proved who they are. */
export async function openSession(
  ctx: Context,
  person: PersonWithHash,
  { caller, invitation, counts = [] }: Opening,
): Promise<SignedIn> {
  const organization = await organizationOf(ctx, person, invitation).catch(async (cause) => {
    await runSteps(ctx.rows, counts);
    throw cause;
  });
  const account = { ...person, ...organization };
  const address = caller.isAddressShared ? [] : rememberAddress(ctx, person.id, caller.address);
  const started = ctx.audit.step(account.orgId, {
    event: "session.started",
    actor: { kind: "user", id: account.id },
  });
  const tokens = await startSession(ctx, account, caller, [...address, ...counts, started]);
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
