import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import { type Invitation, limits, type ReplyOf } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { invitationMail } from "#accounts/email/mails.ts";
import { moveSession } from "#accounts/people/move-session.ts";
import { emailKeyOf, ownAccount } from "#accounts/people/queries.ts";
import { fullName } from "#accounts/people/user.ts";
import { takeStrangerMailAllowance } from "#auth/sign-in-limits/mail-limits.ts";
import { createOpaqueToken } from "#auth/tokens/opaque-token.ts";
import type { Context, UserActor } from "#context";
import { notFound, quotaExceeded, rateLimited } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { takeTokens } from "#store/row/token-bucket.ts";
import { invitationFor, invitationOf, joinOrganization } from "./join.ts";
import {
  findInvitation,
  type InvitationRow,
  insertInvitation,
  invitationsOf,
  removeInvitation,
} from "./queries.ts";

/** Nobody can use an organization to write to many addresses. */
const invitingLimit = { capacity: 30, refillMs: 2 * minuteMs };

export const listInvitations: Operation<typeof calls.listInvitations> = async (ctx, actor) => {
  const rows = await invitationsOf(ctx.rows, actor.orgId, ctx.now());
  return { invitations: rows.map(presentInvitation) };
};

export const createInvitation: Operation<typeof calls.createInvitation> = async (
  ctx,
  actor,
  { email, role, expires_in_days, return_to },
  { address },
) => {
  await countInvitation(ctx, actor.orgId);
  const now = ctx.now();
  const { text, hash: tokenHash } = createOpaqueToken();
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + expires_in_days * dayMs).toISOString();
  const invitation = { id, orgId: actor.orgId, tokenHash, email, role, createdBy: actor.userId };
  const stored = { ...invitation, createdAt: now.toISOString(), expiresAt };
  if (!(await insertInvitation(ctx.rows, actor, stored, limits.invitationsMax))) {
    throw quotaExceeded(
      `Your organization has reached its limit of ${limits.invitationsMax} open invitations. Revoke one first.`,
    );
  }
  const row = await findInvitation(ctx.rows, actor.orgId, { id, now });
  if (row === undefined) throw notFound("Invitation", id);
  ctx.log.info({ orgId: actor.orgId, userId: actor.userId, invitationId: id, role }, "invitation created");
  const url = invitationUrl(ctx, text, return_to);
  return {
    invitation: presentInvitation(row),
    url,
    delivery: await deliver(ctx, actor, { email, address }, { url, expiresAt }),
  };
};

/** The page checks the path again: a link with another one must not lead to another site. */
function invitationUrl(ctx: Context, token: string, returnTo: string | null): string {
  const query = returnTo === null ? "" : `?${new URLSearchParams({ return_to: returnTo })}`;
  return `${ctx.config.publicUrl}/invite/${token}${query}`;
}

async function countInvitation(ctx: Context, orgId: string): Promise<void> {
  const bucket = { subject: `invitations:${orgId}`, ...invitingLimit };
  const waitMs = await takeTokens(ctx.rows, [bucket], ctx.now());
  if (waitMs === 0) return;
  const minutes = Math.ceil(waitMs / minuteMs);
  throw rateLimited(`Too many invitations. Try again in ${minutes} min.`, Math.ceil(waitMs / 1000));
}

async function deliver(
  ctx: Context,
  actor: UserActor,
  { email, address }: { readonly email: string | null; readonly address: string },
  link: { readonly url: string; readonly expiresAt: string },
): Promise<ReplyOf<typeof calls.createInvitation>["delivery"]> {
  if (email === null) return "link only";
  const emailKey = emailKeyOf(email);
  if (!(await takeStrangerMailAllowance(ctx, "invite", { emailKey, address }))) return "link only";
  const inviter = await ownAccount(ctx, actor);
  const by = { name: fullName(inviter), email: inviter.email, organization: inviter.orgName };
  ctx.mailQueue.add(async () => invitationMail(email, by, link));
  return ctx.mailer.isSending ? "sending" : "outbox";
}

export const revokeInvitation: Operation<typeof calls.revokeInvitation> = async (ctx, actor, { id }) => {
  const row = await findInvitation(ctx.rows, actor.orgId, { id, now: ctx.now() });
  if (row === undefined) throw notFound("Invitation", id);
  await removeInvitation(ctx.rows, actor.orgId, id);
  ctx.log.info({ orgId: actor.orgId, userId: actor.userId, invitationId: id }, "invitation revoked");
  return { invitation: presentInvitation(row) };
};

/** For the page of the link, before anybody has signed in. */
export const readInvitation: Operation<typeof calls.readInvitation> = async (ctx, _actor, { token }) => {
  const { orgName, role, email, expiresAt } = await invitationOf(ctx, token);
  return { organization: orgName, role, email, expires_at: expiresAt };
};

export const acceptInvitation: Operation<typeof calls.acceptInvitation> = async (ctx, actor, { token }) => {
  const account = await ownAccount(ctx, actor);
  const invitation = await invitationFor(ctx, token, emailKeyOf(account.email));
  const { orgId } = await joinOrganization(ctx, invitation, actor.userId);
  ctx.log.info({ orgId, userId: actor.userId, invitationId: invitation.id }, "invitation accepted");
  return moveSession(ctx, actor, { id: orgId });
};

function presentInvitation(row: InvitationRow): Invitation {
  const { firstName, lastName } = row;
  const inviter = firstName === null || lastName === null ? null : fullName({ firstName, lastName });
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: inviter,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}
