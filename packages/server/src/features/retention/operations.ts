import type { deleteService as deleteCall, getRetention as getCall, ReplyOf } from "@flamekeep/contract";
import { z } from "zod";
import type { Actor, Context, UserActor } from "#context";
import { invalid, notFound } from "#failure";
import { query } from "#store/column/query.ts";
import { readRetention, recordRemoval, storeRetention } from "./queries.ts";
import { type RunBetweenBatches, refuseIfStopped, removeWhole } from "./remove-whole.ts";

/** A service exists as long as it has profiles: its removal removes them last. */
const oneProfile = query({
  name: "retention.one-profile",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} LIMIT 1`,
  params: z.object({ orgId: z.uuid(), service: z.string() }),
  row: z.object({ profileId: z.string() }),
});

export async function getRetention(ctx: Context, actor: Actor): Promise<ReplyOf<typeof getCall>> {
  return {
    retention_days: await readRetention(ctx.rows, actor.orgId),
    server_retention_days: ctx.config.retentionDays,
  };
}

export async function updateRetention(
  ctx: Context,
  actor: UserActor,
  days: number | null,
): Promise<ReplyOf<typeof getCall>> {
  const { retentionDays: serverDays } = ctx.config;
  if (days !== null && days > serverDays) {
    throw invalid(
      `Field 'retention_days' must be at most ${serverDays}, which is how long this server keeps data`,
    );
  }
  await storeRetention(ctx.rows, actor.orgId, days);
  ctx.log.info({ orgId: actor.orgId, userId: actor.userId, days }, "retention changed");
  return getRetention(ctx, actor);
}

/** Removes everything of the service from every table. If it is interrupted, the job finishes it. */
export async function deleteService(
  ctx: Context,
  actor: UserActor,
  { service, confirm }: { readonly service: string; readonly confirm: string },
  runBetweenBatches: RunBetweenBatches,
): Promise<ReplyOf<typeof deleteCall>> {
  if (confirm !== service) throw invalid(`Field 'confirm' must be the service's name, ${service}`);
  const { orgId, userId } = actor;
  const [profile] = await ctx.columns.query(oneProfile, { orgId, service });
  if (profile === undefined) throw notFound("Service", service);
  const removed = await runBetweenBatches(async (stopped) => {
    refuseIfStopped(stopped);
    // Recorded first: after an interruption, a profile that is sent again must not be taken for a duplicate.
    await recordRemoval(ctx.rows, { orgId, service, removedBy: userId, at: ctx.now() });
    return removeWhole(ctx, { orgId, service }, stopped);
  });
  ctx.log.warn({ orgId, userId, service, removed }, "a service was deleted");
  return { service, profiles: removed.profiles ?? 0, http_requests: removed.http_requests ?? 0 };
}
