import type * as calls from "@flamekeep/contract";
import type { Selectable } from "kysely";
import { queueFactorNotice } from "#accounts/email/mails.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import { accountInOrganization } from "#accounts/people/queries.ts";
import { sha256Hex } from "#auth/tokens/opaque-token.ts";
import type { Context, UserActor } from "#context";
import { Failure, notFound } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { changesRow, type Database, type RowStore } from "#store/row/row-store.ts";

export const listIdentities: Operation<typeof calls.listIdentities> = async (ctx, actor) => {
  const rows = await identitiesOf(ctx.rows, actor.userId);
  return { provider: ctx.config.oidc?.name ?? null, identities: rows.map(presentIdentity) };
};

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

export const unlinkIdentity: Operation<typeof calls.unlinkIdentity> = async (
  ctx,
  actor,
  { id, password },
) => {
  const account = await accountWithPassword(ctx, actor, password);
  const row = (await identitiesOf(ctx.rows, account.id)).find((each) => idOf(each) === id);
  if (row === undefined || !(await unlink(ctx.rows, row, ctx.now()))) throw notFound("Identity", id);
  ctx.log.info({ userId: account.id, issuer: row.issuer }, "identity unlinked");
  queueFactorNotice(ctx, account.email, "identityUnlinked");
  return { identity: presentIdentity(row) };
};

function presentIdentity(row: IdentityRow): calls.Identity {
  return { id: idOf(row), issuer: row.issuer, linked_at: row.createdAt };
}

/** The subject is the provider's business, so the identity has another name here. */
function idOf({ issuer, subject }: IdentityKey): string {
  return sha256Hex(JSON.stringify([issuer, subject])).slice(0, 32);
}

/** Names an account at a provider. It never changes. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

type IdentityRow = Selectable<Database["identities"]>;

export function identityOf(
  rows: RowStore,
  { issuer, subject }: IdentityKey,
): Promise<IdentityRow | undefined> {
  return rows
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Whether the account has, or had, an identity of the provider. */
export async function hasIdentityOf(rows: RowStore, userId: string, issuer: string): Promise<boolean> {
  const found = rows.selectFrom("identities").select("subject").where("userId", "=", userId);
  return (await found.where("issuer", "=", issuer).limit(1).executeTakeFirst()) !== undefined;
}

/** The linked ones, the newest first. */
function identitiesOf(rows: RowStore, userId: string): Promise<IdentityRow[]> {
  return rows
    .selectFrom("identities")
    .selectAll()
    .where("userId", "=", userId)
    .where("unlinkedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("subject")
    .execute();
}

/** False if the identity signs in to an account already. One statement, so that only one of several concurrent links succeeds. */
export function link(
  rows: RowStore,
  { issuer, subject }: IdentityKey,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<boolean> {
  const linked = { userId, createdAt: now.toISOString(), unlinkedAt: null };
  return changesRow(
    rows
      .insertInto("identities")
      .values({ issuer, subject, ...linked })
      .onConflict((conflict) =>
        conflict
          .columns(["issuer", "subject"])
          .doUpdateSet(linked)
          .where("identities.unlinkedAt", "is not", null),
      ),
  );
}

/** False if it is not linked to the person any more. */
function unlink(rows: RowStore, { issuer, subject, userId }: IdentityRow, now: Date): Promise<boolean> {
  return changesRow(
    rows
      .updateTable("identities")
      .set({ unlinkedAt: now.toISOString() })
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .where("userId", "=", userId)
      .where("unlinkedAt", "is", null),
  );
}
