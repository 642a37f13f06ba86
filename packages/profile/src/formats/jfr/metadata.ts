import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { ChunkBytes, type Recording } from "./chunk-bytes.ts";

/** Bytes of a chunk's header, whose numbers are big-endian (jdk.jfr.internal.consumer.ChunkHeader in the JDK). */
export const headerBytes = 68;

export interface ChunkHeader {
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  readonly constants: number;
  readonly metadata: number;
  readonly startNs: bigint;
  readonly durationNs: bigint;
  readonly ticksPerSecond: number;
  readonly isCompressed: boolean;
}

/** Whether a chunk may begin at an offset. */
export function isChunk(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x46 && bytes[at + 1] === 0x4c && bytes[at + 2] === 0x52 && bytes[at + 3] === 0;
}

export function readHeader(bytes: Uint8Array, start: number): ChunkHeader {
  if (bytes.length - start < headerBytes) throw cutOff(start, headerBytes, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, headerBytes);
  const major = view.getUint16(4);
  if (major !== 2) {
    const message = `The recording has version ${major} of the format of Java Flight Recorder. Record it with Java 9 or newer, which write version 2.`;
    throw new Refusal("invalid", message, "chunk.version", start + 4);
  }
  const size = Number(view.getBigInt64(8));
  if (size === 0) {
    const message = "The recording is not finished: send it after it was stopped or dumped.";
    throw new Refusal("malformed", message, "chunk.size", start + 8);
  }
  if (size < headerBytes || start + size > bytes.length) throw cutOff(start, size, bytes.length);
  const ticksPerSecond = Number(view.getBigInt64(56));
  if (ticksPerSecond <= 0) {
    const message = "The recording is damaged: its clock has no frequency.";
    throw new Refusal("malformed", message, "chunk.ticks", start + 56);
  }
  const offset = (at: number, name: string) => {
    const value = Number(view.getBigInt64(at));
    if (value >= headerBytes && value < size) return start + value;
    const message = `The recording is damaged: the ${name} of a chunk are not in it.`;
    throw new Refusal("malformed", message, `chunk.${name}`, start + at);
  };
  return {
    start,
    end: start + size,
    constants: offset(16, "constants"),
    metadata: offset(24, "metadata"),
    startNs: view.getBigInt64(32),
    durationNs: view.getBigInt64(40),
    ticksPerSecond,
    isCompressed: (view.getUint8(67) & 1) === 1,
  };
}

function cutOff(start: number, size: number, length: number): Refusal {
  const message = `The recording is cut off: a chunk has ${size} bytes, and ${length - start} of them are there.`;
  return new Refusal("malformed", message, "chunk.size", start + 8);
}

interface Field {
  readonly name: string;
  readonly classId: number;
  /** The value is the id of a constant. */
  readonly isConstant: boolean;
  readonly isList: boolean;
}

interface Class {
  readonly name: string;
  /** Most classes are of events that nobody reads: fields are read when they are asked for. */
  readonly fields: () => readonly Field[];
}

/** The classes that a chunk declares: of its events, and of the values in them. */
export interface Classes {
  readonly byId: ReadonlyMap<number, Class>;
  readonly idOf: (name: string) => number | undefined;
  readonly isCompressed: boolean;
  /** Steps that layouts may still have: see `layoutOf`. */
  readonly left: { steps: number };
}

/** JDK 25 declares some hundred classes, with some thousand fields. */
const classesMax = 100_000;
const fieldsMax = 1_000_000;
/** Elements within one another: a class is at depth 2, its fields are at depth 3, with annotations below. */
const depthMax = 16;

/** The event that describes all others: a table of texts, and a tree of elements whose names and attributes are texts of it. */
export function readMetadata(recording: Recording, header: ChunkHeader): Classes {
  const { limits, left } = recording;
  const bytes = new ChunkBytes(recording, header, header.metadata);
  bytes.int();
  for (let number = 0; number < 4; number++) bytes.skipLong();
  const count = bytes.count();
  if (count > limits.strings)
    throw tooMany("strings", `${limits.strings} texts in its metadata`, limits.strings);
  const offsets = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    offsets[index] = bytes.pos;
    bytes.skipText();
  }
  const tree = new ElementTree(bytes, offsets, limits.nameBytes);
  tree.read();
  return { byId: tree.byId, idOf: (name) => tree.ids.get(name), isCompressed: header.isCompressed, left };
}

