import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { registerRetentionJob } from "./job.ts";
import { deleteService, getRetention, updateRetention } from "./operations.ts";
import type { RemovalContext } from "./remove-whole.ts";

/** The uploads of every organization wait while one runs. */
const removalsPerMinute = 10;

export function registerRetention(app: FastifyInstance, ctx: RemovalContext): void {
  serve(app, ctx, calls.getRetention, getRetention);
  serve(app, ctx, calls.updateRetention, updateRetention);
  serve(app, ctx, calls.deleteService, deleteService, { rate: perMinute(app, removalsPerMinute) });
  registerRetentionJob(app, ctx);
}
