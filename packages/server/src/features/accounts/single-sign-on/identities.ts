import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { queueFactorNotice } from "#accounts/email/changed-notice.ts";
import { accountWithPassword } from "#accounts/passwords/current-password.ts";
import { accountInOrganization } from "#accounts/queries.ts";
import { sha256Hex } from "#auth/tokens/sha256.ts";
import type { Context, UserActor } from "#context";
import { Failure, notFound } from "#failure";
import { type IdentityKey, type IdentityRow, identitiesOf, identityOf, link, unlink } from "./queries.ts";

export async function listIdentities(
  ctx: Context,
  actor: UserActor,
): Promise<ReplyOf<typeof calls.listIdentities>> {
  const rows = await identitiesOf(ctx.rows, actor.userId);
  return { provider: ctx.config.oidc?.name ?? null, identities: rows.map(presentIdentity) };
}

/** Links an identity that has just signed in to the account of the session. */
export async function linkIdentity(
  ctx: Context,
  { orgId, userId }: UserActor,
  identity: IdentityKey,
): Promise<{ identity: calls.Identity }> {
  const isNew = await link(ctx.rows, identity, { userId, now: ctx.now() });
  const row = await identityOf(ctx.rows, identity);
  if (row === undefined || row.userId !== userId) {
    throw new Failure(
      "conflict",
      "That account is already linked to another Flamekeep account. Unlink it there first.",
    );
  }
  const account = await accountInOrganization(ctx.rows, orgId, userId);
  if (isNew && account !== undefined) queueFactorNotice(ctx, account.email, "identityLinked");
  ctx.log.info({ userId, issuer: identity.issuer }, "identity linked");
  return { identity: presentIdentity(row) };
}

export async function unlinkIdentity(
  ctx: Context,
  actor: UserActor,
  { id, password }: InputOf<typeof calls.unlinkIdentity>,
): Promise<ReplyOf<typeof calls.unlinkIdentity>> {
  const account = await accountWithPassword(ctx, actor, password);
  const row = (await identitiesOf(ctx.rows, account.id)).find((each) => idOf(each) === id);
  if (row === undefined || !(await unlink(ctx.rows, row, ctx.now()))) throw notFound("Identity", id);
  ctx.log.info({ userId: account.id, issuer: row.issuer }, "identity unlinked");
  queueFactorNotice(ctx, account.email, "identityUnlinked");
  return { identity: presentIdentity(row) };
}

function presentIdentity(row: IdentityRow): calls.Identity {
  return { id: idOf(row), issuer: row.issuer, linked_at: row.createdAt };
}

/** The subject is the provider's business, so the identity has another name here. */
function idOf({ issuer, subject }: IdentityKey): string {
  return sha256Hex(JSON.stringify([issuer, subject])).slice(0, 32);
}
