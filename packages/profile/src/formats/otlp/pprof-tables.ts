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

const indexMemory = new GrowableUint32(64);

/** The tables of a request as pprof has them. */
export class PprofTables {
  /** By location: its attribute with the type of the frame, + 1. */
  readonly frameTypes: Uint32Array;
  readonly #request: OtlpRequest;
  readonly #attributes: AttributeReader;
  readonly #strings: AddedStrings;
  readonly #out: Output;
  readonly #functionsOut: Output;
  readonly #indexes = indexMemory;
  /** By function: whether it has a file, and its name. */
  readonly #hasFile: Uint8Array;
  readonly #nameOf: Uint32Array;
  /** By mapping: the string of its file. */
  readonly #fileOf: Uint32Array;
  /** Functions behind those of the table: their ids. */
  readonly #functionIds = new Map<string, number>();

  constructor(request: OtlpRequest, { attributes, strings, out, functions }: TablesContext) {
    this.#request = request;
    this.#attributes = attributes;
    this.#strings = strings;
    this.#out = out;
    this.#functionsOut = functions;
    const { location, function: fn, mapping } = request.tables;
    this.frameTypes = new Uint32Array(location.length / 2);
    this.#hasFile = new Uint8Array(fn.length / 2);
    this.#nameOf = new Uint32Array(fn.length / 2);
    this.#fileOf = new Uint32Array(mapping.length / 2);
  }

  write(): void {
    this.#writeMappings();
    this.#writeFunctions();
    this.#writeLocations();
    this.#out.copy(this.#functionsOut.bytes, 0, this.#functionsOut.length);
  }

