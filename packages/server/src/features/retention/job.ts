import { setTimeout as sleep } from "node:timers/promises";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { utcDayOf } from "#store/column/utc.ts";
import { JobLog } from "#store/job-log.ts";
import { readServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { ClockGuard } from "./clock-guard.ts";
import { removeDeletedOrganizations } from "./remove-organizations.ts";
import { type RemovalContext, refuseIfStopped, removeWhole, shorterRetentions } from "./remove-whole.ts";

const everyMs = hourMs;
/** Uploads and requests of people come first after a start. */
const firstAfterMs = minuteMs;
/** Uploads of a service are refused until its interrupted deletion is finished. */
const finishEveryMs = minuteMs;

/**
 * While the server listens: finishes deletions of services and organizations, and removes data that is too old every hour. Several
 * servers may do so at once: each removes what is left.
 */
export function registerRetentionJob(app: FastifyInstance, ctx: RemovalContext): void {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  app.addHook("onListen", () => {
    running = Promise.all([keepFinishing(ctx, stopping.signal), keepRemoving(ctx, stopping.signal)]);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
}

async function keepFinishing(ctx: RemovalContext, stopped: AbortSignal): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the job that finishes deletions");
  while (!stopped.aborted) {
    try {
      await finishRemovals(ctx);
      await removeDeletedOrganizations(ctx);
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await rest(finishEveryMs, stopped);
  }
}

async function keepRemoving(ctx: Context, stopped: AbortSignal): Promise<void> {
  const clock = new ClockGuard(ctx);
  const jobLog = new JobLog(ctx.log, "the hourly removal of old data");
  await rest(firstAfterMs, stopped);
  while (!stopped.aborted) {
    try {
      if (await clock.isTrusted()) await removeAndLog(ctx, stopped);
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await rest(everyMs, stopped);
  }
}

async function removeAndLog(ctx: Context, stopped: AbortSignal): Promise<void> {
  const removed = await removeOldDays(ctx, stopped);
  if (removed.partitions + removed.rows > 0) ctx.log.info(removed, "removed data that is too old");
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

/** Another server on the same stores may still be running the deletion. */
const othersMayTakeMs = 10 * minuteMs;

/**
 * Finishes deletions of services that were interrupted, by a kill of the server or an unavailable store. Until then
 * uploads of these services are refused. Several servers may do it at once: each removes what is left.
 */
async function finishRemovals(ctx: RemovalContext): Promise<void> {
  for (const removal of await interrupted(ctx)) {
    await ctx.runBetweenBatches(async (stopped) => {
      refuseIfStopped(stopped);
      // Another deletion of the service may have finished while this one waited.
      const left = await interrupted(ctx);
      if (!left.some(({ id }) => id === removal.id)) return;
      const { orgId, service } = removal;
      const removed = await removeWhole(ctx, removal, stopped);
      ctx.log.warn({ orgId, service, removed }, "the deletion of a service, cut off before, is finished");
    });
  }
}

async function interrupted({ rows, config, now }: Context): Promise<readonly ServiceRemoval[]> {
  const { unfinished } = await readServiceRemovals(rows);
  if (config.columns.kind === "embedded") return unfinished;
  return unfinished.filter(({ at }) => now().getTime() - at.getTime() > othersMayTakeMs);
}

interface RemovedDays {
  /** Days that were dropped for all organizations. */
  readonly partitions: number;
  /** Rows of organizations with a shorter retention. */
  readonly rows: number;
}

/**
 * Drops the days that are older than the server's retention, removes older days of organizations with a shorter one,
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
  for (const { id, retentionDays: days } of await shorterRetentions(ctx.rows, retentionDays)) {
    if (stopped?.aborted) break;
    const before = firstDay(days ?? retentionDays);
    await ctx.payloads.removeDays(before, id, stopped);
    const removed = await ctx.columns.maintenance.removeDays(id, before, stopped);
    rows += Object.values(removed).reduce((sum, count) => sum + count, 0);
  }
  await ctx.columns.maintenance.purge(stopped);
  await ctx.payloads.purge(stopped);
  return { partitions, rows };
}
