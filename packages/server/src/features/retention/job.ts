import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { z } from "zod";
import type { Context } from "#context";
import { maintenanceQuery, query } from "#store/column/query.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { Day } from "#store/column/values.ts";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { readKeptDays } from "#store/row/organization-limits.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { readServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { timedJob } from "#telemetry/timed-job.ts";
import { removeBySize } from "./by-size.ts";
import { ClockGuard } from "./clock-guard.ts";
import { type RemovalContext, type RemoveService, refuseIfStopped, removeWhole } from "./remove-whole.ts";

const everyMs = hourMs;
/** After every day that a store can hold. */
const allDays = "2149-01-01";
/** Uploads and requests of people come first after a start. */
const firstAfterMs = minuteMs;
/** A new file of uploads begins each time. */
const dropEveryMs = 15 * minuteMs;
const moveEveryMs = 5 * minuteMs;
/** Uploads of a service are refused until its interrupted deletion is finished. */
const finishEveryMs = minuteMs;

/**
 * While the server listens: finishes deletions of services and organizations, and removes data that is too old every hour, in one process
 * of the installation at a time. Where a second one begins early, each removes what is left.
 */
export function registerRetentionJob(
  app: FastifyInstance,
  ctx: RemovalContext & { readonly removeService: RemoveService },
): void {
  const { log, metrics, leases } = ctx;
  const finishRemoval = ctx.atOwner("finish-removal", (removal: InterruptedRemoval) =>
    finishInterrupted(ctx, removal),
  );
  whileListening(app, (stopped) => {
    const finishing = repeat(
      new JobLog(log, "the job that finishes deletions"),
      { everyMs: finishEveryMs },
      stopped,
      () =>
        leases.run("deletions", stopped, () =>
          timedJob(metrics, "deletions", async () => {
            for (const { id, orgId, service } of await interrupted(ctx))
              await finishRemoval({ id, orgId, service });
            await removeDeletedOrganizations(ctx);
          }),
        ),
    );
    const clock = new ClockGuard(ctx);
    const removing = repeat(
      new JobLog(log, "the hourly removal of old data"),
      { firstAfterMs, everyMs },
      stopped,
      () =>
        leases.run("retention", stopped, (ended) =>
          timedJob(metrics, "retention", async () => {
            if (await clock.isTrusted()) await removeAndLog(ctx, ended);
          }),
        ),
    );
    const dropping = repeat(
      new JobLog(log, "the removal of original bytes"),
      { firstAfterMs: 2 * firstAfterMs, everyMs: dropEveryMs },
      stopped,
      () => leases.run("original-bytes", stopped, (ended) => dropOriginals(ctx, clock, ended)),
    );
    const freeing = repeat(
      new JobLog(log, "the removal by size"),
      { firstAfterMs: 2 * firstAfterMs, everyMs: dropEveryMs },
      stopped,
      async () => {
        if (ctx.config.retentionFreeBytes > 0 && (await clock.isTrusted())) await removeBySize(ctx, stopped);
      },
    );
    const moving = repeat(
      new JobLog(log, "the move of original bytes to object storage"),
      { firstAfterMs, everyMs: moveEveryMs },
      stopped,
      async () => {
        if (ctx.payloads.moveToObjects === undefined) return;
        await timedJob(metrics, "originals", () => ctx.payloads.moveToObjects!(stopped));
      },
    );
    return Promise.all([finishing, removing, dropping, freeing, moving]);
  });
}

/** Removes bytes of uploads that the setting does not keep, once their rows are stored. */
export async function dropOriginals(
  ctx: Context,
  clock: Pick<ClockGuard, "isTrusted">,
  stopped?: AbortSignal,
): Promise<void> {
  const { originalsKeptDays: days } = ctx.config;
  if (days === 0) await ctx.payloads.dropContent(allDays, stopped);
  else if (Number.isFinite(days) && (await clock.isTrusted()))
    await ctx.payloads.dropContent(utcDayOf(ctx.now().getTime() - days * dayMs), stopped);
}

