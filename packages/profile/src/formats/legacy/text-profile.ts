import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { pprofOf } from "#write/pprof-stacks.ts";
import { AddressStacks } from "./address-stacks.ts";
import { javaFunctions } from "./java-functions.ts";
import { beginsMemoryMap, readMemoryMap } from "./memory-map.ts";
import { kindOfText, type StackValues, type TextKind } from "./text-kinds.ts";

/**
 * Text profiles with addresses in place of functions, of gperftools, of early Go and of jemalloc:
 *
 * ```
 * heap profile: 13: 1595680 [47: 2584] @ heap/1048576     what it measures: text-kinds.ts
 * 1: 524288 [3: 1572864] @ 0x420cef 0x422151              values, and the stack, leaf first
 * MAPPED_LIBRARIES:
 * 00400000-0040b000 r-xp 00000000 08:01 1234 /bin/cat     or the functions, if Java wrote it
 * ```
 *
 * Values are scaled from the sampled to all ones, and addresses moved to the call before them, as google/pprof does.
 */
export function readLegacyText(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  const text = new TextBytes(bytes);
  const kind = kindOfText(text.text(0, Math.min(headerMax, bytes.length)));
  if (kind === undefined) {
    const message = "The legacy text profile has no header that names what it measures.";
    throw new Refusal("invalid", message, "profile", 0);
  }
  return pprofOf(limits, (stacks) => {
    const addresses = new AddressStacks(stacks, limits);
    const rest = text.text(new LegacyLines(kind, text, addresses).read(), bytes.length);
    const places = kind.isJava
      ? { functions: javaFunctions(rest, addresses) }
      : { ranges: readMemoryMap(rest, limits) };
    return { ...kind.facts, ...addresses.places(places) };
  });
}

/** Within it, a line of any content takes little memory. */
const lineLengthMax = 1024 * 1024;
/** At most 20 lines tell what is measured. */
const headerMax = 1024 * 1024;
const [newline, space, digit0, digit9, at, letterT] = [0x0a, 0x20, 0x30, 0x39, 0x40, 0x74] as const;

class LegacyLines {
  readonly #kind: TextKind;
  readonly #text: TextBytes;
  readonly #addresses: AddressStacks;
  readonly #locations = new GrowableUint32(64);
  /** jemalloc and threads have the stack before its values. */
  #isOpen = false;
  #end = -1;

  constructor(kind: TextKind, text: TextBytes, addresses: AddressStacks) {
    this.#kind = kind;
    this.#text = text;
    this.#addresses = addresses;
  }

