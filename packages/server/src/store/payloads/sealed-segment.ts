import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { startSecondsOf } from "#store/profiles/profile-id.ts";
import { headerBytes, markOf, removed, type SegmentMark, stateOffset } from "./record.ts";
import {
  bytesOf,
  copyOfRecord,
  type FoundRecord,
  indexPathOf,
  type Place,
  RecordDamaged,
  readPlace,
  readRecord,
  readSummary,
  scan,
  syncFolder,
  writeIndex,
} from "./segment-file.ts";
import {
  decodeOffsets,
  encodeIndex,
  RecordOffsets,
  type SegmentSummary,
  summaryOf,
} from "./segment-index.ts";

/** A record whose content was not read yet. */
export interface StoredRecord {
  /** As `orgKeyOf` makes it. */
  readonly orgKey: string;
  readonly profileId: string;
  /** Undefined if it is damaged. */
  read(): Promise<FoundRecord | undefined>;
}

/**
 * A segment that is only read, and from which records can be removed. Its index is written once the rows of all its records are
 * stored: a segment without one, as a kill leaves it, says whose rows may be missing.
 */
export class SealedSegment {
  readonly path: string;
  readonly #mark: SegmentMark;
  /** The number of the last put that wrote into it; 0 if an earlier process did. */
  readonly lastPut: number;
  #summary: SegmentSummary;
  /** Until the index is written. */
  #unwritten: RecordOffsets | undefined;
  #offsets: WeakRef<RecordOffsets> | undefined;

  constructor(path: string, summary: SegmentSummary, unwritten?: RecordOffsets, lastPut = 0) {
    this.path = path;
    this.#mark = markOf(path);
    this.lastPut = lastPut;
    this.#summary = summary;
    this.#unwritten = unwritten;
  }

  /** Reads the segment's index, or the segment itself if that is missing, as after a kill, or does not fit. */
  static async open(path: string): Promise<SealedSegment> {
    const { size } = await stat(path);
    const stored = await readSummary(indexPathOf(path)).catch(() => undefined);
    if (stored?.bytes === size && !stored.isUnconfirmed) return new SealedSegment(path, stored);
    const { summary, offsets } = scan(path);
    return new SealedSegment(path, { ...summary, ...(stored?.hasObject && { hasObject: true }) }, offsets);
  }

  get hasIndex(): boolean {
    return this.#unwritten === undefined;
  }

