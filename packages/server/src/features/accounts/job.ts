import { setTimeout as sleep } from "node:timers/promises";
import { hourMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { reserveRoom } from "#store/row/reserved-room.ts";
import { removeExpired } from "./remove-expired.ts";

const everyMs = hourMs;
/** After a start, uploads and people come first. */
const firstAfterMs = 30_000;

/**
 * Deletes expired sessions, tokens and counts every hour while the server listens, and tops up the room that sign-ins need on a
 * full disk. Several servers may do so at once.
 */
export function removeExpiredHourly(app: FastifyInstance, ctx: Context): void {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  app.addHook("onListen", () => {
    running = keepRemoving(ctx, stopping.signal);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
}

async function keepRemoving(ctx: Context, stopped: AbortSignal): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the hourly removal of expired sessions");
  await rest(firstAfterMs, stopped);
  while (!stopped.aborted) {
    try {
      // Signing in must work when the disk is full.
      await reserveRoom(ctx.rows, ctx.config.rows);
      const removed = await removeExpired(ctx.rows, ctx.now(), stopped);
      if (Object.values(removed).some((rows) => rows > 0)) {
        ctx.log.info(removed, "expired sessions and sign-in counts removed");
      }
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await rest(everyMs, stopped);
  }
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}