async function removeAndLog(ctx: Context, stopped: AbortSignal): Promise<void> {
  const removed = await removeOldDays(ctx, stopped);
  if (removed.partitions + removed.rows > 0) ctx.log.info(removed, "removed data that is too old");
}

/** Another server on the same stores may still be running the deletion. */
const othersMayTakeMs = 10 * minuteMs;

type InterruptedRemoval = Pick<ServiceRemoval, "id" | "orgId" | "service">;

/**
 * Finishes the deletion of a service that was interrupted, by a kill of the server or an unavailable store. Until then
 * uploads of the service are refused. Several servers may do it at once: each removes what is left.
 */
async function finishInterrupted(
  ctx: RemovalContext,
  { id, orgId, service }: InterruptedRemoval,
): Promise<void> {
  await ctx.runBetweenBatches(async (stopped) => {
    refuseIfStopped(stopped);
    // Another deletion of the service may have finished while this one waited.
    const left = await interrupted(ctx);
    if (!left.some((each) => each.id === id)) return;
    const removed = await removeWhole(ctx, { orgId, service }, stopped);
    ctx.log.warn({ orgId, service, removed }, "the deletion of a service, cut off before, is finished");
  });
}

async function interrupted({ rows, config, now }: Context): Promise<readonly ServiceRemoval[]> {
  const { unfinished } = await readServiceRemovals(rows);
  if (config.columns.kind === "embedded") return unfinished;
  return unfinished.filter(({ at }) => now().getTime() - at.getTime() > othersMayTakeMs);
}

interface RemovedDays {
  /** Days that were dropped for all organizations. */
  readonly partitions: number;
  /** Rows of organizations and types with a shorter retention. */
  readonly rows: number;
}

/**
 * Drops the days that are older than the server's retention, removes older days of organizations and types with a shorter one,
 * and frees the disk space of removed rows. Today and the retention's whole days before it stay.
 * Ends after the current step once `stopped` is aborted; the next call continues from there.
 */
export async function removeOldDays(ctx: Context, stopped?: AbortSignal): Promise<RemovedDays> {
  const { retentionDays } = ctx.config;
  const firstDay = (days: number) => utcDayOf(ctx.now().getTime() - days * dayMs);
  // Payloads go first: a flame graph is drawn from one without reading its row.
  await ctx.payloads.removeDays(firstDay(retentionDays), undefined, stopped);
  const partitions = await ctx.columns.maintenance.dropDays(firstDay(retentionDays), stopped);
  let rows = 0;
  const kept = await readKeptDays(ctx.rows, ctx.config);
  for (const { orgId, days } of kept.filter(({ days }) => days < retentionDays)) {
    if (stopped?.aborted) break;
    const before = firstDay(days);
    await ctx.payloads.removeDays(before, orgId, stopped);
    const removed = await ctx.columns.maintenance.removeDays(orgId, before, stopped);
    rows += Object.values(removed).reduce((sum, count) => sum + count, 0);
  }
  try {
    for (const [type, days] of ctx.config.retentionDaysByType) {
      rows += await removeType(ctx, type, firstDay(days), stopped);
    }
  } finally {
    // Also while the files of one day cannot be changed.
    await ctx.columns.maintenance.purge(stopped);
    await ctx.payloads.purge(stopped);
  }
  return { partitions, rows };
}

const daysOfType = maintenanceQuery({
  name: "retention.days-of-type",
  sql: `SELECT DISTINCT org_id AS orgId, toDate(started_at) AS day FROM profiles
        WHERE type = {type:String} AND toDate(started_at) < {before:Date} ORDER BY day, orgId`,
  params: z.object({ type: z.string(), before: Day }),
  row: z.object({ orgId: z.uuid(), day: Day }),
});