  /** To be called once the rows of all its records are stored. */
  async writeIndex(): Promise<void> {
    const offsets = this.#unwritten;
    if (offsets === undefined) return;
    // Without it the segment is read once more, so that an index that cannot be written prevents nothing.
    await writeIndex(this.path, this.#summary, offsets).catch(() => undefined);
    this.#offsets = new WeakRef(offsets);
    this.#unwritten = undefined;
  }

  /** Whether it may be in object storage: the rows of all its records are stored, and it has all of their bytes. */
  get canMove(): boolean {
    return this.canDropContent && this.#summary.removedBytes < this.#summary.bytes;
  }

  /** To be called before its object is stored. Resolves when the index says so, also after a power cut. */
  async noteObject(): Promise<void> {
    if (this.#summary.hasObject) return;
    const summary = { ...this.#summary, hasObject: true };
    await writeIndex(this.path, summary, await this.#loadOffsets());
    this.#summary = summary;
  }

  /** To be called when its object is removed. The index says so after the next change: until then there may be one. */
  forgetObject(): void {
    this.#summary = { ...this.#summary, hasObject: false };
  }

  /** As its file has it. */
  async encodedIndex(): Promise<Buffer> {
    return encodeIndex(this.#summary, await this.#loadOffsets());
  }

  /** In the order in which they were written. */
  async *records(): AsyncGenerator<StoredRecord> {
    await using file = await open(this.path, "r");
    for await (const place of this.#places(file)) {
      if (place === undefined || place.header.isRemoved) continue;
      const { orgKey, profileId } = place.header;
      const read = () => this.read(orgKey, profileId).catch(ignoreDamage);
      yield { orgKey, profileId, read };
    }
  }

  get summary(): SegmentSummary {
    return this.#summary;
  }

  /** Whether profiles that began in that second may be in here. */
  covers(second: number): boolean {
    return this.#summary.firstSecond <= second && second <= this.#summary.lastSecond;
  }

  /** Throws RecordDamaged if the record is in here and cannot be read. */
  async read(orgKey: string, profileId: string): Promise<FoundRecord | undefined> {
    return this.#withFile("r", async (file) => {
      const { places, isDamaged } = await this.#locate(file, orgKey, profileId);
      if (places.length === 0 && isDamaged) throw new RecordDamaged("the header of its record is damaged");
      return readRecord(file, places[0]);
    });
  }

  /** Also true if a record that cannot be read may be the one. */
  async has(orgKey: string, profileId: string): Promise<boolean> {
    if ((await this.#loadOffsets()).find(profileId).length === 0) return false;
    return this.#withFile("r", async (file) => {
      const { places, isDamaged } = await this.#locate(file, orgKey, profileId);
      return places.length > 0 || isDamaged;
    });
  }

  /** Overwrites these records. They can be removed again after an interruption. */
  async remove(orgKey: string, profileIds: readonly string[]): Promise<void> {
    const offsets = await this.#loadOffsets();
    const candidates = profileIds.filter((id) => offsets.find(id).length > 0);
    if (candidates.length === 0) return;
    await this.#withFile("r+", async (file) => {
      const places: Place[] = [];
      let isDamaged = this.#summary.damagedBytes > 0;
      for (const id of candidates) {
        const located = await this.#locate(file, orgKey, id);
        places.push(...located.places);
        isDamaged ||= located.isDamaged;
      }
      if (isDamaged) await this.#overwriteDamaged(file);
      await this.#overwrite(file, places, this.#summary.orgKeys);
    });
  }

  /** Overwrites at most `recordsMax` records of the organization that began before this second; returns whether there may be more. */
  async removeSomeOf(orgKey: string, beforeSecond: number, recordsMax: number): Promise<boolean> {
    if (!this.#summary.orgKeys.includes(orgKey) || this.#summary.firstSecond >= beforeSecond) return false;
    return this.#withFile("r+", async (file) => {
      const places: Place[] = [];
      let isDamaged = this.#summary.damagedBytes > 0;
      let keepsSome = false;
      for await (const place of this.#places(file)) {
        if (places.length === recordsMax) break;
        isDamaged ||= place === undefined;
        if (place?.header.orgKey !== orgKey || place.header.isRemoved) continue;
        if ((startSecondsOf(place.header.profileId) ?? 0) < beforeSecond) places.push(place);
        else keepsSome = true;
      }
      if (isDamaged) await this.#overwriteDamaged(file);
      const hasMore = places.length === recordsMax;
      const others = this.#summary.orgKeys.filter((other) => other !== orgKey);
      await this.#overwrite(file, places, hasMore || keepsSome ? this.#summary.orgKeys : others);
      return hasMore;
    });
  }

  /** Whether the rows of all its records are stored, and the records have content. A damaged segment keeps all it has. */
  get canDropContent(): boolean {
    const { isDropped, damagedBytes } = this.#summary;
    return this.hasIndex && !isDropped && damagedBytes === 0;
  }

