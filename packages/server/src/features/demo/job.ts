import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { readManifest } from "./manifest.ts";
import { replay, type TakeUpload } from "./replay.ts";

/** Longer than any window, so that no upload is missed between two rounds. */
const overlapMs = hourMs;

/**
 * Keeps the demo organization up to date while the server listens: sends all uploads at the first start, and new ones
 * every minute. Does nothing if the demo is off.
 */
export function registerDemo(app: FastifyInstance, ctx: Context, take: TakeUpload): void {
  if (ctx.demo === null) return;
  const { demo } = ctx;
  const { orgId } = demo;
  let sinceMs = 0;
  whileListening(app, (stopped) =>
    // A round after a failed one sends the uploads that are still missing.
    repeat(new JobLog(ctx.log, "the job that sends demo data"), { everyMs: minuteMs }, stopped, async () => {
      const term = await ctx.leases.lead("demo");
      if (term === undefined) {
        // Another process sends it, and is ready once all of it is there.
        demo.loadedAt ??= new Date(0);
        return;
      }
      const roundMs = ctx.now().getTime();
      const ended = AbortSignal.any([stopped, term.ended]);
      const manifest = await readManifest();
      const sent = await replay(ctx, { manifest, take, orgId, stopped: ended }, sinceMs);
      if (sent > 0) ctx.log.info({ uploads: sent }, "demo data is up to date");
      sinceMs = roundMs - overlapMs;
      // Nothing was sent: what is stored was evaluated before.
      if (!ended.aborted) demo.loadedAt ??= sent > 0 ? ctx.now() : new Date(0);
    }),
  );
}
