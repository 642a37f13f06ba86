import { setTimeout as sleep } from "node:timers/promises";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import type { FailedDay } from "#store/payloads/payload-store.ts";
import type { BatchItem } from "./batch.ts";
import type { Committed, Committer } from "./committer.ts";

/** Programs that lock a file do so for moments; a sender waits less long than this. */
const busyMsMax = 5000;
const retryMs = 200;

/** The payload of an upload could not be written because of its day. What it brought of stacks and frames is stored. */
export class DayNotWritten extends DayUnavailable {
  /** The same bytes in other memory. */
  readonly payload: Uint8Array | undefined;

  constructor({ day, fault, payloads }: FailedDay, { orgId, profileId }: BatchItem) {
    super("stored", day, fault);
    const same = payloads.find((each) => each.orgId === orgId && each.profileId === profileId);
    this.payload = same?.bytes;
  }
}

/** Commits again while the file of the item's day is locked by another program. Other items do not wait for it. */
export async function commitWhileBusy(
  committer: Pick<Committer, "commit">,
  item: BatchItem,
): Promise<Committed> {
  const giveUpAt = performance.now() + busyMsMax;
  for (let next = item; ; ) {
    try {
      return await committer.commit(next);
    } catch (error) {
      const isBusy = error instanceof DayNotWritten && error.fault === "busy";
      if (!isBusy || performance.now() >= giveUpAt) throw error;
      const { frames: _frames, stacks: _stacks, ...rows } = item.rows;
      next = { ...item, rows, payload: error.payload };
      await sleep(retryMs);
    }
  }
}
