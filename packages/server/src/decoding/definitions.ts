import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { DefinitionBytes } from "#store/stacks/definitions.ts";
import { IdTable } from "./id-table.ts";

/** Frames of all stacks together, and frames: about 100 MB at most. */
const bounds = { words: 8_000_000, frames: 400_000 };

/**
 * What the stack ids of one organization mean, kept between tasks: a graph over the same service again finds all it
 * needs here. Ids of different organizations are kept apart, because what an id means is what its sender says.
 */
export class Definitions {
  readonly stackIds = new IdTable();
  readonly #frameIds = new IdTable();
  /** Stack i = words[starts[i]] .. words[starts[i + 1] - 1], leaf first. */
  words = new Uint32Array(1 << 16);
  readonly starts: number[] = [0];
  readonly functionName: string[] = [];
  readonly file: string[] = [];
  readonly line: number[] = [];
  readonly startLine: number[] = [];

  get isFull(): boolean {
    return this.starts.at(-1)! > bounds.words || this.functionName.length > bounds.frames;
  }

  add({ stacks, frames }: DefinitionBytes): void {
    this.#addFrames(new RowBinaryReader(Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength)));
    this.#addStacks(new RowBinaryReader(Buffer.from(stacks.buffer, stacks.byteOffset, stacks.byteLength)));
  }

  #addFrames(rows: RowBinaryReader): void {
    while (!rows.isAtEnd) {
      const [low, high] = halvesOf(rows.uint64());
      const functionName = rows.text();
      const file = rows.text();
      const line = Number(rows.int64());
      const startLine = Number(rows.int64());
      if (!this.#frameIds.add(low, high)) continue;
      this.functionName.push(functionName);
      this.file.push(file);
      this.line.push(line);
      this.startLine.push(startLine);
    }
  }

  /** A stack of which a frame is not known stays unknown. */
  #addStacks(rows: RowBinaryReader): void {
    while (!rows.isAtEnd) {
      const [low, high] = halvesOf(rows.uint64());
      const members = rows.uint64s();
      const halves = new Uint32Array(members.buffer);
      const from = this.starts.at(-1)!;
      this.#reserve(from + members.length);
      let isKnown = true;
      for (let i = 0; i < members.length; i++) {
        const frame = this.#frameIds.find(halves[2 * i]!, halves[2 * i + 1]!);
        if (frame === -1) isKnown = false;
        this.words[from + i] = frame;
      }
      if (isKnown && this.stackIds.add(low, high)) this.starts.push(from + members.length);
    }
  }

  #reserve(length: number): void {
    if (length <= this.words.length) return;
    const words = new Uint32Array(Math.max(length, this.words.length * 2));
    words.set(this.words);
    this.words = words;
  }
}

function halvesOf(id: bigint): [low: number, high: number] {
  return [Number(id & 0xffffffffn), Number(id >> 32n)];
}

/** Definitions by organization. What is too much is dropped when a task begins, the longest unused first. */
export class DefinitionMemory {
  readonly #byOrg = new Map<string, Definitions>();

  /** @param mayDrop false while a task goes on, whose definitions must stay */
  of(orgId: string, mayDrop: boolean): Definitions {
    const known = this.#byOrg.get(orgId);
    const definitions = known === undefined || (mayDrop && known.isFull) ? new Definitions() : known;
    this.#byOrg.delete(orgId);
    this.#byOrg.set(orgId, definitions);
    while (mayDrop && this.#byOrg.size > 1 && this.#words() > bounds.words) {
      this.#byOrg.delete(this.#byOrg.keys().next().value!);
    }
    return definitions;
  }

  #words(): number {
    let words = 0;
    for (const { starts } of this.#byOrg.values()) words += starts.at(-1)!;
    return words;
  }
}
