import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { removeOldDays } from "./remove-old-days.ts";

const everyMs = 60 * 60_000;
/** What comes in first after a start is uploads and people. */
const firstAfterMs = 60_000;

/** Removes what is too old, every hour while the server listens. Several servers may: each finds what is left. */
export function keepRetention(app: FastifyInstance, ctx: Context): void {
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
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  await rest(firstAfterMs);
  while (!stopped.aborted) {
    try {
      const removed = await removeOldDays(ctx);
      if (removed.partitions + removed.rows > 0) ctx.log.info(removed, "what was too old is removed");
    } catch (error) {
      ctx.log.warn({ err: error }, "what is too old will be removed in an hour");
    }
    await rest(everyMs);
  }
}
