import { listedIdOf } from "#ingest/encode/profile-id.ts";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import { type FailedDay, type Payload, requestsFolder } from "#store/payloads/payload-store.ts";
import { referenceTo } from "#store/payloads/read-payload.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { type BatchItem, bytesOf } from "./batch.ts";
import type { PendingItem } from "./pending-item.ts";
import { BaseRejected } from "./rejections.ts";

/** Steps of a batch that need no store: rejecting, selecting and halving its items. */

export interface Rejection {
  readonly pending: PendingItem;
  readonly error: Error;
}

export interface SplitBatch {
  readonly stored: readonly PendingItem[];
  readonly missing: readonly PendingItem[];
  /** Items whose payload could not be written because of its day, or whose base was rejected. Nothing of them is stored. */
  readonly failed: readonly Rejection[];
  /** Some items are missing although their payload is stored: an earlier attempt may have written rows. */
  readonly isDoubtful: boolean;
  /** See `PutResult.number`. */
  readonly put: number;
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

/** @param isRepeatable whether bytes are also kept until their rows are stored: HTTP metrics have no other use for them */
export function payloadsOf(batch: readonly PendingItem[], isRepeatable: boolean): readonly Payload[] {
  return batch.flatMap(({ item: { orgId, profileId, type, payload, recorded, listedTypes = [] } }) => {
    if (payload === undefined || (type === "metrics" && !isRepeatable)) return [];
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
  const failures = new Map(failedDays.map((failedDay) => [failedDay.day, failedDay]));
  return separateRejected(batch, (item) => {
    const failedDay =
      item.payload === undefined
        ? undefined
        : failures.get(item.type === "metrics" ? requestsFolder : (dayOf(item.profileId) ?? ""));
    if (failedDay !== undefined) return new DayUnavailable("stored", failedDay.day, failedDay.fault);
    return baseRejection(item);
  });
}

export function baseRejection({ snapshot }: BatchItem, payload?: Uint8Array): BaseRejected | undefined {
  return snapshot?.isRejected ? new BaseRejected(payload) : undefined;
}

/** The items that may be stored already: only a new payload of a profile proves that it is not. */
export function maybeStored(
  written: readonly PendingItem[],
  existing: readonly Payload[],
): readonly PendingItem[] {
  const existingIds = new Set(existing.map(({ profileId }) => profileId));
  return written.filter(
    ({ item }) => item.payload === undefined || item.type === "metrics" || existingIds.has(item.profileId),
  );
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
