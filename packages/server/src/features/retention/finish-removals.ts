import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { readServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { type RemovalContext, refuseIfStopped, removeWhole } from "./remove-whole.ts";

/** Another server on the same stores may still be running the deletion. */
const othersMayTakeMs = 10 * minuteMs;

/**
 * Finishes deletions of services that were interrupted, by a kill of the server or an unavailable store. Until then
 * uploads of these services are refused. Several servers may do it at once: each removes what is left.
 */
export async function finishRemovals(ctx: RemovalContext): Promise<void> {
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
