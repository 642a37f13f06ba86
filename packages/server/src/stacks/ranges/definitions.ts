import { Demangler } from "#stacks/demangle.ts";
import type { DefinitionBytes } from "#store/column/awaited-rows.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";

/**
 * Numbers 0, 1, 2 ... for 64-bit ids in order of arrival: open addressing over the two halves, at most half full.
 * Ids are hashes already, so their low half is the slot.
 */
class IdTable {
  #length = 0;
  #halves = new Uint32Array(2 * 1024);
  #slots = new Int32Array(2 * 1024).fill(-1);

  get length(): number {
    return this.#length;
  }

  /** The number of an id; -1 if it is not in the table. */
  find(low: number, high: number): number {
    return this.#slots[this.#slot(low, high)]!;
  }

  /** Gives an id the next number; false if it has one already. */
  add(low: number, high: number): boolean {
    const slot = this.#slot(low, high);
    if (this.#slots[slot] !== -1) return false;
    this.#halves[2 * this.#length] = low;
    this.#halves[2 * this.#length + 1] = high;
    this.#slots[slot] = this.#length++;
    if (this.#length * 2 === this.#halves.length) this.#grow();
    return true;
  }

  #slot(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let at = this.#slots[slot]!; at !== -1; at = this.#slots[slot]!) {
      if (this.#halves[2 * at] === low && this.#halves[2 * at + 1] === high) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const halves = new Uint32Array(this.#halves.length * 2);
    halves.set(this.#halves);
    this.#halves = halves;
    this.#slots = new Int32Array(halves.length).fill(-1);
    for (let at = 0; at < this.#length; at++) {
      this.#slots[this.#slot(halves[2 * at]!, halves[2 * at + 1]!)] = at;
    }
  }
}

/** Sizes of all stacks together, and number of frames: about 100 MB at most. */
const bounds = { members: 8_000_000, frames: 400_000 };

/**
 * The stacks and frames of one organization by id, cached between tasks: the next graph of the same service finds its
 * definitions here. Organizations are separate, because senders define their ids.
 */
export class Definitions {
  readonly stackIds = new IdTable();
  readonly #frameIds = new IdTable();
  readonly #demangler = new Demangler();
  /** Stack i = members[starts[i]] .. members[starts[i + 1] - 1], leaf first. */
  members = new Uint32Array(1 << 16);
  readonly starts: number[] = [0];
  /** As it is shown. */
  readonly functionName: string[] = [];
  readonly storedName: string[] = [];
  readonly file: string[] = [];
  readonly line: number[] = [];
  readonly startLine: number[] = [];

  get isFull(): boolean {
    return this.starts.at(-1)! > bounds.members || this.functionName.length > bounds.frames;
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
      this.functionName.push(this.#demangler.shownName(functionName));
      this.storedName.push(functionName);
      this.file.push(file);
      this.line.push(line);
      this.startLine.push(startLine);
    }
  }

  /** Skips a stack if one of its frames is unknown. */
  #addStacks(rows: RowBinaryReader): void {
    while (!rows.isAtEnd) {
      const [low, high] = halvesOf(rows.uint64());
      const ids = rows.uint64s();
      const halves = new Uint32Array(ids.buffer);
      const from = this.starts.at(-1)!;
      this.#reserve(from + ids.length);
      let isComplete = true;
      for (let i = 0; i < ids.length; i++) {
        const frame = this.#frameIds.find(halves[2 * i]!, halves[2 * i + 1]!);
        if (frame === -1) isComplete = false;
        this.members[from + i] = frame;
      }
      if (isComplete && this.stackIds.add(low, high)) this.starts.push(from + ids.length);
    }
  }

  #reserve(length: number): void {
    if (length <= this.members.length) return;
    const larger = new Uint32Array(Math.max(length, this.members.length * 2));
    larger.set(this.members);
    this.members = larger;
  }
}

function halvesOf(id: bigint): [low: number, high: number] {
  return [Number(id & 0xffffffffn), Number(id >> 32n)];
}

/** Definitions by organization. The least recently used are dropped at the start of a task. */
export class DefinitionCache {
  readonly #byOrg = new Map<string, Definitions>();

  /** @param mayDrop false during a task, because its definitions must stay */
  of(orgId: string, mayDrop: boolean): Definitions {
    const cached = this.#byOrg.get(orgId);
    const definitions = cached === undefined || (mayDrop && cached.isFull) ? new Definitions() : cached;
    this.#byOrg.delete(orgId);
    this.#byOrg.set(orgId, definitions);
    while (mayDrop && this.#byOrg.size > 1 && this.#members() > bounds.members) {
      this.#byOrg.delete(this.#byOrg.keys().next().value!);
    }
    return definitions;
  }

  #members(): number {
    let count = 0;
    for (const { starts } of this.#byOrg.values()) count += starts.at(-1)!;
    return count;
  }
}
