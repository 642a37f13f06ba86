import { hourMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import type { ObjectStore } from "#store/objects/object-store.ts";
import type { MovedOriginals } from "./payload-store.ts";
import { ObjectsAway, SegmentObjects } from "./segment-objects.ts";
import type { UploadDay } from "./upload-day.ts";

/** Where files of the log go that were not written for a while. */
export interface ObjectsForOriginals {
  readonly store: ObjectStore;
  readonly localHours: number;
}

/** Moves files of the upload log into object storage, the oldest days first. */
export class ObjectMoves {
  readonly objects: SegmentObjects;
  readonly #localMs: number;
  readonly #log: StoreLog;
  #waitingBytes = 0;
  #movedBytes = 0;

  constructor({ store, localHours }: ObjectsForOriginals, dataDir: string, log: StoreLog) {
    this.objects = new SegmentObjects(store, dataDir);
    this.#localMs = localHours * hourMs;
    this.#log = log;
  }

  get state(): MovedOriginals {
    const { url, fault } = this.objects;
    return { url, fault, bytes: this.#movedBytes, waitingBytes: this.#waitingBytes };
  }

  /** Throws ObjectsAway. A fault of one day's files does not affect other days; the first one is thrown at the end. */
  async run(days: readonly UploadDay[], stopped?: AbortSignal): Promise<void> {
    const beforeMs = Date.now() - this.#localMs;
    const waiting = new Map<UploadDay, number>();
    const count = () => {
      this.#waitingBytes = [...waiting.values()].reduce((sum, bytes) => sum + bytes, 0);
      this.#movedBytes = days.reduce((sum, { movedBytes }) => sum + movedBytes, 0);
    };
    for (const day of days) waiting.set(day, await day.bytesToMove(beforeMs));
    count();
    await this.objects.probe();
    const faults: unknown[] = [];
    let files = 0;
    for (const day of days) {
      try {
        while (!stopped?.aborted && (await day.moveOne(beforeMs))) {
          files++;
          waiting.set(day, await day.bytesToMove(beforeMs));
          count();
        }
      } catch (error) {
        if (error instanceof ObjectsAway) throw error;
        faults.push(error);
      }
    }
    if (files > 0)
      this.#log.info({ files, url: this.objects.url }, "moved files of uploads to object storage");
    if (faults.length > 0) throw faults[0];
  }
}
