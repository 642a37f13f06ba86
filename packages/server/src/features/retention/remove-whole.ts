import { z } from "zod";
import type { Context } from "#context";
import { unavailable } from "#failure";
import type { RemovedRows, ServiceKey } from "#store/column/maintenance/row-remover.ts";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { recordFinished, removeServiceRows } from "./queries.ts";

/** Runs an operation between two commits, so that nothing is stored meanwhile. The server stops once `stopped` is aborted. */
type RunBetweenBatches = <T>(operation: (stopped: AbortSignal) => Promise<T>) => Promise<T>;

/** With what stops uploads while profiles are removed. */
export interface RemovalContext extends Context {
  readonly runBetweenBatches: RunBetweenBatches;
}

const Service = z.object({ orgId: z.uuid(), service: z.string() });

const daysOfService = query({
  name: "retention.days-of-service",
  sql: `SELECT DISTINCT toDate(started_at) AS day FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} ORDER BY day`,
  params: Service,
  row: z.object({ day: Day }),
});

const profilesOfDay = query({
  name: "retention.profiles-of-day",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND toDate(started_at) = {day:Date}`,
  params: Service.extend({ day: Day }),
  row: z.object({ profileId: z.string() }),
});

/**
 * Removes everything of a service whose removal was recorded, and records its end. It can run again after an
 * interruption. Throws between two steps once `stopped` is aborted.
 */
export async function removeWhole(
  ctx: Context,
  { orgId, service }: ServiceKey,
  stopped: AbortSignal,
): Promise<RemovedRows> {
  await removePayloads(ctx, { orgId, service }, stopped);
  const removed = await ctx.columns.maintenance.removeService({ orgId, service });
  await removeServiceRows(ctx.rows, { orgId, service });
  await recordFinished(ctx.rows, { orgId, service, at: ctx.now() });
  return removed;
}

/** Payloads go first, because only the rows name them: after an interruption the rows still name the remaining ones. */
async function removePayloads(ctx: Context, service: ServiceKey, stopped: AbortSignal): Promise<void> {
  for (const { day } of await ctx.columns.query(daysOfService, service)) {
    const profiles = await ctx.columns.query(profilesOfDay, { ...service, day });
    await ctx.payloads.remove(
      service.orgId,
      profiles.map(({ profileId }) => profileId),
      stopped,
    );
    refuseIfStopped(stopped);
  }
}

export function refuseIfStopped(stopped: AbortSignal): void {
  if (stopped.aborted) throw unavailable("The server is stopping. The deletion goes on when it is back.");
}
