import { GrowableUint32 } from "#memory/growable.ts";
import { Ids } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { ChunkBytes, type Recording } from "./chunk-bytes.ts";
import { FrameLists, stackSlots } from "./frame-lists.ts";
import { type Layout, layoutOf, readValues, type Slots } from "./layout.ts";
import type { ChunkHeader, Classes } from "./metadata.ts";

const [first, second] = [0, 1];

const poolSlots = {
  "jdk.types.Method": { type: first, name: second },
  "java.lang.Class": { name: first },
  "jdk.types.Symbol": { string: first },
  "java.lang.String": { "": first },
  "jdk.types.ThreadState": { name: first },
  "java.lang.Thread": { javaName: first, osName: second },
  "profiler.types.AttributeValue": { value: first },
} as const satisfies Readonly<Record<string, Slots>>;

type PoolName = keyof typeof poolSlots;

/** The constants of a class: where each of them is. They are read once something names them. */
class Pool {
  readonly #ids = new Ids();
  /** By number of the id. */
  readonly #offsets = new GrowableUint32(64);
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Keeps the constant at the cursor, and skips it. Of several with one id, the last counts. */
  keep(id: number, bytes: ChunkBytes, slots: Float64Array): void {
    const place = this.#ids.intern(id);
    if (place === this.#offsets.length) this.#offsets.push(bytes.pos);
    else this.#offsets.array[place] = bytes.pos;
    readValues(bytes, this.#layout, slots);
  }

  /** False if there is no such constant. */
  read(id: number, bytes: ChunkBytes, slots: Float64Array): boolean {
    const place = this.#ids.find(id);
    if (place < 0) return false;
    bytes.pos = this.#offsets.array[place];
    readValues(bytes, this.#layout, slots);
    return true;
  }
}

/** The constants of a chunk: stack traces, methods, names, to which its events refer by ids. */
export class Constants {
  readonly stackTraces: FrameLists;
  /** The values of the constant that was read last, in the order of `poolSlots`. */
  readonly slots = new Float64Array(2);
  readonly #bytes: ChunkBytes;
  readonly #limits: ReadLimits;
  readonly #left: { constants: number };
  readonly #classes: Classes;
  readonly #pools = new Map<PoolName, Pool>();
  readonly #kept = new Map<number, Pool | FrameLists>();
  /** By class, to find where constants end that are not kept. */
  readonly #skipped = new Map<number, Layout>();

  constructor(recording: Recording, header: ChunkHeader, classes: Classes) {
    this.#bytes = new ChunkBytes(recording, header, header.constants);
    this.#limits = recording.limits;
    this.#left = recording.left;
    this.#classes = classes;
    for (const name of Object.keys(poolSlots) as PoolName[]) {
      const id = classes.idOf(name);
      if (id === undefined) continue;
      const pool = new Pool(layoutOf(classes, id, poolSlots[name]));
      this.#pools.set(name, pool);
      this.#kept.set(id, pool);
    }
    const id = classes.idOf("jdk.types.StackTrace");
    this.stackTraces = new FrameLists(
      id === undefined ? [] : layoutOf(classes, id, stackSlots),
      recording.limits,
    );
    if (id !== undefined) this.#kept.set(id, this.stackTraces);
    this.#find(header);
  }

  /** Reads a constant into the slots; false if there is none, whose values are 0. */
  read(name: PoolName, id: number): boolean {
    this.slots[first] = 0;
    this.slots[second] = 0;
    return this.#pools.get(name)?.read(id, this.#bytes, this.slots) === true;
  }

  threadState(id: number): string {
    return this.read("jdk.types.ThreadState", id) ? this.textAt(this.slots[first]) : "";
  }

  /** Threads that are no threads of Java have the name that the system knows. */
  threadName(id: number): string {
    if (!this.read("java.lang.Thread", id)) return "";
    const [javaName, osName] = this.slots;
    return this.#textIn(javaName) || this.#textIn(osName);
  }

  /** The text of an attribute of Datadog's profiler; empty if there is none. */
  attribute(id: number): string {
    return this.read("profiler.types.AttributeValue", id) ? this.#textIn(this.slots[first]) : "";
  }

  /** A text of an event. */
  textAt(offset: number): string {
    this.#bytes.pos = offset;
    return this.#bytes.text(this.#limits.nameBytes, (id) => this.string(id));
  }

  #textIn(offset: number): string {
    return offset === 0 ? "" : this.textAt(offset);
  }

  /** The text of a symbol in UTF-8; empty if there is none. One byte more than a name may have: readers count what they cut. */
  symbol(id: number): Uint8Array {
    if (!this.read("jdk.types.Symbol", id) || this.slots[first] === 0) return nothing;
    this.#bytes.pos = this.slots[first];
    return this.#bytes.textBytes(this.#limits.nameBytes + 1);
  }

  /** Empty if there is none. */
  string(id: number): string {
    if (!this.read("java.lang.String", id)) return "";
    this.#bytes.pos = this.slots[first];
    return this.#bytes.text(this.#limits.nameBytes);
  }

  /** Constants are in several events. Each of them says how far the one before it is. */
  #find({ constants, start, end }: ChunkHeader): void {
    const bytes = this.#bytes;
    let bytesLeft = end - start;
    for (let at = constants; ; ) {
      bytes.pos = at;
      bytes.int();
      for (let number = 0; number < 3; number++) bytes.skipLong();
      const delta = Number(BigInt.asIntN(64, bytes.wide.toBigInt(bytes.long())));
      bytes.byte();
      for (let left = bytes.count(); left > 0; left--) this.#findIn(bytes.long());
      bytesLeft -= bytes.pos - at;
      if (delta === 0) return;
      at += delta;
      // Events that name each other, or overlap, would be read again and again.
      if (bytesLeft < 0 || at <= start || at >= end) throw wrongChain(at);
    }
  }

  /** Finds the constants of one class in an event. */
  #findIn(classId: number): void {
    const bytes = this.#bytes;
    const kept = this.#kept.get(classId);
    const skipped = kept === undefined ? this.#skippedLayout(classId) : [];
    for (let left = bytes.count(); left > 0; left--) {
      const id = bytes.long();
      if (kept === undefined) readValues(bytes, skipped, this.slots);
      else {
        if (this.#left.constants-- === 0) throw tooManyConstants(this.#limits.strings);
        kept.keep(id, bytes, this.slots);
      }
    }
  }

  #skippedLayout(classId: number): Layout {
    const known = this.#skipped.get(classId);
    if (known !== undefined) return known;
    const layout = layoutOf(this.#classes, classId);
    this.#skipped.set(classId, layout);
    return layout;
  }
}

const nothing = new Uint8Array(0);

function tooManyConstants(max: number): Refusal {
  return new Refusal("too_large", `The recording has more than ${max} constants.`, "strings", max);
}

function wrongChain(at: number): Refusal {
  const message = "The recording is damaged: the events with its constants do not follow one another.";
  return new Refusal("malformed", message, "constants", at);
}
