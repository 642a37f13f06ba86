import { hash } from "node:crypto";
import { packageOf, type StackIds, type StackTable } from "@flamekeep/profile";
import type { Outcome } from "#ingest/refusal.ts";
import { IdSet } from "./id-set.ts";
import { jsonText, lineColumns, lineEnd } from "./line-columns.ts";
import { type Rows, type Table, tables } from "./tables.ts";
import { base64 } from "./words.ts";

interface Partition {
  readonly orgId: string;
  readonly day: string;
}

interface FrameRow {
  readonly id: bigint;
  readonly frame: number;
  readonly frames: StackTable["frames"];
}

interface StackRow {
  readonly id: bigint;
  /** Ids of its frames, the leaf first. */
  readonly frameIds: BigUint64Array;
}

const partitionColumns = {
  org_id: ({ orgId }: Partition) => `"${orgId}"`,
  day: ({ day }: Partition) => `"${day}"`,
};

export const frameColumns = lineColumns<Partition, FrameRow>(partitionColumns, {
  frame_id: ({ id }) => `"${id}"`,
  function: ({ frames, frame }) => jsonText(frames.functionName[frame]!),
  package: ({ frames, frame }) => jsonText(packageOf(frames.functionName[frame]!)),
  file: ({ frames, frame }) => jsonText(frames.file[frame]!),
  line: ({ frames, frame }) => String(frames.line[frame]),
  start_line: ({ frames, frame }) => String(frames.startLine[frame]),
});

/** `_b64` columns are little-endian words of 64 bits. */
export const stackColumns = lineColumns<Partition, StackRow>(partitionColumns, {
  stack_id: ({ id }) => `"${id}"`,
  frame_ids_b64: ({ frameIds }) => `"${base64(frameIds)}"`,
});

const rememberedMax = 1 << 20;

interface Salt extends Partition {
  readonly generation: number;
  readonly words: readonly [low: number, high: number];
  readonly frameStart: string;
  readonly stackStart: string;
}

/**
 * The stacks and frames that this thread has written for each organization and day. Ids are hashes, so that one set serves all
 * days if each id is mixed with a hash of its organization and day. The hash includes the generation of definitions: a new one
 * forgets those of its organization alone.
 */
export class SentDefinitions {
  readonly #stacks = new IdSet(rememberedMax);
  readonly #frames = new IdSet(rememberedMax);
  #generation = 0;
  /** Whether the current request has added rows. */
  #hasAdded = false;
  /** For the latest organization, day and generation, which are nearly always those of the next profile. */
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

  /** The rows of the stacks and frames that are new. */
  rowsOf(partition: Partition, table: StackTable, { stackIds, frameIds }: StackIds): Rows {
    const { words, frameStart, stackStart } = this.#saltOf(partition);
    const [saltLow, saltHigh] = words;
    const frameWords = new BigUint64Array(frameIds.buffer, frameIds.byteOffset, table.frames.length);
    const stackWords = new BigUint64Array(stackIds.buffer, stackIds.byteOffset, table.length);
    let stacks = "";
    let frames = "";
    for (const i of this.#stacks.missing(stackIds, table.length, saltLow, saltHigh)) {
      this.#stacks.add((stackIds[2 * i]! ^ saltLow) >>> 0, (stackIds[2 * i + 1]! ^ saltHigh) >>> 0);
      const ownFrames = new BigUint64Array(table.start[i + 1]! - table.start[i]!);
      for (let j = table.start[i]!, at = 0; j < table.start[i + 1]!; j++, at++) {
        const frame = table.frame[j]!;
        ownFrames[at] = frameWords[frame]!;
        const frameLow = (frameIds[2 * frame]! ^ saltLow) >>> 0;
        if (!this.#frames.add(frameLow, (frameIds[2 * frame + 1]! ^ saltHigh) >>> 0)) continue;
        const row = { id: frameWords[frame]!, frame, frames: table.frames };
        frames += frameColumns.lineOf(frameStart, row) + lineEnd;
      }
      stacks += stackColumns.lineOf(stackStart, { id: stackWords[i]!, frameIds: ownFrames }) + lineEnd;
    }
    if (stacks !== "") this.#hasAdded = true;
    return packLines({ stacks, frames });
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
      frameStart: frameColumns.startOf(partition),
      stackStart: stackColumns.startOf(partition),
    };
    return this.#salt;
  }
}

function saltWords(text: string): [low: number, high: number] {
  const digest = hash("sha256", text, "buffer");
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** Lines of text as rows, all in one separate allocation, which a thread can hand over whole. */
function packLines(texts: Partial<Record<Table, string>>): Rows {
  let length = 0;
  for (const table of tables) length += Buffer.byteLength(texts[table] ?? "");
  if (length === 0) return {};
  const bytes = Buffer.allocUnsafeSlow(length);
  const rows: Rows = {};
  let at = 0;
  for (const table of tables) {
    const text = texts[table];
    if (text === undefined || text === "") continue;
    const end = at + bytes.write(text, at);
    rows[table] = bytes.subarray(at, end);
    at = end;
  }
  return rows;
}
