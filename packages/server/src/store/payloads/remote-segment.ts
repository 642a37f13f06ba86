import { readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { markOf, type SegmentMark } from "./record.ts";
import { ignoreDamage, SealedSegment, type StoredRecord } from "./sealed-segment.ts";
import {
  type FoundRecord,
  indexPathOf,
  RecordDamaged,
  type RecordSource,
  readPlace,
  readRecord,
  scan,
  syncFolder,
  writeIndex,
} from "./segment-file.ts";
import { decodeOffsets, encodeIndex, type RecordOffsets, type SegmentSummary } from "./segment-index.ts";
import type { SegmentObjects } from "./segment-objects.ts";

/** Where its records are is not known. Object storage has the index too. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}

/**
 * A segment whose bytes are in object storage; its index is in the data folder. Calls that change it must not overlap.
 */
export class RemoteSegment {
  /** Of its file, if it were here. */
  readonly path: string;
  readonly lastPut = 0;
  readonly #mark: SegmentMark;
  readonly #objects: SegmentObjects;
  #summary: SegmentSummary;
  #offsets: WeakRef<RecordOffsets> | undefined;

  constructor(path: string, summary: SegmentSummary, objects: SegmentObjects) {
    this.path = path;
    this.#mark = markOf(path);
    this.#summary = summary;
    this.#objects = objects;
  }

  get summary(): SegmentSummary {
    return this.#summary;
  }

  get hasIndex(): boolean {
    return this.#summary.isUnconfirmed !== true;
  }

  /** Only whole segments with content are moved. */
  get canDropContent(): boolean {
    return this.hasIndex;
  }

  /** To be called once the rows of all its records are stored. */
  async writeIndex(): Promise<void> {
    if (!this.hasIndex) await this.#replaceIndex({ ...this.#summary, isUnconfirmed: false });
  }

  covers(second: number): boolean {
    return this.#summary.firstSecond <= second && second <= this.#summary.lastSecond;
  }

  /** In the order in which they were written. */
  async *records(): AsyncGenerator<StoredRecord> {
    const path = await this.#objects.fetch(this.path);
    const copy = new SealedSegment(path, this.#summary, await this.#loadOffsets());
    try {
      for await (const { orgKey, profileId, read } of copy.records()) {
        const readAnywhere = () =>
          read().catch((error: unknown) => {
            if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
            return this.read(orgKey, profileId).catch(ignoreDamage);
          });
        yield { orgKey, profileId, read: readAnywhere };
      }
    } finally {
      await this.#objects.keep(path);
    }
  }

  /** Its index lists only records that were not removed. Asks object storage nothing: an upload waits for it. */
  async has(_orgKey: string, profileId: string): Promise<boolean> {
    return (await this.#loadOffsets()).find(profileId).length > 0;
  }

  /** Throws RecordDamaged if the record is in here and cannot be read. */
  async read(orgKey: string, profileId: string): Promise<FoundRecord | undefined> {
    const offsets = await this.#loadOffsets();
    let isDamaged = false;
    for (const offset of offsets.find(profileId)) {
      const end = offsets.endOf(offset, this.#summary.bytes);
      const bytes = await this.#objects.read(this.path, offset, end - offset);
      const source = sourceOf(bytes, offset);
      const place = await readPlace(source, offset, this.#mark);
      isDamaged ||= place === undefined;
      if (place?.header.profileId === profileId && place.header.orgKey === orgKey)
        return readRecord(source, place);
    }
    if (isDamaged) throw new RecordDamaged("the header of its record in object storage is damaged");
    return undefined;
  }

  /** Overwrites these records. Returns whether others are left. */
  async remove(orgKey: string, profileIds: readonly string[]): Promise<boolean> {
    const offsets = await this.#loadOffsets();
    const ids = profileIds.filter((id) => offsets.find(id).length > 0);
    return ids.length === 0 || this.#rewrite((copy) => copy.remove(orgKey, ids));
  }

  /** As `remove`, the records of the organization that began before this second. */
  async removeAllOf(orgKey: string, beforeSecond: number): Promise<boolean> {
    const { orgKeys, firstSecond } = this.#summary;
    if (!orgKeys.includes(orgKey) || firstSecond >= beforeSecond) return true;
    return this.#rewrite((copy) => copy.removeSomeOf(orgKey, beforeSecond, Number.POSITIVE_INFINITY));
  }

  /** Puts its file without the content of the records into the data folder. Its object is to be removed then. */
  async bringBackWithoutContent(): Promise<SealedSegment> {
    const path = await this.#objects.fetch(this.path);
    try {
      const copy = new SealedSegment(path, this.#summary, await this.#loadOffsets());
      await copy.compact(true);
      const offsets = decodeOffsets(await copy.encodedIndex());
      await rename(path, this.path);
      await syncFolder(dirname(this.path));
      return new SealedSegment(this.path, copy.summary, offsets);
    } finally {
      await this.#objects.release(path);
    }
  }

  async #rewrite(change: (copy: SealedSegment) => Promise<unknown>): Promise<boolean> {
    const path = await this.#objects.fetch(this.path);
    try {
      await change(new SealedSegment(path, this.#summary, await this.#loadOffsets()));
      // Also what an interrupted call removed.
      const { summary, offsets } = scan(path);
      if (summary.removedBytes === summary.bytes) return false;
      const { isUnconfirmed } = this.#summary;
      const next = { ...summary, hasObject: true, ...(isUnconfirmed && { isUnconfirmed }) };
      if (summary.removedBytes > this.#summary.removedBytes)
        await this.#objects.put(this.path, path, encodeIndex(next, offsets));
      await this.#replaceIndex(next, offsets);
      return true;
    } finally {
      await this.#objects.release(path);
    }
  }

  /** The former one stays until the new one takes its place: nothing else refers to the object. */
  async #replaceIndex(summary: SegmentSummary, offsets?: RecordOffsets): Promise<void> {
    const next = offsets ?? (await this.#loadOffsets());
    await writeIndex(this.path, summary, next);
    this.#summary = summary;
    this.#offsets = new WeakRef(next);
  }

  async #loadOffsets(): Promise<RecordOffsets> {
    const loaded = this.#offsets?.deref();
    if (loaded !== undefined) return loaded;
    const offsets = decodeOffsets(await readFile(indexPathOf(this.path)));
    if (offsets === undefined) throw new IndexDamaged("its index is damaged");
    this.#offsets = new WeakRef(offsets);
    return offsets;
  }
}

/** Bytes of a segment that begin at this position. */
function sourceOf(bytes: Buffer, position: number): RecordSource {
  return {
    async read(buffer, at, length, from) {
      return { bytesRead: bytes.copy(buffer, at, from - position, from - position + length) };
    },
  };
}
