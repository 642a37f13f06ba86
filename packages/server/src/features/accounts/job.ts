import { setTimeout as sleep } from "node:timers/promises";
import { hourMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { reserveRoom } from "#store/row/reserved-room.ts";
import { removeExpired } from "./remove-expired.ts";

interface Timing {
  readonly firstAfterMs: number;
  readonly everyMs: number;
}

/** Uploads and page views have priority after a start. */
const defaultTiming: Timing = { firstAfterMs: 30_000, everyMs: hourMs };

/**
 * Deletes expired sessions, tokens and sign-in counts every hour while the server listens, and refills the disk space that is
 * reserved for sign-ins. Several servers may do so at the same time.
 */
export function registerExpiryJob(app: FastifyInstance, ctx: Context, timing = defaultTiming): void {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  app.addHook("onListen", () => {
    running = removePeriodically(ctx, timing, stopping.signal);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
}

async function removePeriodically(ctx: Context, timing: Timing, stopped: AbortSignal): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the hourly removal of expired sessions");
  await pause(timing.firstAfterMs, stopped);
  while (!stopped.aborted) {
    try {
      // Signing in must work on a full disk.
      await reserveRoom(ctx.rows, ctx.config.rows);
      const removed = await removeExpired(ctx.rows, ctx.now(), stopped);
      if (Object.values(removed).some((rows) => rows > 0)) {
        ctx.log.info(removed, "removed expired sessions and sign-in counts");
      }
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await pause(timing.everyMs, stopped);
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}
