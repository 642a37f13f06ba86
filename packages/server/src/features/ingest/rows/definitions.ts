import { hash } from "node:crypto";
import { packageOf, type StackIds, type StackTable } from "@flamekeep/profile";
import type { Outcome } from "#ingest/upload/refusal.ts";
import { definitionBytesMax, memoryLimit } from "#memory/budget.ts";
import type { WaitingDefinitions } from "#store/column/awaited-rows.ts";
import { RowBinaryReader, RowBinaryWriter } from "#store/column/client/row-binary.ts";
import { IdSet, slotBytes } from "./id-set.ts";
import { packStacks, stackParts, startBytes } from "./packed-stacks.ts";
import type { Rows } from "./tables.ts";

interface Partition {
  readonly orgId: string;
  readonly day: string;
}

/** Both tables are in RowBinary: as JSON, their text alone took longer than the rest of an upload. */
export const frameColumnNames = [
  "org_id",
  "day",
  "frame_id",
  "function",
  "package",
  "file",
  "line",
  "start_line",
] as const;
export const stackColumnNames = ["org_id", "day", "stack_id", "frame_ids"] as const;

/** First size of the memory for frames: it doubles as needed. */
const frameBytesExpected = 1024;
const definitionBytesExpected = 64 * 1024;

/** Slots for stacks for each one for frames. */
const stacksPerFrame = 4;

interface Salt extends Partition {
  readonly generation: number;
  readonly words: readonly [low: number, high: number];
  readonly rowStart: Uint8Array;
}

/**
 * The stacks and frames that this thread has written for each organization and day. Ids are hashes, so that one set serves all
 * days if each id is mixed with a hash of its organization and day. The hash includes the generation of definitions: a new one
 * forgets the definitions of its organization alone.
 */
export class SentDefinitions {
  readonly #stacks: IdSet;
  readonly #frames: IdSet;
  #generation = 0;
  #latestDay = "";
  /** Whether the current request has added rows. */
  #hasAdded = false;
  /** For the latest organization, day and generation, which the next profile nearly always has, too. */
  #salt: Salt | undefined;

  /** @param bytesMax of both sets; while one grows, its old half is in memory too */
  constructor(bytesMax = definitionBytesMax(memoryLimit())) {
    const stacksMax = 2 ** Math.floor(Math.log2(bytesMax / slotBytes / (1 + 1 / stacksPerFrame)));
    this.#stacks = new IdSet(stacksMax);
    this.#frames = new IdSet(stacksMax / stacksPerFrame);
  }

  /** Sets the generation of the next profile's organization. In a new one, definitions that seemed to be sent were not stored. */
  useGeneration(generation: number): void {
    this.#generation = generation;
  }

  /**
   * Encodes one request. If it is refused or encoding throws, none of its rows is stored and everything is forgotten: writing a
   * definition again does no harm, but a profile must not refer to one that was never written.
   */
  duringRequest<T>(encode: () => Outcome<T>): Outcome<T> {
    this.#hasAdded = false;
    let isAccepted = false;
    try {
      const outcome = encode();
      isAccepted = outcome.ok;
      return outcome;
    } finally {
      if (!isAccepted && this.#hasAdded) this.#forget();
    }
  }

  #forget(): void {
    this.#stacks.clear();
    this.#frames.clear();
  }

