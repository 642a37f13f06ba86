import type { ReplyOf } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Actor, Context } from "#context";
import { invalid, notFound } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { query, queryAtMostOne } from "#store/column/query.ts";
import { readLimit } from "#store/row/organization-limits.ts";
import { changesRow, type RowStore } from "#store/row/row-store.ts";
import { registerRetentionJob } from "./job.ts";
import { type RemovalContext, type RemoveService, serviceRemoval } from "./remove-whole.ts";

/** The uploads of every organization wait while one runs. */
const removalsPerMinute = 10;

export function registerRetention(app: FastifyInstance, ctx: RemovalContext): void {
  serve(app, ctx, calls.getRetention, getRetention);
  serve(app, ctx, calls.updateRetention, updateRetention);
  const removeService = serviceRemoval(ctx);
  const deleting = { ...ctx, removeService };
  serve(app, deleting, calls.deleteService, deleteService, {
    rate: perMinute(app, "deletions of services", removalsPerMinute),
  });
  registerRetentionJob(app, deleting);
}

/** A service exists as long as it has profiles: its removal removes them last. */
const oneProfile = query({
  name: "retention.one-profile",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} LIMIT 1`,
  params: z.object({ orgId: z.uuid(), service: z.string() }),
  row: z.object({ profileId: z.string() }),
});

async function getRetention(ctx: Context, actor: Actor): Promise<ReplyOf<typeof calls.getRetention>> {
  const { orgId } = actor;
  const [days, { value: daysMax }] = await Promise.all([
    readRetention(ctx.rows, orgId),
    readLimit(ctx.rows, ctx.config, { orgId, name: "retention_days" }),
  ]);
  // The limit may have been lowered since the organization chose its days.
  return {
    retention_days: days === null ? null : Math.min(days, daysMax),
    server_retention_days: daysMax,
    server_days_by_type: Object.fromEntries(ctx.config.retentionDaysByType),
  };
}

const updateRetention: Operation<typeof calls.updateRetention> = async (
  ctx,
  actor,
  { retention_days: days },
) => {
  const { orgId } = actor;
  const { value: daysMax, source } = await readLimit(ctx.rows, ctx.config, { orgId, name: "retention_days" });
  if (days !== null && days > daysMax) {
    const whose =
      source === "server" ? "the retention of this server" : "the operator's limit of your organization";
    throw invalid(`Field 'retention_days' must be at most ${daysMax}, ${whose}`);
  }
  const isChanged = await storeRetention(ctx.rows, orgId, days);
  if (isChanged) ctx.log.info({ orgId, userId: actor.userId, days }, "retention changed");
  return replyTo(isChanged, await getRetention(ctx, actor));
};

/** null: as long as the server keeps data. */
async function readRetention(rows: RowStore, orgId: string): Promise<number | null> {
  const setting = rows.selectFrom("organizations").select("retentionDays").where("id", "=", orgId);
  return (await setting.executeTakeFirstOrThrow()).retentionDays;
}

/** False if the organization has this retention already. */
function storeRetention(rows: RowStore, orgId: string, days: number | null): Promise<boolean> {
  const update = rows.updateTable("organizations").set({ retentionDays: days }).where("id", "=", orgId);
  return changesRow(update.where("retentionDays", "is distinct from", days));
}

/** Removes everything of the service from every table. If it is interrupted, the job finishes it. */
const deleteService: Operation<
  typeof calls.deleteService,
  Context & { readonly removeService: RemoveService }
> = async (ctx, actor, { service, confirm }) => {
  if (confirm !== service) throw invalid(`Field 'confirm' must be the service's name, ${service}`);
  const { orgId, userId } = actor;
  const profile = await queryAtMostOne(ctx.columns, oneProfile, { orgId, service });
  if (profile === undefined) throw notFound("Service", service);
  const removed = await ctx.removeService({ orgId, service, removedBy: userId });
  ctx.log.warn({ orgId, userId, service, removed }, "a service was deleted");
  return { service, profiles: removed.profiles ?? 0, http_requests: removed.http_requests ?? 0 };
};
