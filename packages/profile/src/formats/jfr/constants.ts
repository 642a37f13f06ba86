import { type ReadLimits, truncatedName } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { LineFrame } from "#write/stack-lines.ts";
import { ChunkBytes, type Recording } from "./chunk-bytes.ts";
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

interface Method {
  readonly name: string;
  /** The line that was asked for last: most methods are called at one. */
  line: number;
  frame: number;
  readonly frames: Map<number, number>;
}

/** The index of a frame among those of all chunks. */
type FrameOf = (frame: LineFrame) => number;

/** The constants of a chunk: stack traces, methods, names, to which its events refer by ids. */
export class Constants {
  readonly #bytes: ChunkBytes;
  readonly #limits: ReadLimits;
  readonly #left: { constants: number };
  readonly #pools = new Map<string, Pool>();
  readonly #stackPool: Pool | undefined;
  readonly #stacks = new Map<number, Uint32Array>();
  readonly #methods = new Map<number, Method>();
  readonly #names = new Map<number, string>();
  readonly #classNames = new Map<number, string>();
  readonly #slots = new Float64Array(3);
  /** By class, to find where each constant ends. */
  readonly #skippingLayouts = new Map<number, Layout>();

  constructor(recording: Recording, header: ChunkHeader, classes: Classes) {
    this.#bytes = new ChunkBytes(recording, header, header.constants);
    this.#limits = recording.limits;
    this.#left = recording.left;
    for (const [name, slots] of Object.entries(poolSlots)) {
      const id = classes.idOf(name);
      if (id === undefined) continue;
      this.#pools.set(name, { offsets: new Map(), layout: layoutOf(classes, id, slots) });
    }
    this.#stackPool = this.#pools.get("jdk.types.StackTrace");
    this.#find(header, classes);
  }

  /** The frames of a stack trace, leaf first, as `frameOf` gives them; empty where the event has no stack trace. */
  stackTrace(id: number, frameOf: FrameOf): Uint32Array {
    const known = this.#stacks.get(id);
    if (known !== undefined) return known;
    const methods: number[] = [];
    const lines: number[] = [];
    const slots = this.#slots;
    this.#read(this.#stackPool, id, () => {
      methods.push(slots[second]);
      lines.push(slots[third]);
    });
    const { length } = methods;
    if (length > this.#limits.frames) throw tooManyFrames(this.#limits.frames);
    // The profiler kept the innermost frames only.
    const isTruncated = length > 0 && slots[first] !== 0;
    const frames = new Uint32Array(length + (isTruncated ? 1 : 0));
    for (let at = 0; at < length; at++) frames[at] = this.#frame(methods[at], lines[at], frameOf);
    if (isTruncated) frames[length] = frameOf({ name: truncatedName, file: "", line: 0 });
    this.#stacks.set(id, frames);
    return frames;
  }

  threadState(id: number): string {
    return this.#read(this.#pools.get("jdk.types.ThreadState"), id) ? this.textAt(this.#slots[first]) : "";
  }

  /** A text of an event. */
  textAt(offset: number): string {
    this.#bytes.pos = offset;
    return this.#bytes.text(this.#limits.nameBytes, (id) => this.#string(id));
  }

  #string(id: number): string {
    if (!this.#read(this.#pools.get("java.lang.String"), id)) return "";
    this.#bytes.pos = this.#slots[first];
    return this.#bytes.text(this.#limits.nameBytes);
  }

  #frame(id: number, lineNumber: number, frameOf: FrameOf): number {
    const line = Math.max(0, lineNumber);
    const method = this.#methods.get(id) ?? this.#readMethod(id);
    if (method.line === line) return method.frame;
    const frame = method.frames.get(line) ?? frameOf({ name: method.name, file: "", line });
    if (method.line >= 0) method.frames.set(method.line, method.frame);
    method.line = line;
    method.frame = frame;
    return frame;
  }

  #readMethod(id: number): Method {
    const isThere = this.#read(this.#pools.get("jdk.types.Method"), id);
    const [type, name] = this.#slots;
    const method = {
      name: isThere ? `${this.#className(type)}.${this.#name(name)}` : "[unknown]",
      line: -1,
      frame: 0,
      frames: new Map<number, number>(),
    };
    this.#methods.set(id, method);
    return method;
  }

  #className(id: number): string {
    const known = this.#classNames.get(id);
    if (known !== undefined) return known;
    const isThere = this.#read(this.#pools.get("java.lang.Class"), id);
    const name = isThere ? withoutCounters(this.#name(this.#slots[first])) : "";
    this.#classNames.set(id, name);
    return name;
  }

  #name(id: number): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = this.#read(this.#pools.get("jdk.types.Symbol"), id) ? this.textAt(this.#slots[first]) : "";
    this.#names.set(id, name);
    return name;
  }

  /** Reads a constant into the slots; false if there is none. */
  #read(pool: Pool | undefined, id: number, onItem?: () => void): boolean {
    this.#slots.fill(0);
    const offset = pool?.offsets.get(id);
    if (pool === undefined || offset === undefined) return false;
    this.#bytes.pos = offset;
    readValues(this.#bytes, pool.layout, this.#slots, onItem);
    return true;
  }

  /** Constants are in several events. Each of them says how far the one before it is. */
  #find({ constants, start, end }: ChunkHeader, classes: Classes): void {
    const bytes = this.#bytes;
    let bytesLeft = end - start;
    for (let at = constants; ; ) {
      bytes.pos = at;
      bytes.int();
      for (let number = 0; number < 3; number++) bytes.skipLong();
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
    let layout = this.#skippingLayouts.get(classId);
    if (layout === undefined) {
      layout = layoutOf(classes, classId);
      this.#skippingLayouts.set(classId, layout);
    }
    for (let left = bytes.count(); left > 0; left--) {
      const id = bytes.long();
      if (pool !== undefined) {
        if (this.#left.constants-- === 0) throw tooManyConstants(this.#limits.strings);
        pool.offsets.set(id, bytes.pos);
      }
      readValues(bytes, layout, this.#slots);
    }
  }
}

function tooManyConstants(max: number): Refusal {
  return new Refusal("too_large", `The recording has more than ${max} constants.`, "strings", max);
}

function tooManyFrames(max: number): Refusal {
  return new Refusal(
    "too_large",
    `A stack trace of the recording has more than ${max} frames.`,
    "frames",
    max,
  );
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
  if (!/\$\$|Generated|\.so/.test(name)) return name;
  for (const [pattern, replacement] of generatedNames)
    if (pattern.test(name)) return name.replace(pattern, replacement);
  return name;
}
