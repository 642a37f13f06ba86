import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { readRemovals, type ServiceRemoval } from "#store/removals.ts";
import type { BetweenCommits } from "./remove-service.ts";
import { refuseIfStopped, removeWhole } from "./remove-whole.ts";

/** A server that shares the stores may still be at it. */
const othersMayTakeMs = 10 * minuteMs;

/**
 * Finishes deletions of services that were cut off: a server that was killed, a store that was away. Until then uploads
 * of these services are sent away. Several servers may do it at once: each finds what is left.
 */
export async function finishRemovals(ctx: Context, between: BetweenCommits): Promise<void> {
  for (const removal of await cutOff(ctx)) {
    await between(async (stopped) => {
      refuseIfStopped(stopped);
      // It may have been under way here, and ended while this waited.
      const left = await cutOff(ctx);
      if (!left.some(({ id }) => id === removal.id)) return;
      const { orgId, service } = removal;
      const removed = await removeWhole(ctx, removal, stopped);
      ctx.log.warn({ orgId, service, removed }, "the deletion of a service, cut off before, is finished");
    });
  }
}

async function cutOff({ rows, config, now }: Context): Promise<readonly ServiceRemoval[]> {
  const { unfinished } = await readRemovals(rows);
  if (config.columns.kind === "embedded") return unfinished;
  return unfinished.filter(({ at }) => now().getTime() - at.getTime() > othersMayTakeMs);
}
