import { readDefinitions } from "#ingest/rows/definitions.ts";
import { readProfiles } from "#ingest/rows/profile-columns.ts";
import type { WaitingDefinitions, WaitingProfile } from "#store/column/awaited-rows.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { type BatchItem, bytesOf } from "./batch.ts";
import type { PendingItem } from "./pending-item.ts";

/** An insert costs the engine as much as a hundred profiles in it, however few it has. */
const itemsDue = 100;
/** Uploads that come faster share an insert a second: at 1,200 a second there were 60,000 files of parts after 100,000. */
const companyMsMax = 1_000;
const bytesDue = 8 * 1024 * 1024;
const batchBytesMax = 32 * 1024 * 1024;

export interface Entry {
  /** Counts up. */
  readonly number: number;
  readonly pending: PendingItem;
  readonly bytes: number;
  readonly isDoubtful: boolean;
}

/** Items whose rows wait to be stored, in the order of their acknowledgement, and the batch that is being written. */
export class RowQueue {
  #waiting: Entry[] = [];
  #writing: readonly Entry[] = [];
  #bytes = 0;
  #numbers = 0;
  #batches = 0;

  /** The size of all that waits or is being written. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** How long a batch as large as this waits for more. */
  get waitMsMax(): number {
    if (this.#bytes >= bytesDue) return 0;
    return this.#waiting.length >= itemsDue ? companyMsMax : Number.POSITIVE_INFINITY;
  }

  /** The first entry that is not being written. */
  get next(): Entry | undefined {
    return this.#waiting[0];
  }

  /** The first put with items that are not being written. */
  get firstPut(): number {
    return this.#waiting.reduce((first, { pending }) => Math.min(first, pending.put), Infinity);
  }

  push(pending: PendingItem, isDoubtful: boolean): void {
    const bytes = bytesOf(pending.item);
    this.#waiting.push({ number: ++this.#numbers, pending, bytes, isDoubtful });
    this.#bytes += bytes;
  }

  /** The number of the last entry with rows of the scope; undefined if there is none. */
  lastIn(scope: ReadScope | undefined): number | undefined {
    const isInScope = ({ pending }: Entry) => isIn(scope, pending.item);
    return (this.#waiting.findLast(isInScope) ?? this.#writing.findLast(isInScope))?.number;
  }

  /** The number of the last entry with rows of the scope that is being written; undefined if there is none. */
  lastWrittenIn(scope: ReadScope | undefined): number | undefined {
    return this.#writing.findLast(({ pending }) => isIn(scope, pending.item))?.number;
  }

  /** The profiles of the scope that wait, without those that are being written. */
  profilesIn(scope: ReadScope | undefined): WaitingProfile[] {
    return this.#waitingIn(scope).flatMap(profilesOf);
  }

  /** The uploads of the scope whose rows wait. */
  itemsIn(scope: ReadScope | undefined): BatchItem[] {
    return this.#waitingIn(scope).map(({ item }) => item);
  }

  #waitingIn(scope: ReadScope | undefined): PendingItem[] {
    return this.#waiting.flatMap(({ pending }) => (isIn(scope, pending.item) ? [pending] : []));
  }

  /** The stacks and frames of uploads whose rows wait or are being written. */
  definitionsOf(orgId: string, stackIds: BigUint64Array): WaitingDefinitions {
    const items = [...this.#writing, ...this.#waiting].map(({ pending }) => pending.item);
    const ofOrg = items.filter((item) => item.orgId === orgId);
    return readDefinitions(
      ofOrg.map(({ rows }) => rows),
      stackIds,
    );
  }

  /** Batches that were taken. */
  get batches(): number {
    return this.#batches;
  }

  /** Takes all that is left, for good. */
  drain(): readonly PendingItem[] {
    return this.#waiting.splice(0).map(({ pending }) => pending);
  }

  /** The next batch. It counts as being written until `finish`. */
  take(): readonly Entry[] {
    let taken = 0;
    let count = 0;
    for (const { bytes } of this.#waiting) {
      taken += bytes;
      if (count > 0 && taken > batchBytesMax) break;
      count++;
    }
    this.#batches++;
    this.#writing = this.#waiting.splice(0, count);
    return this.#writing;
  }

  finish(): void {
    for (const { bytes } of this.#writing) this.#bytes -= bytes;
    this.#writing = [];
  }
}

const profilesOfItems = new WeakMap<PendingItem, WaitingProfile[]>();

/** Lists ask again and again. */
function profilesOf(pending: PendingItem): WaitingProfile[] {
  const { profiles } = pending.item.rows;
  const found = profilesOfItems.get(pending) ?? (profiles === undefined ? [] : readProfiles(profiles));
  profilesOfItems.set(pending, found);
  return found;
}

function isIn(scope: ReadScope | undefined, { orgId, service, hours }: BatchItem): boolean {
  if (scope === undefined) return true;
  const { firstHour = 0, lastHour = Number.MAX_SAFE_INTEGER } = scope;
  return (
    scope.orgId === orgId &&
    (scope.service === undefined || scope.service === service) &&
    hours.some((hour) => hour >= firstHour && hour <= lastHour)
  );
}