class ElementTree {
  readonly byId = new Map<number, Class>();
  readonly ids = new Map<string, number>();
  readonly #bytes: ChunkBytes;
  /** Most texts describe classes to people, and are not read. */
  readonly #offsets: Uint32Array;
  readonly #texts: (string | undefined)[] = [];
  readonly #lengthMax: number;
  /** Attributes of the element that was begun last. */
  #name = "";
  #id = 0;
  #classId = 0;
  #isConstant = false;
  #isList = false;
  #fieldsLeft = fieldsMax;

  constructor(bytes: ChunkBytes, offsets: Uint32Array, lengthMax: number) {
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#lengthMax = lengthMax;
  }

  /** Finds the classes in an element and below it. */
  read(depth = 0): void {
    if (depth > depthMax) throw this.#damaged("elements are more than 16 levels deep");
    const element = this.#text();
    if (element !== "class") this.#skipAttributes();
    else {
      this.#readAttributes();
      this.#addClass(this.#bytes.pos);
    }
    for (let left = this.#bytes.count(); left > 0; left--)
      if (element === "class") this.#skip(depth + 1);
      else this.read(depth + 1);
  }

  #skip(depth: number): void {
    if (depth > depthMax) throw this.#damaged("elements are more than 16 levels deep");
    this.#bytes.int();
    this.#skipAttributes();
    for (let left = this.#bytes.count(); left > 0; left--) this.#skip(depth + 1);
  }

  #skipAttributes(): void {
    this.#bytes.skipInts(2 * this.#bytes.count());
  }

  #readAttributes(): void {
    this.#name = "";
    this.#isConstant = false;
    this.#isList = false;
    for (let left = this.#bytes.count(); left > 0; left--) {
      const key = this.#text();
      if (key === "name") this.#name = this.#text();
      else if (key === "id") this.#id = Number(this.#text());
      else if (key === "class") this.#classId = Number(this.#text());
      else if (key === "constantPool") this.#isConstant = this.#text() === "true";
      else if (key === "dimension") this.#isList = Number(this.#text()) > 0;
      else this.#bytes.int();
    }
  }

  /** @param start of the elements within the class */
  #addClass(start: number): void {
    if (this.byId.size === classesMax) throw tooMany("functions", `${classesMax} classes`, classesMax);
    const name = this.#name;
    let fields: Field[] | undefined;
    this.byId.set(this.#id, {
      name,
      fields: () => {
        fields ??= this.#fieldsAt(start);
        return fields;
      },
    });
    this.ids.set(name, this.#id);
  }

  #fieldsAt(start: number): Field[] {
    const fields: Field[] = [];
    this.#bytes.pos = start;
    for (let left = this.#bytes.count(); left > 0; left--) {
      if (this.#fieldsLeft-- === 0) throw tooMany("functions", `${fieldsMax} fields of classes`, fieldsMax);
      const isField = this.#text() === "field";
      this.#readAttributes();
      if (isField)
        fields.push({
          name: this.#name,
          classId: this.#classId,
          isConstant: this.#isConstant,
          isList: this.#isList,
        });
      for (let inner = this.#bytes.count(); inner > 0; inner--) this.#skip(0);
    }
    return fields;
  }

  #text(): string {
    const index = this.#bytes.int();
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const offset = this.#offsets[index];
    if (offset === undefined) throw this.#damaged("a name is not in its table of texts");
    const { pos } = this.#bytes;
    this.#bytes.pos = offset;
    const text = this.#bytes.text(this.#lengthMax);
    this.#bytes.pos = pos;
    this.#texts[index] = text;
    return text;
  }

  #damaged(what: string): Refusal {
    const message = `The recording is damaged: in its metadata, ${what}.`;
    return new Refusal("malformed", message, "metadata", this.#bytes.pos);
  }
}

function tooMany(limit: keyof ReadLimits, what: string, max: number): Refusal {
  return new Refusal("too_large", `The recording has more than ${what}.`, limit, max);
}
