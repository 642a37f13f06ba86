import { hash } from "node:crypto";
import { packageOf, type StackIds, type StackTable } from "@flamekeep/profile";
import type { Outcome } from "#ingest/upload/refusal.ts";
import { RowBinaryWriter } from "#store/column/client/row-binary.ts";
import { packStacks, startBytes } from "./packed-stacks.ts";
import type { Rows } from "./tables.ts";

const slotsMin = 1 << 12;

/**
 * 64-bit ids as pairs of 32-bit words, in open addressing. Bounded: when full it forgets everything.
 *
 * Not the `IdTable` of the decoding thread: that one numbers its ids, so each probe reads two arrays. Here the ids are the
 * slots, and `missing` probes inline, because it runs for every stack of every upload.
 *
 * ```
 * words[2 * slot], words[2 * slot + 1] = low and high word; both 0 where the slot is free
 * ```
 */
export class IdSet {
  readonly #sizeMax: number;
  #words = new Uint32Array(2 * slotsMin);
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * The indexes of those among the first `count` of `ids` that are not in the set. An id is two words, low first, combined with
   * the salt. Nearly all stacks of a profile are in the set: one loop over them takes half the time of a call for each.
   */
  missing(ids: Uint32Array, count: number, saltLow: number, saltHigh: number): number[] {
    const words = this.#words;
    const mask = words.length - 2;
    const places: number[] = [];
    for (let i = 0; i < count; i++) {
      const low = (ids[2 * i]! ^ saltLow) >>> 0;
      const high = (ids[2 * i + 1]! ^ saltHigh) >>> 0;
      let at = (low << 1) & mask;
      while (words[at] !== low || words[at + 1] !== high) {
        if (words[at] === 0 && words[at + 1] === 0) break;
        at = (at + 2) & mask;
      }
      if (words[at] === 0 && words[at + 1] === 0) places.push(i);
    }
    return places;
  }

  /** True if the id is new. The id 0 is never remembered. */
  add(low: number, high: number): boolean {
    if (low === 0 && high === 0) return true;
    if (this.#size >= this.#sizeMax) this.clear();
    if (2 * this.#size >= this.#words.length >>> 1) this.#grow();
    if (!insert(this.#words, low, high)) return false;
    this.#size++;
    return true;
  }

  clear(): void {
    this.#words = new Uint32Array(2 * slotsMin);
    this.#size = 0;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(2 * old.length);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== 0 || old[i + 1] !== 0) insert(this.#words, old[i]!, old[i + 1]!);
    }
  }
}

/** Ids are hashes already: their low bits choose the slot. */
function insert(words: Uint32Array, low: number, high: number): boolean {
  const mask = words.length - 2;
  let at = (low << 1) & mask;
  while (words[at] !== 0 || words[at + 1] !== 0) {
    if (words[at] === low && words[at + 1] === high) return false;
    at = (at + 2) & mask;
  }
  words[at] = low;
  words[at + 1] = high;
  return true;
}

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

const rememberedMax = 1 << 20;

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
  readonly #stacks = new IdSet(rememberedMax);
  readonly #frames = new IdSet(rememberedMax);
  #generation = 0;
  /** Whether the current request has added rows. */
  #hasAdded = false;
  /** For the latest organization, day and generation, which the next profile nearly always has, too. */
  #salt: Salt | undefined;

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
    const partition = { orgId, day };
    this.#salt = {
      ...partition,
      generation,
      words: saltWords(JSON.stringify([orgId, day, generation])),
      rowStart: rowStartOf(partition),
    };
    return this.#salt;
  }
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
