import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { endSession, endSessionsOf } from "#auth/sessions/session.ts";
import type { Context, UserActor } from "#context";
import { notFound } from "#failure";
import { isSessionOf } from "./queries.ts";

export async function endOwnSession(
  ctx: Context,
  actor: UserActor,
  { id }: InputOf<typeof calls.endSession>,
): Promise<ReplyOf<typeof calls.endSession>> {
  if (!(await isSessionOf(ctx.rows, { userId: actor.userId, id, now: ctx.now() })))
    throw notFound("Session", id);
  await endSession(ctx, id);
  ctx.log.info({ userId: actor.userId, sessionId: id }, "session ended by its user");
  return { ended: 1 };
}

/** Ends this session too. */
export async function signOutEverywhere(
  ctx: Context,
  actor: UserActor,
): Promise<ReplyOf<typeof calls.endSessions>> {
  const ended = await endSessionsOf(ctx, actor.userId);
  ctx.log.info({ userId: actor.userId, ended }, "all sessions ended by their user");
  return { ended };
}
