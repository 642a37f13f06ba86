import { listedIdOf, profileKey } from "#ingest/encode/profile-id.ts";
import { roomBytes } from "#store/disk-space.ts";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import type { FailedDay, Payload } from "#store/payloads/payload-store.ts";
import { referenceTo } from "#store/payloads/read-payload.ts";
import { type BatchItem, bytesOf } from "./batch.ts";
import type { CommitterParts } from "./committer-parts.ts";
import type { PendingItem } from "./pending-item.ts";
import { BaseRejected, serviceWasRemoved } from "./rejections.ts";

/** Steps of a batch that need no store: rejecting, selecting and halving its items, and what the disk has room for. */

export interface Rejection {
  readonly pending: PendingItem;
  readonly error: Error;
}

/** Rejected snapshots are marked at once, for later ones that were compared with them. */
export function separateRejected(
  batch: readonly PendingItem[],
  errorOf: (item: BatchItem) => Error | undefined,
): [rejections: readonly Rejection[], open: readonly PendingItem[]] {
  const rejections: Rejection[] = [];
  const open: PendingItem[] = [];
  for (const pending of batch) {
    const error = errorOf(pending.item);
    if (error === undefined) open.push(pending);
    else {
      pending.item.snapshot?.markRejected();
      rejections.push({ pending, error });
    }
  }
  return [rejections, open];
}

export function payloadsOf(items: readonly BatchItem[]): readonly Payload[] {
  return items.flatMap(({ orgId, profileId, type, payload, recorded, listedTypes = [] }) => {
    if (payload === undefined) return [];
    const references = listedTypes.map((listed) => ({
      orgId,
      profileId: listedIdOf(profileId, listed),
      type: listed,
      bytes: referenceTo(profileId),
    }));
    return [{ orgId, profileId, type, bytes: payload, repeat: recorded }, ...references];
  });
}

/** Rejects the items of days that could not be written, and the snapshots that were compared with one of those. */
export function separateFailedDays(
  batch: readonly PendingItem[],
  failedDays: readonly FailedDay[],
): [rejections: readonly Rejection[], written: readonly PendingItem[]] {
  const failures = new Map(
    failedDays.flatMap((failedDay) => failedDay.payloads.map((payload) => [profileKey(payload), failedDay])),
  );
  return separateRejected(batch, (item) => {
    const failedDay = item.payload === undefined ? undefined : failures.get(profileKey(item));
    if (failedDay !== undefined) return new DayUnavailable("stored", failedDay.day, failedDay.fault);
    return baseRejection(item);
  });
}

export function baseRejection({ snapshot }: BatchItem, payload?: Uint8Array): BaseRejected | undefined {
  return snapshot?.isRejected ? new BaseRejected(payload) : undefined;
}

export function halvesOf(batch: readonly PendingItem[]): (readonly PendingItem[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

export function itemsOf(batch: readonly PendingItem[]): readonly BatchItem[] {
  return batch.map(({ item }) => item);
}

export function batchBytes(batch: readonly PendingItem[]): number {
  return batch.reduce((sum, { item }) => sum + bytesOf(item), 0);
}

export function partition<T>(all: readonly T[], isIn: (each: T) => boolean | undefined): [T[], T[]] {
  return [all.filter(isIn), all.filter((each) => !isIn(each))];
}

/** Rows, roll-ups and the merges of both need room too. */
export const bytesOnDiskFactor = 2;

/** The largest batch for which the disk has room. Payloads must not be written if the engine will refuse their rows. */
export async function bytesThatFit({ disk, log }: Pick<CommitterParts, "disk" | "log">): Promise<number> {
  try {
    return (await roomBytes(disk)) / bytesOnDiskFactor;
  } catch (error) {
    // The stores then report themselves whether they can write.
    log.warn({ err: error }, "the free disk space cannot be read");
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether a pending item is among these uploads. */
export function isIn(
  some: readonly Pick<Payload, "orgId" | "profileId">[],
): (pending: PendingItem) => boolean {
  const keys = new Set(some.map(profileKey));
  return (pending) => keys.has(profileKey(pending.item));
}

/** Why uploads from the log of another server are refused. That server tries again where it may: other uploads do not wait. */
export async function refusalsOfRepeated(
  batch: readonly PendingItem[],
  removalWatch: CommitterParts["removalWatch"],
): Promise<ReadonlyMap<BatchItem, Error>> {
  const refusals = new Map<BatchItem, Error>();
  for (const { item } of batch) {
    if (item.isRepeat !== true) continue;
    const found = await removalWatch.isRemovedSince(item).catch((error: Error) => error);
    if (found !== false) refusals.set(item, found === true ? serviceWasRemoved(item.service) : found);
  }
  return refusals;
}
