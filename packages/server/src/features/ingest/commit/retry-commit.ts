import { setTimeout as sleep } from "node:timers/promises";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import type { BatchItem } from "./batch.ts";
import type { Committed } from "./pending-item.ts";
import { BaseRejected, DayNotWritten } from "./rejections.ts";

/** Programs that lock a file do so for moments; a sender waits less long than this. */
const busyMsMax = 5000;
const retryMs = 200;

/**
 * Commits again while the file of a day is locked by another program, or where a snapshot has to be compared anew because
 * the one before it was rejected. Other items do not wait for it.
 */
export async function retryCommit(
  item: BatchItem,
  commit: (item: BatchItem) => Promise<Committed>,
): Promise<Committed> {
  const giveUpAt = performance.now() + busyMsMax;
  for (let next = item; ; ) {
    try {
      return await commit(next);
    } catch (error) {
      const isBusy = error instanceof DayUnavailable && error.fault === "busy";
      if (!(isBusy || error instanceof BaseRejected) || performance.now() >= giveUpAt) throw error;
      if (error instanceof DayNotWritten || error instanceof BaseRejected) {
        const { frames: _frames, stacks: _stacks, ...rows } = next.rows;
        next = { ...next, rows, payload: error.payload };
      }
      await sleep(retryMs);
    }
  }
}
