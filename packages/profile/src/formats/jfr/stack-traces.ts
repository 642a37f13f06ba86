import { decodeText, encodeText } from "#wire/wire-reader.ts";
import type { PprofWriter } from "#write/pprof-writer.ts";
import type { Constants } from "./constants.ts";
import type { FrameLists } from "./frame-lists.ts";

const dot = encodeText(".");
const nothing = new Uint8Array(0);
const unknownMethod = encodeText("[unknown]");

/** The stack traces of a chunk as lists of locations in the profile: functions and locations are written once a sample names them. */
export class StackTraces {
  readonly #constants: Constants;
  readonly #lists: FrameLists;
  readonly #writer: PprofWriter;
  /** By place: its location, 0 before there is one. */
  readonly #locations: Uint32Array;
  #list = 0;
  readonly #functions = new Map<number, number>();
  readonly #classNames = new Map<number, Uint8Array>();

  constructor(constants: Constants, writer: PprofWriter) {
    this.#constants = constants;
    this.#lists = constants.stackTraces;
    this.#writer = writer;
    this.#locations = new Uint32Array(this.#lists.places.length);
  }

  /** Makes the locations of a list of places, and returns how many frames it has. */
  prepare(list: number): number {
    const { frames } = this.#lists;
    this.#list = list;
    const [start, end] = [this.#lists.start(list), this.#lists.end(list)];
    for (let at = start; at < end; at++) if (this.#locations[frames[at]] === 0) this.#addLocation(frames[at]);
    const isTruncated = this.#lists.isTruncated(list);
    if (isTruncated) this.#writer.truncatedLocation();
    return end - start + Number(isTruncated);
  }

  /** Writes the locations of the list that was prepared, leaf first, as a field of a sample. */
  write(): void {
    const { out } = this.#writer;
    const { frames } = this.#lists;
    const list = this.#list;
    const field = out.open(0x0a);
    out.varints(this.#locations, frames, this.#lists.start(list), this.#lists.end(list));
    if (this.#lists.isTruncated(list)) out.varint(this.#writer.truncatedLocation());
    out.close(field);
  }

  #addLocation(place: number): void {
    const { places } = this.#lists;
    this.#locations[place] = this.#writer.location(this.#function(places.at(place, 0)), places.at(place, 1));
  }

  #function(id: number): number {
    const known = this.#functions.get(id);
    if (known !== undefined) return known;
    const added = this.#addFunction(id);
    this.#functions.set(id, added);
    return added;
  }

  #addFunction(id: number): number {
    if (!this.#constants.read("jdk.types.Method", id))
      return this.#writer.function(unknownMethod, nothing, nothing);
    const [type, name] = this.#constants.slots;
    const className = this.#className(type);
    // Functions of native code have no class, or their library in its place.
    return this.#writer.function(
      className,
      className.length === 0 ? nothing : dot,
      this.#constants.symbol(name),
    );
  }

  #className(id: number): Uint8Array {
    const known = this.#classNames.get(id);
    if (known !== undefined) return known;
    const isThere = this.#constants.read("java.lang.Class", id);
    const name = isThere ? withoutCounters(this.#constants.symbol(this.#constants.slots[0])) : nothing;
    this.#classNames.set(id, name);
    return name;
  }
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

const [dollar, letterG, letterO, fullStop] = [0x24, 0x47, 0x6f, 0x2e];

function withoutCounters(name: Uint8Array): Uint8Array {
  if (!mayBeGenerated(name)) return name;
  const text = decodeText(name);
  for (const [pattern, replacement] of generatedNames)
    if (pattern.test(text)) return encodeText(text.replace(pattern, replacement));
  return name;
}

/** Whether `$$`, `.so` or `Ge` is in a name: few names are decoded. */
function mayBeGenerated(name: Uint8Array): boolean {
  for (let at = 1; at < name.length; at++) {
    const [before, code] = [name[at - 1], name[at]];
    if (before === dollar && code === dollar) return true;
    if (before === letterG && code === 0x65) return true;
    if (before === 0x73 && code === letterO && name[at - 2] === fullStop) return true;
  }
  return false;
}
