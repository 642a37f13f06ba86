import { deleteService, getRetention, updateRetention } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { registerRetentionJob } from "./job.ts";
import * as operations from "./operations.ts";
import type { RunBetweenBatches } from "./remove-whole.ts";

/** The uploads of every organization wait while one runs. */
const removalsPerMinute = 10;

export function registerRetention(
  app: FastifyInstance,
  ctx: Context,
  runBetweenBatches: RunBetweenBatches,
): void {
  serve(app, ctx, getRetention, ({ actor }) => operations.getRetention(ctx, actor));
  serve(app, ctx, updateRetention, ({ actor, body }) =>
    operations.updateRetention(ctx, actor, body.retention_days),
  );
  serve(
    app,
    ctx,
    deleteService,
    ({ actor, params, body }) =>
      operations.deleteService(
        ctx,
        actor,
        { service: params.service, confirm: body.confirm },
        runBetweenBatches,
      ),
    { rate: perMinute(app, removalsPerMinute) },
  );
  registerRetentionJob(app, ctx, runBetweenBatches);
}