  /** Writes the remaining records to a new file, which takes the place of this one. */
  async compact(isDropped = this.#summary.isDropped ?? false): Promise<void> {
    const next = `${this.path}.new`;
    const kept: [string, number][] = [];
    const orgKeys = new Set<string>();
    let bytes = 0;
    try {
      await this.#withFile("r", async (file) => {
        await using to = await open(next, "w", 0o600);
        for await (const place of this.#places(file)) {
          if (place === undefined && isDropped) throw new RecordDamaged("the header of a record is damaged");
          if (place === undefined || place.header.isRemoved) continue;
          const record = await copyOfRecord(file, place, { isDropped, mark: this.#mark });
          await to.writeFile(record);
          kept.push([place.header.profileId, bytes]);
          orgKeys.add(place.header.orgKey);
          bytes += record.length;
        }
        await to.datasync();
      });
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
    const ids = kept.map(([profileId]) => profileId);
    await rename(next, this.path);
    await syncFolder(dirname(this.path));
    const { hasObject } = this.#summary;
    const facts = { ...(hasObject && { hasObject }), ...(isDropped && { isDropped }) };
    const summary = { ...summaryOf(bytes, ids, orgKeys), ...facts };
    await this.#replaceIndex(summary, RecordOffsets.of(kept));
  }

  /** Bytes that belong to no record may be of an organization whose uploads are removed. Nobody can read them. */
  async #overwriteDamaged(file: FileHandle): Promise<void> {
    let at = 0;
    const overwriteUntil = async (end: number) => {
      if (end > at) await file.write(new Uint8Array(end - at), 0, undefined, at);
    };
    for await (const place of this.#places(file)) {
      if (place === undefined) continue;
      await overwriteUntil(place.offset);
      at = place.offset + place.header.recordBytes;
    }
    await overwriteUntil(this.#summary.bytes);
  }

  /** All records, in the order in which they were written; undefined for one whose header is damaged. */
  async *#places(file: FileHandle): AsyncGenerator<Place | undefined> {
    for (const offset of (await this.#loadOffsets()).all()) yield readPlace(file, offset, this.#mark);
  }

  async #overwrite(file: FileHandle, places: readonly Place[], orgKeys: readonly string[]): Promise<void> {
    if (places.length === 0 && orgKeys.length === this.#summary.orgKeys.length) return;
    for (const { offset, header } of places) {
      await file.write(new Uint8Array(header.recordBytes - headerBytes), 0, undefined, offset + headerBytes);
    }
    // Until its content is gone, a record must be found: an interrupted removal begins again.
    await file.datasync();
    for (const { offset } of places) await file.write(Uint8Array.of(removed), 0, 1, offset + stateOffset);
    await file.datasync();
    const summary = {
      ...this.#summary,
      orgKeys,
      removedBytes: this.#summary.removedBytes + bytesOf(places),
    };
    await this.#replaceIndex(summary, await this.#loadOffsets());
  }

  async #replaceIndex(summary: SegmentSummary, offsets: RecordOffsets): Promise<void> {
    await rm(indexPathOf(this.path), { force: true });
    const isWritten = this.hasIndex;
    this.#summary = summary;
    this.#unwritten = offsets;
    if (isWritten) await this.writeIndex();
  }

  /** More than one where a failed append was repeated. `isDamaged`: another record may be of this profile. */
  async #locate(
    file: FileHandle,
    orgKey: string,
    profileId: string,
  ): Promise<{ readonly places: readonly Place[]; readonly isDamaged: boolean }> {
    const places: Place[] = [];
    let isDamaged = false;
    for (const offset of (await this.#loadOffsets()).find(profileId)) {
      const place = await readPlace(file, offset, this.#mark);
      const header = place?.header;
      isDamaged ||= header === undefined;
      if (
        place !== undefined &&
        header?.profileId === profileId &&
        header.orgKey === orgKey &&
        !header.isRemoved
      ) {
        places.push(place);
      }
    }
    return { places, isDamaged };
  }

  async #loadOffsets(): Promise<RecordOffsets> {
    const loaded = this.#unwritten ?? this.#offsets?.deref();
    if (loaded !== undefined) return loaded;
    const stored = await readFile(indexPathOf(this.path)).then(decodeOffsets, () => undefined);
    const offsets = stored ?? scan(this.path).offsets;
    this.#offsets = new WeakRef(offsets);
    return offsets;
  }

  async #withFile<T>(flags: "r" | "r+", use: (file: FileHandle) => Promise<T>): Promise<T> {
    await using file = await open(this.path, flags);
    return await use(file);
  }
}

export function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof RecordDamaged)) throw error;
}
