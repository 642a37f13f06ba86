import { GrowableUint32 } from "#memory/growable.ts";
import type { Output } from "#wire/output.ts";
import type { AttributeReader } from "./attributes.ts";
import { readIndexes } from "./layout.ts";
import { frameTypeKey } from "./locations.ts";
import { type AddedStrings, giveUp, indexIn } from "./pprof-output.ts";
import type { OtlpRequest } from "./request.ts";

interface TablesContext {
  readonly attributes: AttributeReader;
  readonly strings: AddedStrings;
  readonly out: Output;
  /** Functions behind those of the table. */
  readonly functions: Output;
}

/** An attribute of a location: unread, without a type of the frame, or with one. */
const attributeKind = { unread: 0, none: 1, frameType: 2, kernel: 3 } as const;

const indexMemory = new GrowableUint32(64);
const lineMemory = new GrowableUint32(64);

/**
 * Functions and locations of a request as pprof has them. Its mappings are left out, because they only give frames of some locations
 * their file, and the fast reader does not look at those of others.
 */
export class PprofTables {
  /** By location: its attribute with the type of the frame, + 1. */
  readonly frameTypes: Uint32Array;
  readonly #request: OtlpRequest;
  readonly #attributes: AttributeReader;
  readonly #strings: AddedStrings;
  readonly #out: Output;
  readonly #functionsOut: Output;
  readonly #indexes = indexMemory;
  /** Starts and ends of the lines of the location that is read. */
  readonly #lines = lineMemory;
  /** By attribute. */
  readonly #kinds: Uint8Array;
  /** By function: whether it has a file, and its name. */
  readonly #hasFile: Uint8Array;
  readonly #nameOf: Uint32Array;
  /** By function: the last copy of it with the file of a mapping, and that file. */
  readonly #kernelCopy: Uint32Array;
  readonly #kernelFile: Uint32Array;
  /** By mapping: the string of its file. */
  readonly #fileOf: Uint32Array;
  #nextFunction: number;

  constructor(request: OtlpRequest, { attributes, strings, out, functions }: TablesContext) {
    this.#request = request;
    this.#attributes = attributes;
    this.#strings = strings;
    this.#out = out;
    this.#functionsOut = functions;
    const { location, function: fn, mapping, attribute } = request.tables;
    this.frameTypes = new Uint32Array(location.length / 2);
    this.#kinds = new Uint8Array(attribute.length / 2);
    this.#nextFunction = fn.length / 2;
    this.#hasFile = new Uint8Array(fn.length / 2);
    this.#nameOf = new Uint32Array(fn.length / 2);
    this.#kernelCopy = new Uint32Array(fn.length / 2);
    this.#kernelFile = new Uint32Array(fn.length / 2);
    this.#fileOf = new Uint32Array(mapping.length / 2);
  }

  write(): void {
    const { mapping, function: functions, location } = this.#request.tables;
    for (let i = 2; i < mapping.length; i += 2) this.#mapping(i / 2, mapping[i], mapping[i + 1]);
    for (let i = 2; i < functions.length; i += 2) this.#function(i / 2, functions[i], functions[i + 1]);
    for (let i = 2; i < location.length; i += 2) this.#location(i / 2, location[i], location[i + 1]);
    this.#out.copy(this.#functionsOut.bytes, 0, this.#functionsOut.length);
  }

