import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";

/**
 * A record of the upload log: a header of 64 bytes, facts as JSON, and the bytes as they were sent. Numbers are little endian.
 *
 * | at | bytes | content |
 * |---|---|---|
 * | 0 | 4 | `FKU1` |
 * | 4 | 1 | `L` for live, 0 once the record was removed; the only byte that ever changes, and outside both checksums |
 * | 5 | 3 | the mark of the segment |
 * | 8 | 4 | CRC-32 of the bytes 12 to 63, from the seed of the segment on |
 * | 12 | 4 | CRC-32 of facts and content |
 * | 16 | 8 | time of arrival in Unix ms (float) |
 * | 24 | 4 | bytes of the facts |
 * | 28 | 4 | bytes of the content |
 * | 32 | 16 | organization |
 * | 48 | 16 | profile |
 *
 * The header has a separate checksum, so that lengths and ids can be trusted without reading the content, and damaged content
 * hides no record after it.
 *
 * Mark and seed are random, and in the name of the segment's file: bytes that a sender arranges like a record are not taken for one.
 */
export const headerBytes = 64;
const magic = Buffer.from("FKU1");
const at = {
  state: 4,
  mark: 5,
  headSum: 8,
  dataSum: 12,
  received: 16,
  facts: 24,
  content: 28,
  org: 32,
  profile: 48,
} as const;
export const stateOffset = at.state;
/** They differ in more than one bit, so that a damaged byte is neither. */
const live = 0x4c;
export const removed = 0;

/** Distinguishes the records of a segment from bytes that senders wrote. */
export interface SegmentMark {
  readonly seed: number;
  /** Three bytes. */
  readonly mark: Buffer;
}

const markPattern = /-([0-9a-f]{14})\.log$/;

/** The name of a segment with a new mark. */
export function segmentName(number: number): string {
  return `${String(number).padStart(6, "0")}-${randomBytes(7).toString("hex")}.log`;
}

/** Throws if the file is no segment, because its name was changed for instance. */
export function markOf(path: string): SegmentMark {
  const [, hex] = markPattern.exec(path) ?? [];
  if (hex === undefined) throw new Error("its name is not that of a file of uploads");
  const bytes = Buffer.from(hex, "hex");
  return { seed: bytes.readUInt32LE(0), mark: bytes.subarray(4) };
}

export interface RecordFacts {
  /** The profile's type; undefined for profiles of versions that did not store it. */
  readonly type?: string | undefined;
  /** See `Payload.repeat`. */
  readonly repeat?: unknown;
  /** The content was dropped: the record only says that the upload was stored. */
  readonly isDropped?: boolean | undefined;
}

export interface UploadRecord {
  /** A UUID. */
  readonly orgId: string;
  /** 32 hex digits. */
  readonly profileId: string;
  readonly receivedAtMs: number;
  readonly facts: RecordFacts;
  readonly content: Uint8Array;
}

export interface RecordHeader {
  readonly isRemoved: boolean;
  /** 32 hex digits, as `orgKeyOf` makes them. */
  readonly orgKey: string;
  readonly profileId: string;
  readonly factsBytes: number;
  readonly contentBytes: number;
  /** Of header, facts and content. */
  readonly recordBytes: number;
  readonly dataSum: number;
}

/** An organization's id as records name it: without hyphens. */
export function orgKeyOf(orgId: string): string {
  return orgId.replaceAll("-", "").toLowerCase();
}

export function orgIdOf(orgKey: string): string {
  return orgKey.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The checksum of 100 MB takes 50 ms: the event loop goes on between steps of this size. */
const bytesPerSum = 4_000_000;

/** The parts of a record, to be written one after the other. The content is not copied. */
export async function encodeRecord(
  { orgId, profileId, receivedAtMs, facts, content }: UploadRecord,
  { seed, mark }: SegmentMark,
): Promise<Uint8Array[]> {
  const factsText = Buffer.from(JSON.stringify(facts));
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header[at.state] = live;
  mark.copy(header, at.mark);
  header.writeUInt32LE(await sumInSteps(factsText, content), at.dataSum);
  header.writeDoubleLE(receivedAtMs, at.received);
  header.writeUInt32LE(factsText.length, at.facts);
  header.writeUInt32LE(content.length, at.content);
  header.write(orgKeyOf(orgId), at.org, 16, "hex");
  header.write(profileId, at.profile, 16, "hex");
  header.writeUInt32LE(crc32(header.subarray(at.dataSum), seed), at.headSum);
  return [header, factsText, content];
}

/** The record with this header as it stays once its content is dropped: its time and ids, and the type of its profile. */
export function recordWithoutContent(header: Buffer, type: string | undefined, mark: SegmentMark): Buffer {
  const facts = Buffer.from(JSON.stringify({ type, isDropped: true } satisfies RecordFacts));
  const next = Buffer.from(header);
  next.writeUInt32LE(facts.length, at.facts);
  next.writeUInt32LE(0, at.content);
  next.writeUInt32LE(crc32(facts), at.dataSum);
  next.writeUInt32LE(crc32(next.subarray(at.dataSum), mark.seed), at.headSum);
  return Buffer.concat([next, facts]);
}

/** Undefined if these are not the 64 bytes of a header of the segment. */
export function decodeHeader(bytes: Buffer, { seed, mark }: SegmentMark): RecordHeader | undefined {
  if (bytes.length < headerBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const state = bytes[at.state]!;
  if (state !== live && state !== removed) return undefined;
  if (!bytes.subarray(at.mark, at.headSum).equals(mark)) return undefined;
  if (crc32(bytes.subarray(at.dataSum, headerBytes), seed) !== bytes.readUInt32LE(at.headSum))
    return undefined;
  const factsBytes = bytes.readUInt32LE(at.facts);
  const contentBytes = bytes.readUInt32LE(at.content);
  return {
    isRemoved: state === removed,
    orgKey: bytes.toString("hex", at.org, at.org + 16),
    profileId: bytes.toString("hex", at.profile, at.profile + 16),
    factsBytes,
    contentBytes,
    recordBytes: headerBytes + factsBytes + contentBytes,
    dataSum: bytes.readUInt32LE(at.dataSum),
  };
}

/** Whether facts and content are what was written. */
export function isIntact({ dataSum }: RecordHeader, facts: Uint8Array, content: Uint8Array): boolean {
  return crc32(content, crc32(facts)) === dataSum;
}

/** As `isIntact`, while the event loop goes on. */
export async function isIntactInSteps(
  { dataSum }: RecordHeader,
  facts: Uint8Array,
  content: Uint8Array,
): Promise<boolean> {
  return (await sumInSteps(facts, content)) === dataSum;
}

async function sumInSteps(facts: Uint8Array, content: Uint8Array): Promise<number> {
  let sum = crc32(facts);
  for (let from = 0; from < content.length; from += bytesPerSum) {
    if (from > 0) await nextTurn();
    sum = crc32(content.subarray(from, from + bytesPerSum), sum);
  }
  return sum;
}

/** Where the next header may begin in `bytes`, from `from` on; -1 if nowhere. */
export function nextHeader(bytes: Buffer, from: number, mark: SegmentMark): number {
  for (let found = bytes.indexOf(magic, from); found >= 0; found = bytes.indexOf(magic, found + 1)) {
    if (decodeHeader(bytes.subarray(found, found + headerBytes), mark) !== undefined) return found;
  }
  return -1;
}