const profilesOfType = query({
  name: "retention.profiles-of-type",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND type = {type:String} AND toDate(started_at) = {day:Date}`,
  params: z.object({ orgId: z.uuid(), type: z.string(), day: Day }),
  row: z.object({ profileId: z.string() }),
});

/** Removes the profiles of a type of days before `before`, of all organizations: payloads first, found by their rows. */
async function removeType(
  { columns, payloads }: Context,
  type: string,
  before: string,
  stopped: AbortSignal | undefined,
): Promise<number> {
  const days = await columns.maintenance.query(daysOfType, { type, before });
  for (const { orgId, day } of days) {
    if (stopped?.aborted) return 0;
    const profiles = await columns.direct.query(profilesOfType, { orgId, type, day });
    const ids = profiles.map(({ profileId }) => profileId);
    await payloads.remove(orgId, ids, stopped);
  }
  if (days.length === 0 || stopped?.aborted) return 0;
  const removed = await columns.maintenance.removeType(type, before, stopped);
  return Object.values(removed).reduce((sum, count) => sum + count, 0);
}

/** Uploads that were admitted before the keys ended are stored or refused by then, on other servers too. */
const waitMs = minuteMs;

const servicesOfOrganization = query({
  name: "retention.services-of-organization",
  sql: "SELECT DISTINCT service FROM profiles WHERE org_id = {orgId:UUID} ORDER BY service",
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ service: z.string() }),
});

interface Removal {
  readonly orgId: string;
  readonly removedBy: string;
}

/**
 * Removes the data of deleted organizations, whose access ended before: first service by service, so that each removal is
 * recorded and a restore of older files does not bring it back, then what belongs to no service, then the rows of the row store.
 * It can be interrupted at any time: the next call continues.
 */
export async function removeDeletedOrganizations(
  ctx: Pick<RemovalContext, "runBetweenBatches"> & Context & { readonly removeService: RemoveService },
): Promise<void> {
  for (const removal of await dueRemovals(ctx)) {
    const { orgId, removedBy } = removal;
    for (const { service } of await ctx.columns.query(servicesOfOrganization, { orgId })) {
      await ctx.removeService({ orgId, service, removedBy });
    }
    await ctx.runBetweenBatches((stopped) => removeRest(ctx, orgId, stopped));
    ctx.log.warn({ orgId }, "the data of a deleted organization was removed");
  }
}

function dueRemovals({ rows, now }: Context): Promise<Removal[]> {
  return acrossOrganizations(rows)
    .selectFrom("organizationRemovals")
    .select(["orgId", "removedBy"])
    .where("finishedAt", "is", null)
    .where("removedAt", "<=", new Date(now().getTime() - waitMs).toISOString())
    .orderBy("removedAt")
    .execute();
}

async function removeRest(ctx: Context, orgId: string, stopped: AbortSignal): Promise<void> {
  refuseIfStopped(stopped);
  await ctx.payloads.removeDays(allDays, orgId, stopped);
  await ctx.columns.maintenance.removeDays(orgId, allDays, stopped);
  refuseIfStopped(stopped);
  await ctx.rows.transaction().execute(async (rows) => {
    await removeOrganizationRows(rows, orgId);
    await rows
      .updateTable("organizationRemovals")
      .set({ finishedAt: ctx.now().toISOString() })
      .where("orgId", "=", orgId)
      .execute();
  });
}

/** Records of removals stay: see readServiceRemovals. */
const keptTables = new Set(["organization_removals", "service_removals"]);

/** Removes the organization's rows from every table that has organizations, and the organization itself. */
async function removeOrganizationRows(rows: RowStore, orgId: string): Promise<void> {
  const plain = rows.withoutPlugins();
  const tables = (await plain.introspection.getTables()).filter(
    ({ name, columns }) => !keptTables.has(name) && columns.some((column) => column.name === "org_id"),
  );
  for (const { name } of tables) {
    await sql`DELETE FROM ${sql.table(name)} WHERE org_id = ${orgId}`.execute(plain);
  }
  await rows.deleteFrom("organizations").where("id", "=", orgId).execute();
}
