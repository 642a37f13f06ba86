import { accountInOrganization, emailKeyOf, type MembershipRow } from "#accounts/people/queries.ts";
import { opaqueTokenHash } from "#auth/tokens/opaque-token.ts";
import type { Context } from "#context";
import { Failure, forbidden, invalid } from "#failure";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { invitationByHash, takeInvitation, type UsableInvitation } from "./queries.ts";

/** The same for a token that never existed, was used, was revoked or expired. */
const unusable = () => invalid("This invitation is no longer valid. Ask for a new one.");

const otherAddress = () =>
  forbidden("This invitation is for another email address. Use the account with that address.");

/** The invitation of a token. Throws 400 if it cannot be accepted any more. */
export async function invitationOf(ctx: Context, token: string): Promise<UsableInvitation> {
  const tokenHash = opaqueTokenHash(token);
  const found = tokenHash && (await invitationByHash(ctx.rows, tokenHash, ctx.now()));
  if (!found) throw unusable();
  return found;
}

/** As `invitationOf`, for a person with this address. Throws 403 if the invitation is for another one. */
export async function invitationFor(
  ctx: Context,
  token: string,
  emailKey: string,
): Promise<UsableInvitation> {
  const invitation = await invitationOf(ctx, token);
  if (invitation.email !== null && emailKeyOf(invitation.email) !== emailKey) throw otherAddress();
  return invitation;
}

/** As `invitationFor`; undefined without a token. */
export async function usableInvitation(
  ctx: Context,
  token: string | undefined,
  emailKey: string,
): Promise<UsableInvitation | undefined> {
  return token === undefined ? undefined : invitationFor(ctx, token, emailKey);
}

export async function joinOrganization(
  ctx: Context,
  invitation: UsableInvitation,
  userId: string,
): Promise<MembershipRow> {
  const joining = { userId, now: ctx.now() };
  const membership = await ctx.rows.transaction().execute((rows) => joinBy(rows, invitation, joining));
  await recordJoining(ctx, membership, userId);
  return membership;
}

export function recordJoining(ctx: Context, { orgId, role }: MembershipRow, userId: string): Promise<void> {
  return ctx.audit.record(orgId, {
    event: "member.joined",
    actor: { kind: "user", id: userId },
    target: role,
  });
}

/** As `joinBy`, but a member stays what they are, and the invitation keeps working. */
export async function joinOnce(
  rows: RowStore,
  invitation: UsableInvitation,
  joining: { readonly userId: string; readonly now: Date },
): Promise<{ readonly membership: MembershipRow; readonly isNew: boolean }> {
  const account = await accountInOrganization(rows, invitation.orgId, joining.userId);
  if (account === undefined) return { membership: await joinBy(rows, invitation, joining), isNew: true };
  const { orgId, orgName, role, lacksSecondFactor } = account;
  return { membership: { orgId, orgName, role, lacksSecondFactor }, isNew: false };
}

/**
 * Uses the invitation up and adds the member. Throws 409 if the person is a member already: call it inside a transaction, so that the
 * invitation still works then.
 */
export async function joinBy(
  rows: RowStore,
  { id, orgId, role }: UsableInvitation,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<MembershipRow> {
  if (!(await takeInvitation(rows, { id, orgId, now }))) throw unusable();
  const insertion = rows
    .insertInto("memberships")
    .values({ orgId, userId, role, createdAt: now.toISOString() })
    .onConflict((conflict) => conflict.columns(["orgId", "userId"]).doNothing());
  if (!(await changesRow(insertion))) {
    throw new Failure("conflict", "You are a member of this organization already.");
  }
  const joined = await accountInOrganization(rows, orgId, userId);
  if (joined === undefined) throw unusable();
  const { orgName, lacksSecondFactor } = joined;
  return { orgId, orgName, role, lacksSecondFactor };
}
