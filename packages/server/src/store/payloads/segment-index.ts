import { crc32 } from "node:zlib";
import { startSecondsOf } from "#store/profiles/profile-id.ts";

/** A description of a segment, for which its records need not be read. */
export interface SegmentSummary {
  /** The size of the whole file. With another size this index is not the file's. */
  readonly bytes: number;
  readonly removedBytes: number;
  /** Bytes that belong to no intact record. */
  readonly damagedBytes: number;
  /** When the first and the last of the profiles began (Unix seconds): no other profile is in here. */
  readonly firstSecond: number;
  readonly lastSecond: number;
  /** As `orgKeyOf` makes them. */
  readonly orgKeys: readonly string[];
  /** The records have no content any more. */
  readonly isDropped?: boolean;
  /** There may be an object with these bytes; if the file is gone, there is. */
  readonly hasObject?: boolean;
  /** Rows of its records may be missing, although there is an index. */
  readonly isUnconfirmed?: boolean;
}

const lineEnd = 10;

/**
 * The records of a segment that is not written any more, by eight bytes of the hash in their profile's id. Takes 12 bytes
 * for each record.
 */
export class RecordOffsets {
  readonly #keys: BigUint64Array;
  readonly #offsets: Uint32Array;

  constructor(keys: BigUint64Array, offsets: Uint32Array) {
    this.#keys = keys;
    this.#offsets = offsets;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** @param records the profile's id and the offset of each */
  static of(records: Iterable<readonly [string, number]>): RecordOffsets {
    const sorted = Array.from(records, ([id, offset]) => [keyOf(id), offset] as const);
    sorted.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return new RecordOffsets(
      BigUint64Array.from(sorted, ([key]) => key),
      Uint32Array.from(sorted, ([, offset]) => offset),
    );
  }

  /** Where the record may be; other profiles may have the same eight bytes. */
  find(profileId: string): readonly number[] {
    const key = keyOf(profileId);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let i = low; this.#keys[i] === key; i++) found.push(this.#offsets[i]!);
    return found;
  }

  all(): readonly number[] {
    return [...this.#offsets].sort((a, b) => a - b);
  }

  /** Where the record at this offset ends at the latest. */
  endOf(offset: number, bytes: number): number {
    return this.#offsets.reduce((end, other) => (other > offset && other < end ? other : end), bytes);
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#offsets.byteLength;
  }

  /** Keys, then offsets. */
  toBytes(): Buffer {
    return Buffer.concat([bytesOf(this.#keys), bytesOf(this.#offsets)]);
  }
}

/** The index of a segment, a second file: one line of JSON and its checksum, then the offsets. */
export function encodeIndex(summary: SegmentSummary, offsets: RecordOffsets): Buffer {
  const body = offsets.toBytes();
  const line = JSON.stringify({ ...summary, version: 1, records: body.length / 12, sum: crc32(body) });
  return Buffer.concat([Buffer.from(`${line} ${sumOf(line)}\n`), body]);
}

interface FirstLine extends SegmentSummary {
  readonly version: number;
  readonly records: number;
  readonly sum: number;
}

/** The first line of an index; undefined if it is damaged or of another version: then the segment is read instead. */
export function decodeSummary(file: Buffer): FirstLine | undefined {
  try {
    const line = file.toString("utf8", 0, file.indexOf(lineEnd));
    const end = line.lastIndexOf(" ");
    if (line.slice(end + 1) !== sumOf(line.slice(0, end))) return undefined;
    const summary = JSON.parse(line.slice(0, end)) as FirstLine;
    return summary.version === 1 ? summary : undefined;
  } catch {
    return undefined;
  }
}

/** The offsets of a whole index, as `decodeSummary`. */
export function decodeOffsets(file: Buffer): RecordOffsets | undefined {
  const line = decodeSummary(file);
  const body = file.subarray(file.indexOf(lineEnd) + 1);
  if (line === undefined || body.length !== 12 * line.records || crc32(body) !== line.sum) return undefined;
  const { buffer } = Uint8Array.from(body);
  const offsets = new Uint32Array(buffer.slice(8 * line.records));
  return new RecordOffsets(new BigUint64Array(buffer, 0, line.records), offsets);
}

function sumOf(line: string): string {
  return crc32(line).toString(16);
}

/** The summary of a file with intact records of these profiles. */
export function summaryOf(
  bytes: number,
  profileIds: Iterable<string>,
  orgKeys: Iterable<string>,
): SegmentSummary {
  // A range that contains nothing if there are none.
  let firstSecond = Number.MAX_SAFE_INTEGER;
  let lastSecond = -1;
  for (const id of profileIds) {
    const second = startSecondsOf(id) ?? 0;
    firstSecond = Math.min(firstSecond, second);
    lastSecond = Math.max(lastSecond, second);
  }
  return { bytes, removedBytes: 0, damagedBytes: 0, firstSecond, lastSecond, orgKeys: [...new Set(orgKeys)] };
}

function keyOf(profileId: string): bigint {
  return BigInt(`0x${profileId.slice(8, 24)}`);
}

function bytesOf({ buffer, byteOffset, byteLength }: BigUint64Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