  #mapping(index: number, start: number, end: number): void {
    const { wire, tables } = this.#request;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x20) this.#fileOf[index] = indexIn(wire, end);
      else wire.other(tag, end, "mapping", []);
    }
    if (2 * this.#fileOf[index] >= tables.string.length) giveUp(wire);
  }

  /** Numbers of a function have the same forms in pprof, with the id before them. */
  #function(id: number, start: number, end: number): void {
    const { wire } = this.#request;
    const out = this.#out;
    const entry = out.open(0x2a);
    out.varint(0x08);
    out.varint(id);
    out.reserve(end - start);
    const { bytes } = out;
    let { length } = out;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag > 0x20 || (tag & 7) !== 0) {
        wire.other(tag, end, "function", []);
        continue;
      }
      const from = wire.pos;
      wire.varint(end);
      if (tag === 0x18) this.#hasFile[id] = wire.lo === 0 && wire.hi === 0 ? 0 : 1;
      else if (tag === 0x08) this.#nameOf[id] = wire.lo;
      bytes[length++] = tag + 8;
      for (let at = from; at < wire.pos; at++) bytes[length++] = wire.bytes[at];
    }
    out.length = length;
    out.close(entry);
  }

  #location(index: number, start: number, end: number): void {
    const { wire } = this.#request;
    const out = this.#out;
    const lines = this.#lines.clear();
    let mapping = 0;
    let address = 0;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x1a) {
        const stop = wire.block(end, "location.lines");
        lines.push(wire.pos);
        lines.push(stop);
        wire.pos = stop;
      } else if (tag === 0x10) {
        address = wire.pos;
        wire.varint(end);
      } else if (tag === 0x08) mapping = indexIn(wire, end);
      else if (tag === 0x22 || tag === 0x20) this.#noteFrameType(index, tag, end);
      else wire.other(tag, end, "location", []);
    }
    if (mapping >= this.#fileOf.length && mapping !== 0) giveUp(wire);
    const file = mapping === 0 ? 0 : this.#fileOf[mapping];
    const entry = out.open(0x22);
    out.varint(0x08);
    out.varint(index);
    const isKernel = file !== 0 && this.#kinds[this.frameTypes[index] - 1] === attributeKind.kernel;
    if (lines.length === 0) this.#unsymbolised(file, address, end);
    else this.#writeLines(isKernel ? file : 0);
    out.close(entry);
  }

  /** `kernelFile`: 0 where the lines stay as they are. */
  #writeLines(kernelFile: number): void {
    const { array, length } = this.#lines;
    const out = this.#out;
    for (let at = 0; at < length; at += 2) {
      if (kernelFile !== 0) this.#kernelLine(array[at], array[at + 1], kernelFile);
      else {
        out.varint(0x22);
        out.varint(array[at + 1] - array[at]);
        out.copy(this.#request.wire.bytes, array[at], array[at + 1]);
      }
    }
  }

  /** A line of a function that is named by its address, as the frames of such locations are. */
  #unsymbolised(file: number, at: number, end: number): void {
    const { wire, tables } = this.#request;
    if (at === 0) {
      wire.lo = 0;
      wire.hi = 0;
    } else {
      wire.pos = at;
      wire.varint(end);
    }
    const [start, stop] = file === 0 ? [0, 0] : [tables.string[2 * file], tables.string[2 * file + 1]];
    const id = this.#addFunction(this.#strings.ofAddress(wire, start, stop), file);
    const out = this.#out;
    const line = out.open(0x22);
    out.varint(0x08);
    out.varint(id);
    out.close(line);
  }

  /** Writes a function behind those of the table; returns its id. */
  #addFunction(name: number, file: number): number {
    const id = this.#nextFunction++;
    const out = this.#functionsOut;
    const entry = out.open(0x2a);
    out.varint(0x08);
    out.varint(id);
    out.varint(0x10);
    out.varint(name);
    out.varint(0x20);
    out.varint(file);
    out.close(entry);
    return id;
  }

  #noteFrameType(location: number, tag: number, end: number): void {
    const { wire } = this.#request;
    const indexes = this.#indexes.clear();
    readIndexes(wire, tag, end, indexes);
    const after = wire.pos;
    for (let at = 0; at < indexes.length; at++) {
      const attribute = indexes.array[at];
      if (attribute >= this.#kinds.length) giveUp(wire);
      if (this.#kinds[attribute] === attributeKind.unread) this.#kinds[attribute] = this.#kindOf(attribute);
      if (this.#kinds[attribute] !== attributeKind.none) this.frameTypes[location] = attribute + 1;
    }
    wire.pos = after;
  }

  #kindOf(attribute: number): number {
    const { key, value } = this.#attributes.entry(attribute);
    if (key !== frameTypeKey) return attributeKind.none;
    return value === "kernel" ? attributeKind.kernel : attributeKind.frameType;
  }

  /** Writes a line whose function of the kernel has the file of its mapping. */
  #kernelLine(start: number, end: number, file: number): void {
    const { wire } = this.#request;
    const out = this.#out;
    const line = out.open(0x22);
    let fn = 0;
    wire.pos = start;
    while (wire.pos < end) {
      const field = wire.tag(end);
      const from = wire.pos;
      if (field === 0x08) fn = indexIn(wire, end);
      else if (field === 0x10 || field === 0x18) {
        wire.varint(end);
        out.varint(field);
        out.copy(wire.bytes, from, wire.pos);
      } else wire.other(field, end, "line", []);
    }
    if (fn >= this.#hasFile.length) giveUp(wire);
    out.varint(0x08);
    out.varint(this.#hasFile[fn] === 0 ? this.#kernelFunction(fn, file) : fn);
    out.close(line);
  }

  #kernelFunction(fn: number, file: number): number {
    // A function that has only another name is left to the general reader.
    if (this.#nameOf[fn] === 0) giveUp(this.#request.wire);
    if (this.#kernelCopy[fn] === 0 || this.#kernelFile[fn] !== file) {
      this.#kernelCopy[fn] = this.#addFunction(this.#nameOf[fn], file);
      this.#kernelFile[fn] = file;
    }
    return this.#kernelCopy[fn];
  }
}
