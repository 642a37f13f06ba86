import type * as calls from "@flamekeep/contract";
import type { InputOf, LinkedKind, MovedSession, ReplyOf } from "@flamekeep/contract";
import { z } from "zod";
import { moveSession } from "#accounts/people/move-session.ts";
import { homeOrganization, memberships } from "#accounts/people/queries.ts";
import { methodsOf } from "#accounts/second-factor/methods.ts";
import { requireRole } from "#auth/require-role.ts";
import { lacksFactor, lacksSecondFactor } from "#auth/second-factor/factor-flags.ts";
import { endSession } from "#auth/sessions/session.ts";
import type { Actor, Context, UserActor } from "#context";
import { Failure, invalid } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { query } from "#store/column/query.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { changesRow, countRows, type RowStore } from "#store/row/row-store.ts";
import { endSessionsIn } from "./member-queries.ts";

export const listOrganizations: Operation<typeof calls.listOrganizations> = async (ctx, actor) => {
  const rows = await memberships(ctx.rows, actor.userId)
    .select(["memberships.orgId as id", "organizations.name", "memberships.role", "memberships.createdAt"])
    .orderBy("memberships.createdAt")
    .orderBy("memberships.orgId")
    .execute();
  return {
    organizations: rows.map(({ createdAt, ...row }) => ({
      ...row,
      joined_at: createdAt,
      is_current: row.id === actor.orgId,
    })),
  };
};

/**
 * Looks only into organizations of the person that they may read, so that the reply says nothing about others: one that requires a second
 * factor stays closed to a person without one.
 */
export const findOrganizationOf: Operation<typeof calls.findOrganizationOf> = async (
  ctx,
  actor,
  { kind, id },
) => {
  const own = await readableOrganizations(ctx.rows, actor.userId);
  const others = own.filter(({ id: orgId }) => orgId !== actor.orgId);
  const current = own.filter(({ id: orgId }) => orgId === actor.orgId);
  const orgIds = own.map(({ id: orgId }) => orgId);
  const having = new Set(orgIds.length === 0 ? [] : await organizationsWith[kind](ctx, orgIds, id));
  return { organization: [...others, ...current].find(({ id: orgId }) => having.has(orgId)) ?? null };
};

export async function getOrganization(
  ctx: Context,
  actor: Actor,
): Promise<ReplyOf<typeof calls.getOrganization>> {
  const { orgId } = actor;
  const { id, name, createdAt, members, requiresSecondFactor } = await organizationRow(ctx.rows, orgId);
  const isAdmin = actor.kind === "user" && actor.role === "admin";
  return {
    id,
    name,
    created_at: createdAt,
    members,
    requires_second_factor: requiresSecondFactor === 1,
    // Only for admins: it is about the accounts of others.
    members_without_second_factor: isAdmin ? await membersWithoutSecondFactor(ctx.rows, orgId) : null,
  };
}

/** Admins must have a second factor themselves, so that one remains who can take the requirement back. */
export const requireSecondFactor: Operation<typeof calls.requireSecondFactor> = async (
  ctx,
  actor,
  { is_required: isRequired },
) => {
  const { orgId, userId } = actor;
  if (isRequired && (await methodsOf(ctx.rows, userId)).length === 0) {
    throw new Failure("conflict", "Set up your own second factor first, under Settings, Account.");
  }
  const isChanged = await storeRequirement(ctx.rows, orgId, isRequired);
  ctx.sessions.forgetOrganization(orgId);
  if (isChanged) ctx.log.info({ orgId, userId, isRequired }, "requirement of a second factor changed");
  return replyTo(isChanged, await getOrganization(ctx, actor));
};

export const renameOrganization: Operation<typeof calls.renameOrganization> = async (
  ctx,
  actor,
  { name },
) => {
  const { orgId, userId } = actor;
  const isChanged = await renameRow(ctx.rows, orgId, name);
  if (isChanged) ctx.log.info({ orgId, userId }, "organization renamed");
  return replyTo(isChanged, await getOrganization(ctx, actor));
};

/** Moves a session whose user has left its organization to the next one, or ends it. */
export async function moveHome(ctx: Context, actor: UserActor): Promise<{ moved: MovedSession | null }> {
  const home = await homeOrganization(ctx.rows, actor.userId);
  if (home !== undefined) return { moved: await moveSession(ctx, actor, { id: home.orgId }) };
  await endSession(ctx, actor.sessionId);
  return { moved: null };
}

const withService = query({
  name: "organizations.with_service",
  sql: `SELECT DISTINCT org_id AS orgId FROM profiles
        WHERE org_id IN {orgIds:Array(UUID)} AND service = {service:String}`,
  params: z.object({ orgIds: z.array(z.uuid()), service: z.string() }),
  row: z.object({ orgId: z.uuid() }),
});

