import { profileStatistics } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { toMetricsStatistics, toStatistics } from "./present.ts";

export function registerStatistics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, profileStatistics, async ({ actor, params }) => {
    const row = await ctx.profiles.read(actor.orgId, params.id);
    if (row.type === "metrics") return toMetricsStatistics(row);
    const description = await ctx.decoders.describeProfile({
      payload: await readPayload(ctx.payloads, actor.orgId, row.profile_id),
      profileId: row.profile_id,
      type: row.type,
    });
    return toStatistics(row, description);
  });
}
