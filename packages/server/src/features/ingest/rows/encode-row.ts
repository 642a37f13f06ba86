import type { ValueColumn } from "@flamekeep/profile";
import { RowBinaryWriter } from "#store/column/client/row-binary.ts";
import { wordsOf } from "./words.ts";

export interface ProfileFacts {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly startedAtMs: number;
  readonly profileId: string;
  readonly receivedAtMs: number;
  readonly durationNs: bigint;
  readonly tags: ReadonlyMap<string, string>;
  readonly facts: ReadonlyMap<string, string>;
  readonly sampleTypes: readonly string[];
  /** By sample type, as the profile shows them. */
  readonly totals: readonly bigint[];
  /** Stored as 32 bits without a sign, for profiles that count no samples; other readers take it from the totals. */
  readonly sampleCount: number;
  readonly stackCount: number;
  readonly originalBytes: number;
  readonly rawBytes: number;
  readonly contentHash: string;
  readonly trimmed: ReadonlyMap<string, number>;
  readonly sender: string;
}

/** What a profile adds to those of its series. */
export interface Added {
  /** Little-endian words of 64 bits. */
  readonly stackIds: ArrayBufferView;
  /** By sample type; of all its values. */
  readonly totals: readonly bigint[];
  /** By sample type, parallel to `stackIds`. */
  readonly values: readonly ValueColumn[];
}

const factsBytes = 1024;

/** The row of table `profiles` in RowBinary. */
export function encodeRow(facts: ProfileFacts, added: Added): Buffer<ArrayBuffer> {
  const writer = new RowBinaryWriter(factsBytes + bytesOf(added));
  writeFacts(writer, facts);
  writeAdded(writer, added);
  return writer.finish();
}

/** Sets to zero what `row`, made by `encodeRow` of a profile with so many stacks, adds to its counters. */
export function clearCounters(row: Uint8Array, stackCount: number, isCounter: readonly boolean[]): void {
  const types = isCounter.length;
  const columnBytes = lengthBytes(stackCount) + 8 * stackCount;
  const values = row.length - types * columnBytes;
  const totals = values - lengthBytes(types) - 8 * types;
  for (const [type, counts] of isCounter.entries()) {
    if (!counts) continue;
    row.fill(0, totals + 8 * type, totals + 8 * (type + 1));
    const end = values + columnBytes * (type + 1);
    row.fill(0, end - 8 * stackCount, end);
  }
}

/** As `RowBinaryWriter.length` writes it. */
function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest >= 0x80; rest >>>= 7) bytes++;
  return bytes;
}

function bytesOf({ stackIds, values }: Added): number {
  return 64 + (1 + values.length) * (stackIds.byteLength + 16);
}

/** In the order of `columns.profiles`. */
function writeFacts(writer: RowBinaryWriter, facts: ProfileFacts): void {
  const text = (value: string) => writer.text(value);
  writer.uuid(facts.orgId);
  text(facts.service);
  text(facts.type);
  writer.int64(BigInt(facts.startedAtMs));
  text(facts.profileId);
  writer.int64(BigInt(facts.receivedAtMs));
  writer.int64(facts.durationNs);
  writer.map(facts.tags, text);
  writer.map(facts.facts, text);
  writer.array(facts.sampleTypes, text);
  writer.array(facts.totals, (total) => writer.int64(total));
  writer.uint32(Math.min(Math.max(0, facts.sampleCount), 0xffff_ffff));
  writer.uint32(facts.stackCount);
  writer.uint32(facts.originalBytes);
  writer.uint32(facts.rawBytes);
  text(facts.contentHash);
  writer.map(facts.trimmed, (count) => writer.int64(BigInt(count)));
  text(facts.sender);
}

function writeAdded(writer: RowBinaryWriter, { stackIds, totals, values }: Added): void {
  writer.words(stackIds);
  writer.array(totals, (total) => writer.int64(total));
  writer.array(values, (column) => writer.words(wordsOf(column)));
}
