import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { LineFrame } from "#write/stack-lines.ts";
import { ChunkBytes, type WideNumbers } from "./chunk-bytes.ts";
import { type Layout, layoutOf, readValues, type Slots } from "./layout.ts";
import type { ChunkHeader, Classes } from "./metadata.ts";

/** A pool of constants that is read: where each constant is. The constants themselves are read once something names them. */
interface Pool {
  readonly offsets: Map<number, number>;
  readonly layout: Layout;
}

const [first, second, third] = [0, 1, 2];

const poolSlots: Readonly<Record<string, Slots>> = {
  "jdk.types.StackTrace": { truncated: first, "frames.method": second, "frames.lineNumber": third },
  "jdk.types.Method": { type: first, name: second },
  "java.lang.Class": { name: first },
  "jdk.types.Symbol": { string: first },
  "java.lang.String": { "": first },
  "jdk.types.ThreadState": { name: first },
};

export interface StackTrace {
  /** Indexes as `frameOf` gave them, leaf first. */
  readonly frames: readonly number[];
  /** The profiler kept only the innermost frames. */
  readonly isTruncated: boolean;
}

/** Where the frames of all chunks go. */
export interface FrameSink {
  readonly frameOf: (frame: LineFrame) => number;
  readonly limits: ReadLimits;
}

/** The constants of a chunk: stack traces, methods, names, to which its events refer by ids. */
export class Constants {
  readonly #bytes: ChunkBytes;
  readonly #sink: FrameSink;
  readonly #pools = new Map<string, Pool>();
  readonly #stacks = new Map<number, StackTrace>();
  readonly #methods = new Map<number, { readonly name: string; readonly frames: Map<number, number> }>();
  readonly #names = new Map<number, string>();
  readonly #classNames = new Map<number, string>();
  readonly #slots = new Float64Array(3);
  /** Of constants that are not read. */
  readonly #otherLayouts = new Map<number, Layout>();
  #constantsLeft: number;

  constructor(
    file: Uint8Array,
    header: ChunkHeader,
    { classes, wide, sink }: { classes: Classes; wide: WideNumbers; sink: FrameSink },
  ) {
    const { isCompressed, constants, end } = header;
    this.#bytes = new ChunkBytes(file, { pos: constants, end, isCompressed, wide });
    this.#sink = sink;
    this.#constantsLeft = sink.limits.strings;
    for (const [name, slots] of Object.entries(poolSlots)) {
      const id = classes.idOf(name);
      if (id === undefined) continue;
      this.#pools.set(name, { offsets: new Map(), layout: layoutOf(classes, id, slots) });
    }
    this.#find(header, classes);
  }

  /** Undefined where the event has no stack trace. */
  stackTrace(id: number): StackTrace | undefined {
    const known = this.#stacks.get(id);
    if (known !== undefined) return known;
    const frames: number[] = [];
    const isThere = this.#read("jdk.types.StackTrace", id, () => {
      const [truncated, method, line] = this.#slots;
      // Names are elsewhere, and read with the same slots.
      const { pos } = this.#bytes;
      frames.push(this.#frame(method, line));
      this.#bytes.pos = pos;
      this.#slots[first] = truncated;
    });
    if (!isThere) return undefined;
    const stack = { frames, isTruncated: this.#slots[first] !== 0 };
    this.#stacks.set(id, stack);
    return stack;
  }

  threadState(id: number): string {
    return this.#read("jdk.types.ThreadState", id) ? this.textAt(this.#slots[first]) : "";
  }

  /** A text of an event. */
  textAt(offset: number): string {
    this.#bytes.pos = offset;
    return this.#bytes.text(this.#sink.limits.nameBytes, (id) => this.#string(id));
  }

  #string(id: number): string {
    if (!this.#read("java.lang.String", id)) return "";
    this.#bytes.pos = this.#slots[first];
    return this.#bytes.text(this.#sink.limits.nameBytes);
  }

