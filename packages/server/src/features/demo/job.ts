import { setTimeout as sleep } from "node:timers/promises";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { readManifest } from "./manifest.ts";
import { replay, type TakeUpload } from "./replay.ts";

const everyMs = minuteMs;
/** Longer than any window, so that no upload is missed between two rounds. */
const overlapMs = hourMs;

/**
 * Keeps the demo organization up to date while the server listens: sends all uploads at the first start, and new ones
 * every minute. Does nothing if the demo is off.
 */
export function registerDemo(app: FastifyInstance, ctx: Context, take: TakeUpload): void {
  if (ctx.demo === null) return;
  const { orgId } = ctx.demo;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  app.addHook("onListen", () => {
    running = keepUpToDate(ctx, orgId, take, stopping.signal);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
}

async function keepUpToDate(
  ctx: Context,
  orgId: string,
  take: TakeUpload,
  stopped: AbortSignal,
): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the job that sends demo data");
  let sinceMs = 0;
  while (!stopped.aborted) {
    const roundMs = ctx.now().getTime();
    try {
      const sent = await replay(ctx, { manifest: await readManifest(), take, orgId, stopped }, sinceMs);
      if (sent > 0) ctx.log.info({ uploads: sent }, "demo data is up to date");
      sinceMs = roundMs - overlapMs;
      jobLog.succeeded();
    } catch (error) {
      // The next round sends the uploads that are still missing.
      if (!stopped.aborted) jobLog.failed(error);
    }
    await sleep(everyMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}
