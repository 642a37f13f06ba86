import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeRecord, markOf, orgKeyOf, type SegmentMark, type UploadRecord } from "./record.ts";
import { SealedSegment } from "./sealed-segment.ts";
import { type FoundRecord, readPlace, readRecord, syncFolder } from "./segment-file.ts";
import { RecordOffsets, summaryOf } from "./segment-index.ts";

/** Most buffers of one call that the system takes. */
const buffersPerWrite = 900;

/** The file was deleted or replaced by another program. */
export class SegmentLost extends Error {
  override readonly name = "SegmentLost";
}

/**
 * The segment that a day's uploads are appended to. A failed append leaves what was there before; the caller goes on with
 * another segment.
 */
export class OpenSegment {
  readonly path: string;
  readonly createdMs = Date.now();
  readonly #mark: SegmentMark;
  readonly #file: FileHandle;
  readonly #inode: bigint;
  /** The offset of each record, by organization and profile. */
  readonly #offsets = new Map<string, Map<string, number>>();
  #bytes = 0;
  #lastPut = 0;

  private constructor(path: string, file: FileHandle, inode: bigint) {
    this.path = path;
    this.#mark = markOf(path);
    this.#file = file;
    this.#inode = inode;
  }

  /** Creates the file. It exists after a power cut too. */
  static async create(path: string): Promise<OpenSegment> {
    const file = await open(path, "wx+", 0o600);
    await syncFolder(dirname(path));
    return new OpenSegment(path, file, (await file.stat({ bigint: true })).ino);
  }

  /** The number of the last put that wrote into it. */
  get lastPut(): number {
    return this.#lastPut;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the records are on disk. */
  async append(records: readonly UploadRecord[], put: number): Promise<void> {
    // Also if it fails: parts of it may be there.
    this.#lastPut = put;
    const parts: Uint8Array[][] = [];
    for (const record of records) parts.push(await encodeRecord(record, this.#mark));
    await this.#write(parts.flat());
    await this.#file.datasync();
    const { ino } = await stat(this.path, { bigint: true }).catch(() => ({ ino: undefined }));
    if (ino !== this.#inode) throw new SegmentLost(`${this.path} was deleted or replaced`);
    for (const [index, { orgId, profileId }] of records.entries()) {
      const orgKey = orgKeyOf(orgId);
      const ofOrg = this.#offsets.get(orgKey) ?? new Map<string, number>();
      this.#offsets.set(orgKey, ofOrg.set(profileId, this.#bytes));
      for (const part of parts[index]!) this.#bytes += part.length;
    }
  }

  has(orgKey: string, profileId: string): boolean {
    return this.#offsets.get(orgKey)?.has(profileId) === true;
  }

  /** Throws RecordDamaged if the record is in here and cannot be read. */
  async read(orgKey: string, profileId: string): Promise<FoundRecord | undefined> {
    const offset = this.#offsets.get(orgKey)?.get(profileId);
    return offset === undefined
      ? undefined
      : readRecord(this.#file, await readPlace(this.#file, offset, this.#mark));
  }

  /** Ends writing. The remains of a failed append are cut off. */
  async seal(): Promise<SealedSegment> {
    // A file that cannot be cut has bytes at its end that belong to no record.
    await this.#file.truncate(this.#bytes).catch(() => undefined);
    await this.#file.close();
    const records = [...this.#offsets.values()].flatMap((ofOrg) => [...ofOrg]);
    const ids = records.map(([profileId]) => profileId);
    const summary = summaryOf(this.#bytes, ids, this.#offsets.keys());
    return new SealedSegment(this.path, summary, RecordOffsets.of(records), this.#lastPut);
  }

  async #write(buffers: readonly Uint8Array[]): Promise<void> {
    let place = this.#bytes;
    for (let first = 0; first < buffers.length; first += buffersPerWrite) {
      const some = buffers.slice(first, first + buffersPerWrite);
      const bytes = some.reduce((sum, { length }) => sum + length, 0);
      const { bytesWritten } = await this.#file.writev(some, place);
      // The system may write less than it was given.
      for (let written = bytesWritten; written < bytes; ) {
        const rest = Buffer.concat(some).subarray(written);
        written += (await this.#file.write(rest, 0, rest.length, place + written)).bytesWritten;
      }
      place += bytes;
    }
  }
}