  /** Numbers of a mapping and of a function have the same forms, with the id before them. */
  #writeMappings(): void {
    const { mapping } = this.#request.tables;
    for (let i = 2; i < mapping.length; i += 2) {
      const { file } = this.#numbers(mapping[i], mapping[i + 1], { tag: 0x1a, id: i / 2, fileTag: 0x20 });
      this.#fileOf[i / 2] = file;
    }
  }

  #writeFunctions(): void {
    const { function: functions } = this.#request.tables;
    for (let i = 2; i < functions.length; i += 2) {
      const { file, name } = this.#numbers(functions[i], functions[i + 1], {
        tag: 0x2a,
        id: i / 2,
        fileTag: 0x18,
      });
      this.#hasFile[i / 2] = file === 0 ? 0 : 1;
      this.#nameOf[i / 2] = name;
    }
  }

  /** Writes an entry: its numbers, whose fields are one less in OTLP. Returns the first one, and the one with `fileTag`. */
  #numbers(
    start: number,
    end: number,
    { tag: entryTag, id, fileTag }: { readonly tag: number; readonly id: number; readonly fileTag: number },
  ) {
    const wire = this.#request.wire;
    const out = this.#out;
    let file = 0;
    let name = 0;
    const entry = out.open(entryTag);
    out.varint(0x08);
    out.varint(id);
    out.reserve(end - start);
    const { bytes } = out;
    let { length } = out;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag > 0x20 || (tag & 7) !== 0) {
        wire.other(tag, end, "table", []);
        continue;
      }
      const from = wire.pos;
      wire.varint(end);
      if (tag === fileTag) file = wire.hi === 0 ? wire.lo : 0xffffffff;
      else if (tag === 0x08) name = wire.lo;
      bytes[length++] = tag + 8;
      for (let at = from; at < wire.pos; at++) bytes[length++] = wire.bytes[at];
    }
    out.length = length;
    out.close(entry);
    return { file, name };
  }

  #writeLocations(): void {
    const { location } = this.#request.tables;
    for (let i = 2; i < location.length; i += 2) this.#location(i / 2, location[i], location[i + 1]);
  }

  #location(index: number, start: number, end: number): void {
    const wire = this.#request.wire;
    const { bytes } = wire;
    const out = this.#out;
    const entry = out.open(0x22);
    let mapping = 0;
    let address = 0;
    let lines = 0;
    out.varint(0x08);
    out.varint(index);
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const from = wire.pos;
      if (tag === 0x08) mapping = indexIn(wire, end);
      else if (tag === 0x10) {
        wire.varint(end);
        address = from;
        out.varint(0x18);
        out.copy(bytes, from, wire.pos);
      } else if (tag === 0x1a) {
        wire.pos = wire.block(end, "location.lines");
        lines++;
        out.varint(0x22);
        out.copy(bytes, from, wire.pos);
      } else if (tag === 0x22 || tag === 0x20) this.#noteFrameType(index, tag, end);
      else wire.other(tag, end, "location", []);
    }
    if (mapping >= this.#fileOf.length && mapping !== 0) giveUp(this.#request.wire);
    const file = mapping === 0 ? 0 : this.#fileOf[mapping];
    if (mapping !== 0) {
      out.varint(0x10);
      out.varint(mapping);
    }
    if (lines === 0) this.#unsymbolised(file, address, end);
    else if (file !== 0 && this.#isKernel(index)) this.#kernelLines({ index, entry, start, end, file });
    out.close(entry);
  }

  /** A line of a function that is named by its address, as the frames of such locations are. */
  #unsymbolised(file: number, at: number, end: number): void {
    const wire = this.#request.wire;
    if (at !== 0) {
      wire.pos = at;
      wire.varint(end);
    }
    const high = at === 0 || wire.hi === 0 ? "" : wire.hi.toString(16);
    const low = at === 0 ? "0" : wire.lo.toString(16);
    const address = high === "" ? low : high + low.padStart(8, "0");
    const path = file === 0 ? "" : this.#attributes.string(file);
    const name = path === "" ? `0x${address}` : `${path.slice(path.lastIndexOf("/") + 1)}!0x${address}`;
    const key = `${name} ${file}`;
    const id =
      this.#functionIds.get(key) ?? this.#addFunction(key, [0x10, this.#strings.indexOf(name), 0x20, file]);
    const out = this.#out;
    const line = out.open(0x22);
    out.varint(0x08);
    out.varint(id);
    out.close(line);
  }

  /** Writes a function behind those of the table; returns its id. */
  #addFunction(key: string, fields: readonly number[]): number {
    const id = this.#hasFile.length + this.#functionIds.size;
    this.#functionIds.set(key, id);
    const out = this.#functionsOut;
    const entry = out.open(0x2a);
    out.varint(0x08);
    out.varint(id);
    for (const field of fields) out.varint(field);
    out.close(entry);
    return id;
  }

  #noteFrameType(location: number, tag: number, end: number): void {
    readIndexes(this.#request.wire, tag, end, this.#indexes.clear());
    const after = this.#request.wire.pos;
    for (const attribute of this.#indexes.filled()) {
      if (this.#attributes.entry(attribute).key === frameTypeKey) this.frameTypes[location] = attribute + 1;
    }
    this.#request.wire.pos = after;
  }

  #isKernel(location: number): boolean {
    const type = this.frameTypes[location];
    return type !== 0 && this.#attributes.entry(type - 1).value === "kernel";
  }

  /** Writes the location again, with functions of the kernel that have the file of its mapping. */
  #kernelLines({ index, entry, start, end, file }: KernelLocation): void {
    const wire = this.#request.wire;
    const out = this.#out;
    out.length = entry;
    out.varint(0x08);
    out.varint(index);
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x1a) {
        wire.other(tag, end, "location", []);
        continue;
      }
      const stop = wire.block(end, "location.lines");
      const line = out.open(0x22);
      let fn = 0;
      while (wire.pos < stop) {
        const field = wire.tag(stop);
        const from = wire.pos;
        if (field === 0x08) fn = indexIn(wire, stop);
        else if (field === 0x10 || field === 0x18) {
          wire.varint(stop);
          out.varint(field);
          out.copy(wire.bytes, from, wire.pos);
        } else wire.other(field, stop, "line", []);
      }
      if (fn >= this.#hasFile.length) giveUp(this.#request.wire);
      out.varint(0x08);
      out.varint(this.#hasFile[fn] === 0 ? this.#kernelFunction(fn, file) : fn);
      out.close(line);
    }
  }

  #kernelFunction(fn: number, file: number): number {
    const key = `${fn} in ${file}`;
    // A function that has only another name is left to the general reader.
    if (this.#nameOf[fn] === 0) giveUp(this.#request.wire);
    return this.#functionIds.get(key) ?? this.#addFunction(key, [0x10, this.#nameOf[fn], 0x20, file]);
  }
}

interface KernelLocation {
  readonly index: number;
  /** Where its message begins in the output. */
  readonly entry: number;
  readonly start: number;
  readonly end: number;
  readonly file: number;
}
