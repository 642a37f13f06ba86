import { setTimeout as sleep } from "node:timers/promises";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { ClockGuard } from "./clock-guard.ts";
import { finishRemovals } from "./finish-removals.ts";
import { removeOldDays } from "./remove-old-days.ts";
import { removeDeletedOrganizations } from "./remove-organizations.ts";
import type { RemovalContext } from "./remove-whole.ts";

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