  #frame(id: number, lineNumber: number): number {
    const line = Math.max(0, lineNumber);
    const method = this.#method(id);
    const known = method.frames.get(line);
    if (known !== undefined) return known;
    const frame = this.#sink.frameOf({ name: method.name, file: "", line });
    method.frames.set(line, frame);
    return frame;
  }

  #method(id: number) {
    const known = this.#methods.get(id);
    if (known !== undefined) return known;
    const isThere = this.#read("jdk.types.Method", id);
    const [type, name] = [this.#slots[first], this.#slots[second]];
    const method = {
      name: isThere ? `${this.#className(type)}.${this.#name(name)}` : "[unknown]",
      frames: new Map<number, number>(),
    };
    this.#methods.set(id, method);
    return method;
  }

  #className(id: number): string {
    const known = this.#classNames.get(id);
    if (known !== undefined) return known;
    const isThere = this.#read("java.lang.Class", id);
    const name = isThere ? withoutCounters(this.#name(this.#slots[first])) : "";
    this.#classNames.set(id, name);
    return name;
  }

  #name(id: number): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = this.#read("jdk.types.Symbol", id) ? this.textAt(this.#slots[first]) : "";
    this.#names.set(id, name);
    return name;
  }

  /** Reads a constant into the slots; false if there is none. */
  #read(pool: string, id: number, onItem?: () => void): boolean {
    const { offsets, layout } = this.#pools.get(pool) ?? {};
    const offset = offsets?.get(id);
    if (offset === undefined || layout === undefined) return false;
    this.#bytes.pos = offset;
    this.#slots.fill(0);
    readValues(this.#bytes, layout, this.#slots, onItem);
    return true;
  }

  /** Constants are in several events. Each of them says how far the one before it is. */
  #find({ constants, start, end }: ChunkHeader, classes: Classes): void {
    const bytes = this.#bytes;
    let bytesLeft = end - start;
    for (let at = constants; ; ) {
      bytes.pos = at;
      bytes.int();
      for (let number = 0; number < 3; number++) bytes.long();
      const delta = Number(BigInt.asIntN(64, bytes.wide.toBigInt(bytes.long())));
      bytes.byte();
      for (let left = bytes.count(); left > 0; left--) this.#findIn(bytes.long(), classes);
      bytesLeft -= bytes.pos - at;
      if (delta === 0) return;
      at += delta;
      // Events that name each other, or overlap, would be read again and again.
      if (bytesLeft < 0 || at <= start || at >= end) throw wrongChain(at);
    }
  }

  /** Finds the constants of one class in an event. */
  #findIn(classId: number, classes: Classes): void {
    const bytes = this.#bytes;
    const pool = this.#pools.get(classes.byId.get(classId)?.name ?? "");
    let layout = pool?.layout ?? this.#otherLayouts.get(classId);
    if (layout === undefined) {
      layout = layoutOf(classes, classId);
      this.#otherLayouts.set(classId, layout);
    }
    for (let left = bytes.count(); left > 0; left--) {
      const id = bytes.long();
      if (pool !== undefined) {
        if (this.#constantsLeft-- === 0) throw tooManyConstants(this.#sink.limits.strings);
        pool.offsets.set(id, bytes.pos);
      }
      readValues(bytes, layout, this.#slots);
    }
  }
}

function tooManyConstants(max: number): Refusal {
  return new Refusal("too_large", `A chunk of the recording has more than ${max} constants.`, "strings", max);
}

function wrongChain(at: number): Refusal {
  const message = "The recording is damaged: the events with its constants do not follow one another.";
  return new Refusal("malformed", message, "constants", at);
}

/**
 * Names that the JVM and libraries generate have counters and addresses, which differ in each process: they become `_`, so that the
 * frames of all processes are the same ones. The names are those of Pyroscope's server.
 */
const generatedNames: readonly (readonly [RegExp, string])[] = [
  [/^(jdk\/internal\/reflect\/GeneratedMethodAccessor)\d+$/, "$1_"],
  [/^(.+\$\$Lambda)(?:\$?\d*[./](?:0x)?[\da-f]+|\d+)$/, "$1_"],
  [/^(?:\.?\/tmp\/)?libzstd-jni-\d+\.\d+\.\d+-\d+\.so(?: \(deleted\))?$/, "libzstd-jni-_.so"],
  [
    /^(?:\.?\/tmp\/)?(?:lib)?amazonCorrettoCryptoProvider(?:NativeLibraries\.)?[0-9a-f]{16}(?:\/libcrypto|\/libamazonCorrettoCryptoProvider)?\.so(?: \(deleted\))?$/,
    "libamazonCorrettoCryptoProvider_.so",
  ],
  [
    /^(?:\.?\/tmp\/)?libasyncProfiler-(?:linux-arm64|linux-musl-x64|linux-x64|macos)-17b9a1d8156277a98ccc871afa9a8f69215f92\.so(?: \(deleted\))?$/,
    "libasyncProfiler-_.so",
  ],
  [/^(.+\$\$EnhancerBySpringCGLIB\$\$).*$/, "$1_"],
];

function withoutCounters(name: string): string {
  for (const [pattern, replacement] of generatedNames)
    if (pattern.test(name)) return name.replace(pattern, replacement);
  return name;
}
