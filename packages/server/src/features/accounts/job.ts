import { hourMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { reserveRoom } from "#store/row/reserved-room.ts";
import { removeExpired } from "./remove-expired.ts";

/** Uploads and page views have priority after a start. */
const defaultTiming = { firstAfterMs: 30_000, everyMs: hourMs };

/**
 * Deletes expired sessions, tokens and sign-in counts every hour while the server listens, and refills the disk space that is
 * reserved for sign-ins. Several servers may do so at the same time.
 */
export function registerExpiryJob(app: FastifyInstance, ctx: Context, timing = defaultTiming): void {
  const jobLog = new JobLog(ctx.log, "the hourly removal of expired sessions");
  whileListening(app, (stopped) =>
    repeat(jobLog, timing, stopped, async () => {
      // Signing in must work on a full disk.
      await reserveRoom(ctx.rows, ctx.config.rows);
      const removed = await removeExpired(ctx.rows, ctx.now(), stopped);
      if (Object.values(removed).some((rows) => rows > 0)) {
        ctx.log.info(removed, "removed expired sessions and sign-in counts");
      }
    }),
  );
}
