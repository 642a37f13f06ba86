import type { AuditEvent, OperatedAccount } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { queueFactorNotice, queueOperatorNotice } from "#accounts/email/mails.ts";
import { accountWithPassword } from "#accounts/passwords/checks.ts";
import { createResetToken } from "#accounts/passwords/reset-password.ts";
import { methodsOf } from "#accounts/second-factor/methods.ts";
import { removeAllFactors } from "#accounts/second-factor/queries.ts";
import { endSessionsOf } from "#auth/sessions/session.ts";
import type { Context, UserActor } from "#context";
import { Failure, forbidden, notFound } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { runSteps, type Step } from "#store/row/steps.ts";
import { memberships, type PersonWithHash, personByEmail, personById } from "./people/queries.ts";

export function registerForOperator(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findAccount, findAccount);
  serve(app, ctx, calls.setAccountActive, setAccountActive);
  serve(app, ctx, calls.createResetLink, createResetLink);
  serve(app, ctx, calls.removeSecondFactors, removeSecondFactors);
  serve(app, ctx, calls.transferOperatorRole, transferOperatorRole);
}

const findAccount: Operation<typeof calls.findAccount> = async (ctx, _actor, { email }) => {
  const person = await personByEmail(ctx.rows, email);
  if (person === undefined) throw new Failure("not_found", "No account has this email address.");
  return { account: await presentAccount(ctx, person) };
};

const setAccountActive: Operation<typeof calls.setAccountActive> = async (
  ctx,
  actor,
  { id, is_active: isActive },
) => {
  const person = await accountOf(ctx, id);
  if (person.operatorSlot !== null) throw operatorCannotBeDisabled();
  const flag = isActive ? 1 : 0;
  const { numUpdatedRows } = await ctx.rows.transaction().execute(async (rows) => {
    const change = rows.updateTable("users").set({ isActive: flag });
    const changed = change.where("id", "=", id).where("isActive", "!=", flag).executeTakeFirstOrThrow();
    // The change has locked the account, so that a transfer of the role to it is visible here, or waits.
    const isOperator = (await personById(rows, id))?.operatorSlot === "first";
    if (!isActive && isOperator) throw operatorCannotBeDisabled();
    if (!isActive) await endSessionsOf(ctx, id, { rows });
    return changed;
  });
  // A session that was read while the transaction ran may be in the cache again.
  ctx.sessions.forgetUser(id);
  if (numUpdatedRows > 0n) {
    await record(ctx, actor, { person, event: isActive ? "account.enabled" : "account.disabled" });
  }
  return { account: await presentAccount(ctx, { ...person, isActive: flag }) };
};

/** Needs the operator's password, because the link opens somebody else's account. */
const createResetLink: Operation<typeof calls.createResetLink> = async (ctx, actor, { id, password }) => {
  await accountWithPassword(ctx, actor, password);
  const person = await accountOf(ctx, id);
  if (person.isActive !== 1) throw new Failure("conflict", "This account is disabled. Enable it first.");
  const { token, expiresAt } = await createResetToken(ctx, id, "reset by operator");
  await record(ctx, actor, { person, event: "account.reset_link_created" });
  return { url: `${ctx.config.publicUrl}/reset-password?token=${token}`, expires_at: expiresAt };
};

/** Needs the operator's password, because somebody with the person's password can sign in afterwards. */
const removeSecondFactors: Operation<typeof calls.removeSecondFactors> = async (
  ctx,
  actor,
  { id, password },
) => {
  await accountWithPassword(ctx, actor, password);
  const person = await accountOf(ctx, id);
  await ctx.rows.transaction().execute(async (rows) => {
    if ((await methodsOf(rows, id)).length === 0) {
      throw new Failure("conflict", "This account has no second factor.");
    }
    await removeAllFactors(rows, id);
    await endSessionsOf(ctx, id, { rows });
  });
  ctx.sessions.forgetUser(id);
  queueFactorNotice(ctx, person.email, "allRemoved");
  await record(ctx, actor, { person, event: "account.second_factors_removed" });
  return { account: await presentAccount(ctx, person) };
};

/** Needs the operator's password, because the operator loses the role. */
const transferOperatorRole: Operation<typeof calls.transferOperatorRole> = async (
  ctx,
  actor,
  { id, password },
) => {
  const operator = await accountWithPassword(ctx, actor, password);
  const person = await accountOf(ctx, id);
  if (person.operatorSlot !== null) throw new Failure("conflict", "This account is the operator already.");
  if (ctx.mailer.isSending && person.isVerified !== 1) {
    throw new Failure("conflict", "The owner of this address has not confirmed it yet.");
  }
  await runSteps(ctx.rows, transferSteps(ctx.rows, actor.userId, id));
  ctx.sessions.forgetUser(id);
  ctx.sessions.forgetUser(actor.userId);
  queueOperatorNotice(ctx, operator.email, person.email);
  await record(ctx, actor, { person, event: "account.made_operator", alsoIn: [actor.orgId] });
  return { account: await presentAccount(ctx, await accountOf(ctx, id)) };
};

function transferSteps(rows: RowStore, fromId: string, toId: string): Step[] {
  // Changes nothing, but locks the account, so that it is not disabled meanwhile.
  const lock = rows
    .updateTable("users")
    .set({ isActive: 1 })
    .where("id", "=", toId)
    .where("isActive", "=", 1);
  const transfer = rows.updateTable("operators").set({ userId: toId }).where("userId", "=", fromId);
  // The former operator may have one for the account of the new operator.
  const links = rows.deleteFrom("mailTokens").where("purpose", "=", "reset by operator");
  const isDisabled = () => new Failure("conflict", "This account is disabled. Enable it first.");
  const isLost = () => forbidden("You are no longer the operator of this server.");
  return [
    { statement: lock, orThrow: isDisabled },
    { statement: transfer, orThrow: isLost },
    { statement: links },
  ];
}

function operatorCannotBeDisabled(): Failure {
  return new Failure("conflict", "The account of the operator cannot be disabled.");
}

async function accountOf(ctx: Context, id: string): Promise<PersonWithHash> {
  const person = await personById(ctx.rows, id);
  if (person === undefined) throw notFound("Account", id);
  return person;
}

interface Operated {
  readonly person: PersonWithHash;
  readonly event: AuditEvent;
  /** Organizations that the person may not belong to. */
  readonly alsoIn?: readonly string[];
}

/** Admins of every organization of the person see what the operator did. */
async function record(
  ctx: Context,
  actor: UserActor,
  { person, event, alsoIn = [] }: Operated,
): Promise<void> {
  ctx.log.warn({ userId: person.id, operatorId: actor.userId, event }, "the operator changed an account");
  const organizations = await memberships(ctx.rows, person.id).select("memberships.orgId").execute();
  const audited = { event, actor: { kind: "user", id: actor.userId }, target: person.email } as const;
  const orgIds = new Set([...organizations.map(({ orgId }) => orgId), ...alsoIn]);
  await Promise.all([...orgIds].map((orgId) => ctx.audit.record(orgId, audited)));
}

async function presentAccount(ctx: Context, person: PersonWithHash): Promise<OperatedAccount> {
  return {
    id: person.id,
    email: person.email,
    is_active: person.isActive === 1,
    is_operator: person.operatorSlot !== null,
    has_second_factor: (await methodsOf(ctx.rows, person.id)).length > 0,
    created_at: person.createdAt,
    last_login_at: person.lastLoginAt,
  };
}
