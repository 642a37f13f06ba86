import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { storeHandling } from "#alerts/store/handling.ts";
import {
  commentsOf,
  creatorOfKey,
  insertComment,
  removeAssignment,
  removeComment,
  storeAssignment,
} from "#alerts/store/incidents.ts";
import type { Context, KeyActor, UserActor } from "#context";
import { forbidden, notFound, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { isMember } from "#store/row/members.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { findIncident } from "./operations.ts";
import { toComment } from "./present.ts";

/** Acknowledges all open signals, or none if one of them cannot be stored. Signals that are acknowledged keep who did it first. */
export const acknowledgeIncident: Operation<typeof calls.acknowledgeIncident> = async (
  ctx,
  { orgId, userId },
  { id, is_acknowledged: isAcknowledged },
) => {
  const acknowledgedBy = isAcknowledged ? userId : null;
  const acknowledgedAt = isAcknowledged ? ctx.now().toISOString() : null;
  const changes = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    // Of two people who acknowledge it at the same time, the first one counts.
    const { signals } = await findIncident({ ...ctx, rows }, orgId, id);
    const open = signals.filter(({ status }) => status === "open");
    if (open.length === 0) throw unprocessable("The incident is resolved already");
    const changed = open.filter(({ acknowledged }) => (acknowledged !== undefined) !== isAcknowledged);
    for (const signal of changed) {
      await storeHandling(rows, { orgId, id: signal.id }, { acknowledgedBy, acknowledgedAt });
    }
    return changed.length;
  });
  if (changes > 0) {
    ctx.log.info({ orgId, userId, incidentId: id, isAcknowledged }, "incident acknowledgement changed");
  }
  return { incident: await findIncident(ctx, orgId, id) };
};

export const assignIncident: Operation<typeof calls.assignIncident> = async (
  ctx,
  { orgId, userId },
  { id, user_id: assignedTo },
) => {
  await findIncident(ctx, orgId, id);
  const isChanged =
    assignedTo === null
      ? await removeAssignment(ctx.rows, orgId, id)
      : await assign(ctx, { orgId, incidentId: id, assignedTo });
  if (isChanged) ctx.log.info({ orgId, userId, incidentId: id, assignedTo }, "incident assigned");
  return replyTo(isChanged, { incident: await findIncident(ctx, orgId, id) });
};

interface Assigned {
  readonly orgId: string;
  readonly incidentId: string;
  readonly assignedTo: string;
}

/** False if the incident is assigned to this person already. */
function assign(ctx: Context, assigned: Assigned): Promise<boolean> {
  const { orgId, assignedTo } = assigned;
  return lockedTransaction(ctx.rows, orgId, async (rows) => {
    // A person who leaves at the same time must not stay assigned.
    if (!(await isMember(rows, orgId, assignedTo))) {
      throw unprocessable("Only members of your organization can be assigned. Choose one of them.");
    }
    return storeAssignment(rows, { ...assigned, assignedAt: ctx.now().toISOString() });
  });
}

export const commentIncident: Operation<typeof calls.commentIncident> = async (ctx, actor, { id, text }) => {
  const { orgId } = actor;
  const commentId = randomUUID();
  await findIncident(ctx, orgId, id);
  const written = await authorship(ctx, actor, text);
  const all = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    if ((await commentsOf(rows, orgId, id)).length >= limits.incidentCommentsMax) {
      throw unprocessable(
        `This incident has reached its limit of ${limits.incidentCommentsMax} comments. Remove one first.`,
      );
    }
    await insertComment(rows, {
      id: commentId,
      orgId,
      incidentId: id,
      ...written,
      createdAt: ctx.now().toISOString(),
    });
    return commentsOf(rows, orgId, id);
  });
  const row = all.find((each) => each.id === commentId);
  if (row === undefined) throw notFound("Comment", commentId);
  const by = actor.kind === "user" ? { userId: actor.userId } : { keyId: actor.keyId };
  ctx.log.info({ orgId, ...by, incidentId: id, commentId }, "incident commented on");
  const reader = actor.kind === "user" ? actor : undefined;
  return { incident: await findIncident(ctx, orgId, id), comment: toComment(row, reader) };
};

/** An agent writes for the person who created its key, and the text says so. */
async function authorship(ctx: Context, actor: UserActor | KeyActor, text: string) {
  if (actor.kind === "user") return { text, writtenBy: actor.userId };
  const writtenBy = await creatorOfKey(ctx.rows, actor.orgId, actor.keyId);
  return { text: `Written by a coding agent: ${text}`, writtenBy };
}

/** Throws `forbidden` for a comment of somebody else, unless the person is an admin. */
export const removeIncidentComment: Operation<typeof calls.removeIncidentComment> = async (
  ctx,
  actor,
  { id, comment: commentId },
) => {
  const { orgId, userId } = actor;
  const row = (await commentsOf(ctx.rows, orgId, id)).find((each) => each.id === commentId);
  if (row === undefined) throw notFound("Comment", commentId);
  if (row.writtenBy !== userId && actor.role !== "admin") {
    throw forbidden("Only the author or an admin can remove a comment.");
  }
  await removeComment(ctx.rows, orgId, commentId);
  ctx.log.info({ orgId, userId, incidentId: id, commentId }, "comment on an incident removed");
  return { incident: await findIncident(ctx, orgId, id), comment: toComment(row, actor) };
};
