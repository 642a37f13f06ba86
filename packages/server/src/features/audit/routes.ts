import { exportAuditEntries, listAuditEntries } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { exportEntries, listEntries } from "./operations.ts";

/** Each reads the whole log. */
const exportsPerMinute = 10;

export function registerAudit(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listAuditEntries, listEntries);
  serve(app, ctx, exportAuditEntries, exportEntries, {
    rate: perMinute(app, exportsPerMinute),
  });
}
