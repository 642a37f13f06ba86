import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";

/** Where a text is. Most come again, by their number. */
export interface MarshalText {
  readonly from: number;
  readonly to: number;
  /** The caller's; undefined until it is set. */
  index: number | undefined;
}

/** Texts, numbers, and tuples of them. Other values are undefined. */
export type Value = MarshalText | number | undefined | readonly Value[];

/** Tuples of statistics have at most five values; a key with its tuple is three levels deep. */
const tupleMax = 5;
const depthMax = 4;
const smallTuple = 0x29;

/** The part of Python's marshal (Python/marshal.c, versions 0 to 5) that statistics have. It makes no other object than texts, numbers and tuples. */
export class Marshal {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limits: ReadLimits;
  /** Objects that later ones name by their number. */
  readonly #references: Value[] = [];
  /** Python 2 numbered texts separately. */
  readonly #interned: Value[] = [];
  readonly #items: Value[] = [];

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = limits;
  }

  unexpected(): Refusal {
    const message =
      "The statistics of cProfile are damaged, or have other objects than functions with their calls and times.";
    return new Refusal("invalid", message, "pstats", this.at);
  }

  /** Calls `visit` at each key, to read it and its value. */
  dictionary(visit: () => void): void {
    this.#reserve(this.#code("{"));
    while (this.#byte(this.at) !== 0x30) visit();
    this.at++;
  }

  /** Reads the beginning of a tuple. */
  container(length: number): void {
    const isSmall = (this.#byte(this.at) & 0x7f) === 0x29;
    this.#reserve(this.#code(isSmall ? ")" : "("));
    if ((isSmall ? this.#byte(this.at++) : this.#int32()) !== length) throw this.unexpected();
  }

  number(): number {
    const value = this.value(0);
    if (typeof value !== "number") throw this.unexpected();
    return value;
  }

  /** The items of a tuple, or another value alone, in a list that the next call may overwrite. */
  items(): readonly Value[] {
    if (this.#byte(this.at) !== smallTuple) {
      const value = this.value(0);
      return isTuple(value) ? value : [value];
    }
    this.at++;
    const length = this.#byte(this.at++);
    if (length > tupleMax) throw this.unexpected();
    this.#items.length = length;
    for (let i = 0; i < length; i++) this.#items[i] = this.value(1);
    return this.#items;
  }

  value(depth: number): Value {
    const code = this.#byte(this.at++);
    const isReferenced = code >= 0x80;
    const type = String.fromCharCode(code & 0x7f);
    const place = isReferenced ? this.#reserve(true) : -1;
    const value = type === "(" || type === ")" ? this.#tuple(type, depth) : this.#simple(type);
    if (isReferenced) this.#references[place] = value;
    return value;
  }

  #tuple(type: string, depth: number): Value[] {
    const length = type === ")" ? this.#byte(this.at++) : this.#int32();
    if (depth >= depthMax || length < 0 || length > tupleMax) throw this.unexpected();
    const values: Value[] = [];
    for (let i = 0; i < length; i++) values.push(this.value(depth + 1));
    return values;
  }

  #simple(type: string): Value {
    switch (type) {
      case "N":
      case "T":
      case "F":
        return undefined;
      case "i":
        return this.#int32();
      case "I":
        return Number(this.#view.getBigInt64(this.#take(8), true));
      case "l":
        return this.#long();
      case "g":
        return this.#view.getFloat64(this.#take(8), true);
      case "f":
        return this.#floatText();
      case "s":
      case "u":
      case "a":
      case "A":
        return this.#text(this.#int32());
      case "z":
      case "Z":
        return this.#text(this.#byte(this.at++));
      case "t":
        return this.#intern(this.#text(this.#int32()));
      case "R":
        return this.#named(this.#interned);
      case "r":
        return this.#named(this.#references);
      default:
        throw this.unexpected();
    }
  }

  /** Digits of 15 bits. Numbers beyond 2^53 are refused where they are used. */
  #long(): number {
    const size = this.#int32();
    const digits = Math.abs(size);
    let value = 0;
    const start = this.#take(2 * Math.min(digits, this.#bytes.length));
    for (let i = digits - 1; i >= 0; i--) value = value * 32_768 + this.#view.getUint16(start + 2 * i, true);
    return size < 0 ? -value : value;
  }

  #named(values: readonly Value[]): Value {
    const index = this.#int32();
    if (index < 0 || index >= values.length) throw this.unexpected();
    return values[index];
  }

  #floatText(): number {
    const { from, to } = this.#text(this.#byte(this.at++));
    return Number(decodeText(this.#bytes.subarray(from, to)));
  }

  #intern(text: MarshalText): MarshalText {
    if (this.#interned.length >= this.#limits.strings) throw this.#tooMany();
    this.#interned.push(text);
    return text;
  }

  #text(length: number): MarshalText {
    const from = this.#take(length);
    return { from, to: from + length, index: undefined };
  }

  /** Whether the object of this type, which must be next, has a number. */
  #code(type: string): boolean {
    const code = this.#byte(this.at++);
    if ((code & 0x7f) !== type.charCodeAt(0)) throw this.unexpected();
    return code >= 0x80;
  }

  #reserve(isReferenced: boolean): number {
    if (!isReferenced) return -1;
    if (this.#references.length >= this.#limits.strings) throw this.#tooMany();
    return this.#references.push(undefined) - 1;
  }

  #tooMany(): Refusal {
    const { strings } = this.#limits;
    return new Refusal("too_large", `The statistics have more than ${strings} objects.`, "strings", strings);
  }

  #int32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  #byte(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw this.unexpected();
    return byte;
  }

  /** Where the next bytes begin. */
  #take(length: number): number {
    const start = this.at;
    if (length < 0 || start + length > this.#bytes.length) throw this.unexpected();
    this.at += length;
    return start;
  }
}

function isTuple(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isText(value: Value): value is MarshalText {
  return typeof value === "object" && !isTuple(value);
}
