import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { OwnedScope } from "#cluster/owner.ts";
import type { Context } from "#context";
import { unavailable } from "#failure";
import type { RemovedRows, ServiceKey } from "#store/column/maintenance/row-remover.ts";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import type { RowStore } from "#store/row/row-store.ts";

/** Runs an operation between two commits, so that nothing is stored meanwhile. The server stops once `stopped` is aborted. */
type RunBetweenBatches = <T>(operation: (stopped: AbortSignal) => Promise<T>) => Promise<T>;

/** With what stops uploads while profiles are removed. */
export interface RemovalContext extends Context {
  readonly runBetweenBatches: RunBetweenBatches;
  /** The operation as it runs where the uploads of the service are stored. */
  readonly atOwner: <I extends OwnedScope, R>(
    name: string,
    operation: (input: I) => Promise<R>,
  ) => (input: I) => Promise<R>;
}

/** Removes everything of a service, where its uploads are stored. */
export type RemoveService = (removal: ServiceKey & { readonly removedBy: string }) => Promise<RemovedRows>;

export function serviceRemoval(ctx: RemovalContext): RemoveService {
  const remove: RemoveService = ({ orgId, service, removedBy }) =>
    ctx.runBetweenBatches(async (stopped) => {
      refuseIfStopped(stopped);
      // Recorded first: after an interruption, a profile that is sent again must not be taken for a duplicate.
      await recordRemoval(ctx.rows, { orgId, service, removedBy, at: ctx.now() });
      return removeWhole(ctx, { orgId, service }, stopped);
    });
  return ctx.atOwner("remove-service", remove);
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
  // No rows wait now, and a recount of doubtful hours, for which other reads wait, comes after the removal.
  const { direct } = ctx.columns;
  for (const { day } of await direct.query(daysOfService, service)) {
    const profiles = await direct.query(profilesOfDay, { ...service, day });
    await ctx.payloads.remove(
      service.orgId,
      profiles.map(({ profileId }) => profileId),
      stopped,
    );
    refuseIfStopped(stopped);
  }
}

export function refuseIfStopped(stopped: AbortSignal): void {
  if (stopped.aborted) throw unavailable("The server is stopping. The deletion continues after the restart.");
}

/** Records that a removal begins. Until it is recorded as finished, the job continues it after any interruption. */
async function recordRemoval(
  rows: RowStore,
  removal: {
    readonly orgId: string;
    readonly service: string;
    readonly removedBy: string;
    readonly at: Date;
  },
): Promise<void> {
  const { at, service, ...facts } = removal;
  await rows
    .insertInto("serviceRemovals")
    .values({ ...facts, name: service, id: randomUUID(), removedAt: at.toISOString(), finishedAt: null })
    .execute();
}

/** Finishes all recorded removals of the service, because they remove the same. */
async function recordFinished(
  rows: RowStore,
  { orgId, service, at }: { readonly orgId: string; readonly service: string; readonly at: Date },
): Promise<void> {
  await rows
    .updateTable("serviceRemovals")
    .set({ finishedAt: at.toISOString() })
    .where("orgId", "=", orgId)
    .where("name", "=", service)
    .where("finishedAt", "is", null)
    .execute();
}

/** Removes the rows of the service from every table that has an organization and a service. */
async function removeServiceRows(
  rows: RowStore,
  { orgId, service }: { readonly orgId: string; readonly service: string },
): Promise<void> {
  const plain = rows.withoutPlugins();
  const tables = (await plain.introspection.getTables()).filter(({ columns }) => {
    const names = new Set(columns.map(({ name }) => name));
    return names.has("org_id") && names.has("service");
  });
  for (const { name } of tables) {
    await sql`DELETE FROM ${sql.table(name)} WHERE org_id = ${orgId} AND service = ${service}`.execute(plain);
  }
}
