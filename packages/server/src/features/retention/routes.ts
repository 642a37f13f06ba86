import { deleteService, getRetention, type ReplyOf, updateRetention } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Actor, Context, UserActor } from "#context";
import { invalid } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { keepRetention } from "./job.ts";
import { retentionOf, setRetention } from "./queries.ts";
import { type BetweenCommits, removeService } from "./remove-service.ts";

/** Everybody's uploads wait while one runs. */
const removalsPerMinute = 10;

export function registerRetention(app: FastifyInstance, ctx: Context, between: BetweenCommits): void {
  serve(app, ctx, getRetention, ({ actor }) => showRetention(ctx, actor));
  serve(app, ctx, updateRetention, ({ actor, body }) => changeRetention(ctx, actor, body.retention_days));
  serve(
    app,
    ctx,
    deleteService,
    ({ actor, params, body }) =>
      removeService(ctx, actor, { service: params.service, confirm: body.confirm }, between),
    { rate: perMinute(app, removalsPerMinute) },
  );
  keepRetention(app, ctx, between);
}

async function showRetention(ctx: Context, actor: Actor): Promise<ReplyOf<typeof getRetention>> {
  return {
    retention_days: await retentionOf(ctx.rows, actor.orgId),
    server_retention_days: ctx.config.retentionDays,
  };
}

async function changeRetention(
  ctx: Context,
  actor: UserActor,
  days: number | null,
): Promise<ReplyOf<typeof updateRetention>> {
  const { retentionDays: serverDays } = ctx.config;
  if (days !== null && days > serverDays) {
    throw invalid(
      `Field 'retention_days' must be at most ${serverDays}, which is how long this server keeps data`,
    );
  }
  await setRetention(ctx.rows, actor.orgId, days);
  ctx.log.info({ orgId: actor.orgId, userId: actor.userId, days }, "retention changed");
  return showRetention(ctx, actor);
}