  /** The stacks, packed, and the rows of the frames that are new, each in separate memory, which a thread can hand over whole. */
  rowsOf(partition: Partition, table: StackTable, { stackIds, frameIds }: StackIds): Rows {
    const { words, rowStart } = this.#saltOf(partition);
    const [saltLow, saltHigh] = words;
    const missing = this.#stacks.missing(stackIds, table.length, saltLow, saltHigh);
    if (missing.length === 0) return {};
    this.#hasAdded = true;
    const { packed, frames } = packStacks(rowStart, table, { stackIds, frameIds }, missing);
    for (const i of missing)
      this.#stacks.add((stackIds[2 * i]! ^ saltLow) >>> 0, (stackIds[2 * i + 1]! ^ saltHigh) >>> 0);
    let rows: RowBinaryWriter | undefined;
    for (const frame of frames) {
      const low = frameIds[2 * frame]!;
      const high = frameIds[2 * frame + 1]!;
      if (!this.#frames.add((low ^ saltLow) >>> 0, (high ^ saltHigh) >>> 0)) continue;
      rows ??= new RowBinaryWriter(frameBytesExpected);
      rows.bytes(rowStart);
      rows.word(low, high);
      writeFrame(rows, table.frames, frame);
    }
    return { stacks: packed, ...(rows === undefined ? {} : { frames: rows.finish() }) };
  }

  #saltOf({ orgId, day }: Partition): Salt {
    const generation = this.#generation;
    const latest = this.#salt;
    if (latest?.day === day && latest.orgId === orgId && latest.generation === generation) return latest;
    if (day > this.#latestDay) this.#startDay(day);
    const partition = { orgId, day };
    this.#salt = {
      ...partition,
      generation,
      words: saltWords(JSON.stringify([orgId, day, generation])),
      rowStart: rowStartOf(partition),
    };
    return this.#salt;
  }

  #startDay(day: string): void {
    this.#latestDay = day;
    this.#stacks.ageAll();
    this.#frames.ageAll();
  }
}

/** The definitions of these stacks in rows that `rowsOf` made. */
export function readDefinitions(all: readonly Rows[], stackIds: BigUint64Array): WaitingDefinitions {
  const [stacks, frames] = [
    new RowBinaryWriter(definitionBytesExpected),
    new RowBinaryWriter(definitionBytesExpected),
  ];
  const [wanted, used] = [new Set(stackIds), new Set<bigint>()];
  const found: bigint[] = [];
  const packed = all.flatMap((rows) => rows.stacks ?? []);
  for (const rows of stackParts(packed, definitionBytesExpected))
    for (const reader = new RowBinaryReader(rows); !reader.isAtEnd; ) {
      reader.skip(startBytes);
      const [id, frameIds] = [reader.uint64(), reader.uint64s()];
      if (!wanted.delete(id)) continue;
      found.push(id);
      stacks.int64(id);
      stacks.words(frameIds);
      for (const frame of frameIds) used.add(frame);
    }
  // Those that were handed over have no bytes.
  const written = all.flatMap((rows) => rows.frames ?? []).filter(({ length }) => length > 0);
  for (const { buffer, byteOffset, byteLength } of written) {
    const reader = new RowBinaryReader(Buffer.from(buffer, byteOffset, byteLength));
    while (!reader.isAtEnd) copyFrame(reader, frames, used);
  }
  return {
    stackIds: found,
    stacks: stacks.finish(),
    frames: frames.finish(),
    storedFrames: BigUint64Array.from(used),
  };
}

/** Reads a row of `writeFrame`, and writes it as a definition if it is one of the frames, which it then leaves. */
function copyFrame(reader: RowBinaryReader, to: RowBinaryWriter, wanted: Set<bigint>): void {
  reader.skip(startBytes);
  const id = reader.uint64();
  const name = reader.text();
  reader.bytes();
  const [file, line, startLine] = [reader.text(), reader.int64(), reader.int64()];
  if (!wanted.delete(id)) return;
  to.int64(id);
  to.text(name);
  to.text(file);
  to.int64(line);
  to.int64(startLine);
}

function saltWords(text: string): [low: number, high: number] {
  const digest = hash("sha256", text, "buffer");
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** The first columns of both tables. */
function rowStartOf({ orgId, day }: Partition): Uint8Array {
  const writer = new RowBinaryWriter(startBytes);
  writer.uuid(orgId);
  writer.date(day);
  return writer.finish();
}

function writeFrame(writer: RowBinaryWriter, frames: StackTable["frames"], frame: number): void {
  const name = frames.functionName[frame]!;
  writer.text(name);
  writer.text(packageOf(name));
  writer.text(frames.file[frame]!);
  writer.int64(BigInt(frames.line[frame]!));
  writer.int64(BigInt(frames.startLine[frame]!));
}
