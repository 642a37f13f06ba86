/** Reading and describing one file of records. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  decodeHeader,
  headerBytes,
  isIntact,
  isIntactInSteps,
  markOf,
  nextHeader,
  type RecordFacts,
  type RecordHeader,
  recordWithoutContent,
  type SegmentMark,
} from "./record.ts";
import {
  decodeOffsets,
  decodeSummary,
  encodeIndex,
  RecordOffsets,
  type SegmentSummary,
  summaryOf,
} from "./segment-index.ts";

/** In the data folder. */
export const uploadsFolder = "uploads";
const scanBytes = 1024 * 1024;

export interface FoundRecord {
  readonly facts: RecordFacts;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface Place {
  readonly offset: number;
  readonly header: RecordHeader;
}

/** The file ends before the record does, or has other bytes than those written. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
}

/** A file, or bytes that were fetched. */
export type RecordSource = {
  read(buffer: Buffer, at: number, bytes: number, position: number): Promise<{ readonly bytesRead: number }>;
};

export function indexPathOf(path: string): string {
  return `${path}.index`;
}

/** The next start looks through all segments, and makes the rows again that are missing. No server may use the folder meanwhile. */
export async function forgetIndexes(uploads: string): Promise<void> {
  // Without the folder there are no uploads.
  const names = existsSync(uploads) ? await readdir(uploads, { recursive: true }) : [];
  for (const name of names.filter((each) => each.endsWith(indexPathOf("")))) {
    const index = await readFile(join(uploads, name));
    const [summary, offsets] = [decodeSummary(index), decodeOffsets(index)];
    const segment = join(uploads, name.slice(0, -indexPathOf("").length));
    // Without its index nothing would refer to the object.
    if (summary?.hasObject && offsets !== undefined)
      await writeIndex(segment, { ...summary, isUnconfirmed: true }, offsets);
    else if (existsSync(segment)) await rm(join(uploads, name));
  }
}

/** Summaries of the segments in a folder of uploads whose bytes are in object storage only. */
export async function* segmentsElsewhere(uploads: string): AsyncGenerator<SegmentSummary> {
  // The caller opens the folder later, and says why it cannot be read.
  const names = new Set(await readdir(uploads, { recursive: true }).catch(() => []));
  for (const name of names) {
    if (!name.endsWith(indexPathOf("")) || names.has(name.slice(0, -indexPathOf("").length))) continue;
    const summary = await readSummary(join(uploads, name)).catch(() => undefined);
    if (summary?.hasObject) yield summary;
  }
}

/** Enough for the first line of most indexes. */
const summaryBytes = 64 * 1024;

export async function readSummary(index: string): Promise<SegmentSummary | undefined> {
  await using file = await open(index, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(summaryBytes), 0, summaryBytes, 0);
  return decodeSummary(buffer.subarray(0, bytesRead)) ?? decodeSummary(await readFile(index));
}

export async function writeIndex(
  path: string,
  summary: SegmentSummary,
  offsets: RecordOffsets,
): Promise<void> {
  const next = `${indexPathOf(path)}.new`;
  {
    await using file = await open(next, "w", 0o600);
    await file.writeFile(encodeIndex(summary, offsets));
    await file.datasync();
  }
  await rename(next, indexPathOf(path));
  if (summary.hasObject) await syncFolder(dirname(path));
}

/** Makes new names in the folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

async function readExactly(file: RecordSource, offset: number, bytes: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  // Node refuses to read into an empty buffer.
  if (bytes === 0) return buffer;
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  if (bytesRead < bytes) throw new RecordDamaged(`the file ends within the record at byte ${offset}`);
  return buffer;
}

export async function readPlace(
  file: RecordSource,
  offset: number,
  mark: SegmentMark,
): Promise<Place | undefined> {
  const header = decodeHeader(await readExactly(file, offset, headerBytes), mark);
  return header && { offset, header };
}

export async function readRecord(
  file: RecordSource,
  place: Place | undefined,
): Promise<FoundRecord | undefined> {
  if (place === undefined || place.header.isRemoved) return undefined;
  const { offset, header } = place;
  const facts = await readExactly(file, offset + headerBytes, header.factsBytes);
  // In separate memory, which can move to a thread.
  const content = await readExactly(file, offset + headerBytes + header.factsBytes, header.contentBytes);
  if (!(await isIntactInSteps(header, facts, content))) {
    throw new RecordDamaged(`the checksum of the record at byte ${offset} is wrong`);
  }
  return {
    facts: JSON.parse(facts.toString()) as RecordFacts,
    content: new Uint8Array(content.buffer, content.byteOffset, content.length),
  };
}

/** The bytes of a record, or of what stays of it without its content. */
export async function copyOfRecord(
  file: FileHandle,
  { offset, header }: Place,
  { isDropped, mark }: { readonly isDropped: boolean; readonly mark: SegmentMark },
): Promise<Buffer> {
  if (!isDropped) return readExactly(file, offset, header.recordBytes);
  const head = await readExactly(file, offset, headerBytes + header.factsBytes);
  return recordWithoutContent(head.subarray(0, headerBytes), typeIn(head.subarray(headerBytes)), mark);
}

/** The checksum of damaged facts is that of the content too, which is not read. */
function typeIn(facts: Buffer): string | undefined {
  try {
    return (JSON.parse(facts.toString()) as RecordFacts).type;
  } catch {
    return undefined;
  }
}

/**
 * Reads a whole segment: after a kill its index is missing. Bytes that belong to no record count as damaged, as the end of a record
 * that was being written is. A damaged record before intact ones is kept, so that its profile is known to be stored.
 */
export function scan(path: string): { summary: SegmentSummary; offsets: RecordOffsets } {
  const file = openSync(path, "r");
  try {
    const bytes = fstatSync(file).size;
    const places = readPlaces(file, bytes, markOf(path));
    while (places.length > 0 && !isWhole(file, places.at(-1)!)) places.pop();
    const live = places.filter(({ header }) => !header.isRemoved);
    const [ids, orgKeys] = [
      live.map(({ header }) => header.profileId),
      live.map(({ header }) => header.orgKey),
    ];
    return {
      summary: {
        ...summaryOf(bytes, ids, orgKeys),
        removedBytes: bytesOf(places) - bytesOf(live),
        damagedBytes: bytes - bytesOf(places),
      },
      offsets: RecordOffsets.of(live.map(({ offset, header }) => [header.profileId, offset])),
    };
  } finally {
    closeSync(file);
  }
}

export function bytesOf(places: readonly Place[]): number {
  return places.reduce((sum, { header }) => sum + header.recordBytes, 0);
}

function readPlaces(file: number, bytes: number, mark: SegmentMark): Place[] {
  const places: Place[] = [];
  const header = Buffer.alloc(headerBytes);
  for (let offset = 0; offset + headerBytes <= bytes; ) {
    readSync(file, header, 0, headerBytes, offset);
    const decoded = decodeHeader(header, mark);
    if (decoded === undefined) offset = findHeader(file, offset + 1, bytes, mark);
    else {
      if (offset + decoded.recordBytes <= bytes) places.push({ offset, header: decoded });
      offset += decoded.recordBytes;
    }
  }
  return places;
}

/** Where the next header is; the end of the file if there is none. */
function findHeader(file: number, from: number, bytes: number, mark: SegmentMark): number {
  const window = Buffer.alloc(scanBytes);
  for (let start = from; start < bytes; start += scanBytes - headerBytes) {
    const found = nextHeader(window.subarray(0, readSync(file, window, 0, scanBytes, start)), 0, mark);
    if (found >= 0) return start + found;
  }
  return bytes;
}

function isWhole(file: number, { offset, header }: Place): boolean {
  if (header.isRemoved) return true;
  const data = Buffer.allocUnsafe(header.recordBytes - headerBytes);
  readSync(file, data, 0, data.length, offset + headerBytes);
  return isIntact(header, data.subarray(0, header.factsBytes), data.subarray(header.factsBytes));
}