  /** Returns where the stacks end. */
  read(): number {
    const text = this.#text;
    const { length } = text.bytes;
    let start = 0;
    for (let line = 0; line < this.#kind.headerLines; line++) start = text.find(newline, start, length) + 1;
    while (start < length && this.#end < 0) {
      const next = text.find(newline, start, length);
      if (next - start > lineLengthMax) {
        const message = `The profile has a line with more than ${lineLengthMax} characters.`;
        throw new Refusal("invalid", message, "line", start);
      }
      if (!this.#addCommon(start, text.trimmedEnd(start, next))) this.#add(start, text.lineEnd(start, next));
      start = next + 1;
    }
    this.#closeThread();
    return this.#end < 0 ? length : this.#end;
  }

  /** Whether the line is one of those that are most of a text. */
  #addCommon(start: number, end: number): boolean {
    const text = this.#text;
    const { layout } = this.#kind;
    let from = start;
    while (from < end && text.bytes[from] <= space) from++;
    const first = text.bytes[from];
    if (layout === "stack-first" && first === at) return this.#readStack(from + 1, end);
    if (layout === "stack-first" && first === letterT) return this.#addTotal(text.text(from, end), start);
    if (layout !== "values-first" || first < digit0 || first > digit9) return false;
    const valuesEnd = text.find(at, from, end);
    const values = this.#kind.values(text.text(from, valuesEnd).trimEnd());
    if (values === undefined || valuesEnd === end || !this.#readStack(valuesEnd + 1, end)) return false;
    this.#addStack(values, start);
    return true;
  }

  /** Reads the addresses of a stack. They are those of the instructions behind the calls. */
  #readStack(from: number, end: number): boolean {
    const { bytes } = this.#text;
    this.#locations.clear();
    for (let next = from; next < end; ) {
      if (bytes[next] === space) next++;
      else {
        const to = this.#text.find(space, next, end);
        if (!this.#readAddress(next, to)) return false;
        next = to;
      }
    }
    this.#isOpen = true;
    return true;
  }

  /** Reads an address such as 0x420cef. */
  #readAddress(from: number, to: number): boolean {
    const digits = this.#text.startsWith("0x", from, to) ? to - from - 2 : 0;
    if (digits < 1 || digits > 16) return false;
    let [high, low] = [0, 0];
    for (let place = from + 2; place < to; place++) {
      const digit = hexDigit(this.#text.bytes[place]);
      if (digit < 0) return false;
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    const location = this.#kind.isJava
      ? this.#addresses.location(high >>> 0, low >>> 0)
      : this.#addresses.locationBefore(high >>> 0, low >>> 0);
    this.#locations.push(location);
    return true;
  }

  #addStack({ values, blockSize }: StackValues, offset: number): void {
    const labels = this.#addresses.sizeLabels(blockSize);
    this.#addresses.stacks.add(this.#locations.filled(), within64Bits(values, offset), labels);
    this.#isOpen = false;
  }

  /** The line of all threads together; their own values, and lines of later versions, repeat it. */
  #addTotal(line: string, offset: number): boolean {
    if (!line.startsWith("t*:")) return false;
    const values = this.#kind.values(line.slice("t*:".length).trim());
    if (values === undefined) return false;
    if (this.#isOpen) this.#addStack(values, offset);
    return true;
  }

  #add(start: number, end: number): void {
    const line = this.#text.text(start, end);
    const trimmed = line.trim();
    const { layout, isJava } = this.#kind;
    if (beginsMemoryMap(line)) this.#end = start;
    else if (trimmed === "" || trimmed.startsWith("#")) return;
    else if (layout === "threads") this.#addToThread(trimmed);
    else if (layout === "stack-first") {
      if (trimmed.startsWith("@") || trimmed.startsWith("t*:")) throw unreadable(start);
    } else {
      const values = this.#kind.values(trimmed.slice(0, Math.max(0, trimmed.indexOf("@"))).trim());
      if (values !== undefined || !(isJava || trimmed.startsWith("---"))) throw unreadable(start);
      this.#end = start;
    }
  }

  #addToThread(line: string): void {
    if (line.startsWith("---")) {
      this.#closeThread();
      this.#isOpen = true;
    } else if (line.includes("same as previous thread")) {
      this.#isOpen = false;
      this.#locations.clear();
      this.#addresses.stacks.repeat();
    } else if (this.#isOpen) {
      for (const [, digits = ""] of line.matchAll(/0x([0-9a-f]{1,16})/g)) {
        const [high, low] = [Number(`0x0${digits.slice(0, -8)}`), Number(`0x${digits.slice(-8)}`)];
        const isLeaf = this.#locations.length === 0;
        this.#locations.push(
          isLeaf ? this.#addresses.location(high, low) : this.#addresses.locationBefore(high, low),
        );
      }
    }
  }

  #closeThread(): void {
    if (this.#kind.layout !== "threads") return;
    const [leaf, caller] = this.#locations.filled();
    const isTwice = caller !== undefined && this.#addresses.isBefore(caller, leaf);
    const locations = isTwice ? [leaf, ...this.#locations.filled().subarray(2)] : this.#locations.filled();
    if (this.#isOpen && locations.length > 0) this.#addresses.stacks.add(locations, [1]);
    this.#locations.clear();
    this.#isOpen = false;
  }
}

function hexDigit(byte: number): number {
  if (byte >= digit0 && byte <= digit9) return byte - digit0;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}

function unreadable(offset: number): Refusal {
  const message = "A line of the legacy text profile is no stack with its values.";
  return new Refusal("invalid", message, "line", offset);
}

function within64Bits(values: readonly bigint[], offset: number): readonly bigint[] {
  if (values.every((value) => BigInt.asIntN(64, value) === value)) return values;
  throw new Refusal("invalid", "The profile has a value that does not fit 64 bits.", "line", offset);
}