type Search = (ctx: Context, orgIds: readonly string[], id: string) => Promise<readonly string[]>;

/** By the kind of a link: which of the organizations have what it names. */
const organizationsWith: Readonly<Record<LinkedKind, Search>> = {
  profile: async (ctx, orgIds, id) => {
    const found = await Promise.all(
      orgIds.map(async (orgId) => ({ orgId, profile: await ctx.profiles.find(orgId, id) })),
    );
    return found.flatMap(({ orgId, profile }) => (profile === undefined ? [] : [orgId]));
  },
  service: async ({ columns }, orgIds, service) => {
    const found = await columns.query(withService, { orgIds: [...orgIds], service });
    return found.map(({ orgId }) => orgId);
  },
  incident: async ({ rows }, orgIds, id) => {
    const alerts = rows.selectFrom("alerts").select("orgId").where("orgId", "in", orgIds);
    const found = await alerts.where("incidentId", "=", id).execute();
    return found.map(({ orgId }) => orgId);
  },
};

async function organizationRow(rows: RowStore, orgId: string) {
  const members = await countRows(rows.selectFrom("memberships").where("orgId", "=", orgId));
  const organization = await rows
    .selectFrom("organizations")
    .select(["id", "name", "createdAt", "requiresSecondFactor"])
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  return { ...organization, members };
}

/** The organizations of a person, the one joined first on top, without those whose required second factor the person lacks. */
async function readableOrganizations(
  rows: RowStore,
  userId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const own = await memberships(rows, userId)
    .select(["memberships.orgId as id", "organizations.name"])
    .select(lacksSecondFactor)
    .orderBy("memberships.createdAt")
    .orderBy("memberships.orgId")
    .execute();
  return own.flatMap(({ lacksSecondFactor: isClosed, ...each }) => (isClosed ? [] : [each]));
}

/** False if the organization has the name already. */
function renameRow(rows: RowStore, orgId: string, name: string): Promise<boolean> {
  const update = rows.updateTable("organizations").set({ name }).where("id", "=", orgId);
  return changesRow(update.where("name", "!=", name));
}

function membersWithoutSecondFactor(rows: RowStore, orgId: string): Promise<number> {
  return countRows(
    rows
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "memberships.userId")
      .where("memberships.orgId", "=", orgId)
      .where(lacksFactor),
  );
}

/** False if the organization has this requirement already. */
function storeRequirement(rows: RowStore, orgId: string, isRequired: boolean): Promise<boolean> {
  const flag = isRequired ? 1 : 0;
  const update = rows.updateTable("organizations").set({ requiresSecondFactor: flag });
  return changesRow(update.where("id", "=", orgId).where("requiresSecondFactor", "!=", flag));
}

/**
 * Ends everybody's access to the organization and records that it is deleted. A job removes its data, which can take minutes:
 * see features/retention/job.ts.
 */
export async function deleteOrganization(
  ctx: Context,
  actor: UserActor,
  { confirm }: InputOf<typeof calls.deleteOrganization>,
): Promise<ReplyOf<typeof calls.deleteOrganization>> {
  const { orgId, userId } = actor;
  const { name } = await organizationRow(ctx.rows, orgId);
  if (confirm !== name) throw invalid(`Field 'confirm' must be the name of the organization, ${name}`);
  const ended = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const removedAt = ctx.now();
    const removal = { orgId, name, removedBy: userId, removedAt: removedAt.toISOString() };
    const insertion = rows
      .insertInto("organizationRemovals")
      .values(removal)
      .onConflict((conflict) => conflict.column("orgId").doNothing());
    // Another admin may have deleted it at the same time.
    if (!(await changesRow(insertion)))
      throw new Failure("conflict", "The organization has already been deleted.");
    await requireRole(rows, actor, ["admin"]);
    await rows
      .updateTable("organizations")
      .set({ suspendedAt: removal.removedAt })
      .where("id", "=", orgId)
      .execute();
    return endAccess(rows, actor, removedAt);
  });
  for (const { publicId } of ended.keys) ctx.keys.forget(publicId);
  for (const member of ended.members) ctx.sessions.forgetUser(member.userId);
  ctx.log.warn({ orgId, userId, members: ended.members.length }, "an organization was deleted");
  return moveHome(ctx, actor);
}

async function endAccess(rows: RowStore, { orgId, sessionId }: UserActor, at: Date) {
  const members = await rows
    .deleteFrom("memberships")
    .where("orgId", "=", orgId)
    .returning("userId")
    .execute();
  const keys = await rows.deleteFrom("apiKeys").where("orgId", "=", orgId).returning("publicId").execute();
  await rows.deleteFrom("invitations").where("orgId", "=", orgId).execute();
  await endSessionsIn(rows, orgId, { at, except: sessionId });
  return { members, keys };
}
