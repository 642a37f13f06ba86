import { hash } from "node:crypto";
import { packageOf, type StackIds, type StackTable } from "@flamekeep/profile";
import type { Outcome } from "#ingest/refusal.ts";
import { IdSet } from "./id-set.ts";
import { base64 } from "./words.ts";

const rememberedMax = 1 << 20;

interface Salt {
  readonly prefix: string;
  readonly generation: number;
  readonly words: readonly [low: number, high: number];
}

/**
 * Which stacks and frames this thread has written for an organization and day. Ids are hashes, so that one set
 * holds them for all days when each is mixed with a hash of its day. A hash of the generation too, so that a new one forgets those of
 * its organization alone.
 */
export class SentDefinitions {
  readonly #stacks = new IdSet(rememberedMax);
  readonly #frames = new IdSet(rememberedMax);
  #generation = 0;
  /** Whether the current request has added lines. */
  #hasAdded = false;
  /** Of the organization, day and generation that came last: the next profile is nearly always of the same. */
  #salt: Salt | undefined;

  /** Of the organization whose profile comes next. A new one means that something thought to be sent was not stored. */
  useGeneration(generation: number): void {
    this.#generation = generation;
  }

  /**
   * Encodes one request. When it is refused or encoding throws, none of its lines is stored: everything is forgotten, because
   * writing a definition again does no harm, and a profile must not refer to one that was never written.
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

  /** The lines of what is new in `table`: of table `stacks` and of table `frames`. */
  linesOf(
    orgId: string,
    day: string,
    table: StackTable,
    { stackIds, frameIds }: StackIds,
  ): { stacks: string; frames: string } {
    const prefix = `["${orgId}","${day}","`;
    if (this.#salt?.prefix !== prefix || this.#salt.generation !== this.#generation) {
      this.#salt = { prefix, generation: this.#generation, words: saltOf(`${prefix}${this.#generation}`) };
    }
    const [saltLow, saltHigh] = this.#salt.words;
    const frameWords = new BigUint64Array(frameIds.buffer, frameIds.byteOffset, table.frames.length);
    const stackWords = new BigUint64Array(stackIds.buffer, stackIds.byteOffset, table.length);
    let stacks = "";
    let frames = "";
    for (const i of this.#stacks.missing(stackIds, table.length, saltLow, saltHigh)) {
      this.#stacks.add((stackIds[2 * i]! ^ saltLow) >>> 0, (stackIds[2 * i + 1]! ^ saltHigh) >>> 0);
      const members = new BigUint64Array(table.start[i + 1]! - table.start[i]!);
      for (let j = table.start[i]!, at = 0; j < table.start[i + 1]!; j++, at++) {
        const frame = table.frame[j]!;
        members[at] = frameWords[frame]!;
        const frameLow = (frameIds[2 * frame]! ^ saltLow) >>> 0;
        if (!this.#frames.add(frameLow, (frameIds[2 * frame + 1]! ^ saltHigh) >>> 0)) continue;
        frames += `${prefix}${frameWords[frame]}",${frameText(table, frame)}]\n`;
      }
      stacks += `${prefix}${stackWords[i]}","${base64(members)}"]\n`;
    }
    if (stacks !== "") this.#hasAdded = true;
    return { stacks, frames };
  }
}

function frameText({ frames }: StackTable, frame: number): string {
  const name = frames.functionName[frame]!;
  const texts = [name, packageOf(name), frames.file[frame]!].map((text) =>
    JSON.stringify(text.toWellFormed()),
  );
  return `${texts.join()},${frames.line[frame]},${frames.startLine[frame]}`;
}

function saltOf(prefix: string): [low: number, high: number] {
  const digest = hash("sha256", prefix, "buffer");
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}
