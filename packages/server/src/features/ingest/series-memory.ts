import { cumulativeRow } from "./cumulative-row.ts";
import type { Counters } from "./delta.ts";
import { type Cumulative, type Series, seriesKey } from "./encoded.ts";
import type { SnapshotFate } from "./snapshot-fate.ts";
import { dayMs } from "./started-at.ts";

/** The snapshot of a series that the next one is compared with. */
export interface Latest {
  readonly startedAtMs: number;
  /** All sample types, as `Cumulative.shown`. */
  readonly shown: Counters;
}

export type FindLatest = (series: Series, from: Date) => Promise<Latest | undefined>;

const bytesMax = 64 * 1024 * 1024;
const lookBackMs = dayMs;

/**
 * Turns snapshots of counters into what each adds. Remembers the latest of each series within bounds; what it
 * does not remember it asks for, so that neither a restart nor a full memory loses the thread.
 */
export class SeriesMemory {
  readonly #find: FindLatest;
  readonly #latest = new Map<string, Promise<Latest | undefined>>();
  readonly #bytes = new Map<string, number>();
  readonly #fates = new Map<string, SnapshotFate>();
  #bytesUsed = 0;

  constructor(find: FindLatest) {
    this.#find = find;
  }

  /**
   * The snapshot's row of `profiles`. Snapshots of one series take turns in the order of the calls.
   *
   * @param fate of this snapshot, to be lost where it is not stored
   */
  async rowOf(snapshot: Cumulative, startedAtMs: number, fate: SnapshotFate): Promise<Buffer> {
    const key = seriesKey(snapshot.series);
    if (this.#fates.get(key)?.isLost) this.#forget(key);
    fate.buildOn(this.#fates.get(key));
    const before = this.#latest.get(key) ?? this.#find(snapshot.series, new Date(startedAtMs - lookBackMs));
    const later: Latest = { startedAtMs, shown: snapshot.shown };
    const after = before.then((latest) => (isLate(later, latest) ? latest : later));
    this.#remember(key, after);
    this.#fates.set(key, fate);
    const latest = await before.catch((error: unknown) => {
      this.#forget(key);
      throw error;
    });
    // What a late one shows was counted by those that came before it.
    return cumulativeRow(snapshot, isLate(later, latest) ? snapshot.shown : latest?.shown);
  }

  /** After something that was compared with was not stored. */
  clear(): void {
    for (const key of this.#latest.keys()) this.#forget(key);
  }

  #remember(key: string, after: Promise<Latest | undefined>): void {
    this.#latest.delete(key);
    this.#latest.set(key, after);
    after.then(
      (latest) => {
        if (this.#latest.get(key) !== after) return;
        this.#resize(key, latest === undefined ? 0 : sizeOf(latest.shown));
        while (this.#bytesUsed > bytesMax) this.#forget(this.#latest.keys().next().value!);
      },
      () => undefined,
    );
  }

  #forget(key: string): void {
    this.#latest.delete(key);
    this.#resize(key, 0);
    this.#bytes.delete(key);
    this.#fates.delete(key);
  }

  #resize(key: string, bytes: number): void {
    this.#bytesUsed += bytes - (this.#bytes.get(key) ?? 0);
    this.#bytes.set(key, bytes);
  }
}

function isLate(later: Latest, latest: Latest | undefined): boolean {
  return latest !== undefined && latest.startedAtMs >= later.startedAtMs;
}

const entryBytes = 1024;

function sizeOf({ ids, values }: Counters): number {
  return entryBytes + ids.byteLength * (1 + values.length);
}
