import type { AllFrames, CallTree, ElisionTable, FunctionTable } from "#tree/call-tree.ts";
import { ByteWriter } from "./byte-writer.ts";
import { furtherColumn, planesFor } from "./sections.ts";
import { toUtf8 } from "./utf8.ts";

type ElidedFrames = Pick<ElisionTable, "length" | "node" | "largest" | "count">;

export type Section = [id: number, bytes: Uint8Array];

/** A file: the header, the ids and lengths of its sections, and the sections. */
export function assemble(magic: Uint8Array, sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64 + sections.reduce((sum, [, bytes]) => sum + bytes.length, 0));
  writer.bytes(magic);
  writer.varint(sections.length);
  for (const [id, bytes] of sections) {
    writer.varint(id);
    writer.varint(bytes.length);
  }
  for (const [, bytes] of sections) writer.bytes(bytes);
  return writer.finish();
}

/** Distinct texts, by number of first use. */
export class StringTable {
  readonly #ids = new Map<string, number>();

  id(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(text, id);
    }
    return id;
  }

  section(): Uint8Array {
    const texts = [...this.#ids.keys()];
    const writer = new ByteWriter();
    writer.varint(texts.length);
    for (const text of texts) writer.varint(text.length);
    writer.bytes(toUtf8(texts.join("")));
    return writer.finish();
  }
}

export function functionSection(functions: FunctionTable, strings: StringTable): Uint8Array {
  const writer = new ByteWriter(functions.length * 6);
  writer.varint(functions.length);
  for (const name of functions.name) writer.varint(strings.id(name));
  for (const packageName of functions.packageName) writer.varint(strings.id(packageName));
  for (const file of functions.file) writer.varint(strings.id(file));
  for (const line of functions.startLine) writer.signedVarint(line);
  const { storedNames, frames } = functions;
  if (storedNames !== undefined) {
    writer.varint(furtherColumn.storedNames);
    for (const names of storedNames) {
      writer.varint(names.length);
      for (const name of names) writer.varint(strings.id(name));
    }
  }
  if (frames !== undefined) {
    writer.varint(furtherColumn.frames);
    for (const texts of [frames.name, frames.storedName, frames.file])
      for (const text of texts) writer.varint(strings.id(text));
    for (const line of frames.startLine) writer.signedVarint(line);
  }
  return writer.finish();
}

export function childCountSection(tree: Pick<CallTree, "length" | "firstChild">): Uint8Array {
  const writer = new ByteWriter(tree.length + 16);
  writer.varint(tree.length);
  for (let node = 0; node < tree.length; node++) {
    writer.varint(tree.firstChild[node + 1] - tree.firstChild[node]);
  }
  return writer.finish();
}

/** Values of the leaves, then of the other nodes. */
export function valueSection(
  { firstChild, length }: Pick<CallTree, "length" | "firstChild">,
  values: Float64Array,
): Uint8Array {
  const arranged = new Float64Array(length);
  let leaves = 0;
  let others = length;
  // The others from the end: the last one comes last.
  for (let node = length - 1; node >= 0; node--) {
    if (firstChild[node + 1] !== firstChild[node]) arranged[--others] = values[node];
  }
  for (let node = 0; node < length; node++) {
    if (firstChild[node + 1] === firstChild[node]) arranged[leaves++] = values[node];
  }
  const writer = new ByteWriter(length * 2);
  writer.numbers(arranged);
  return writer.finish();
}

/** Numbers below a bound: the lowest byte of each, then the next of each. */
export function planes(values: Uint32Array, below: number): Uint8Array {
  const { length } = values;
  const bytes = new Uint8Array(length * planesFor(below));
  for (let from = 0, shift = 0; from < bytes.length; from += length, shift += 8) {
    for (let row = 0; row < length; row++) bytes[from + row] = values[row] >>> shift;
  }
  return bytes;
}

/** A function is called from a few lines, so that most nodes have the line of the one before them. */
export function lineSection({
  fn,
  line,
  functions,
}: Pick<CallTree, "fn" | "line" | "functions">): Uint8Array {
  const writer = new ByteWriter(line.length);
  const before = new Int32Array(functions.length);
  for (let node = 0; node < line.length; node++) {
    // In 32 bits, as the reader adds them.
    writer.signedVarint((line[node] - before[fn[node]]) | 0);
    before[fn[node]] = line[node];
  }
  return writer.finish();
}

export function allFramesSection(all: AllFrames): Uint8Array {
  const { self, total, frames, ofPackage, selfByOwner } = all;
  const writer = new ByteWriter(frames.length * 16);
  for (const values of [self, total, Float64Array.from(frames), ofPackage, selfByOwner])
    writer.numbers(values);
  return writer.finish();
}

/** The elided frames: their nodes, functions and counts. Their values follow. */
export function elidedWriter({ node, largest, count, length }: ElidedFrames): ByteWriter {
  const writer = new ByteWriter(length * 8);
  writer.varint(length);
  let before = 0;
  for (const each of node) {
    writer.varint(each - before);
    before = each;
  }
  for (const fn of largest) writer.varint(fn);
  writer.numbers(count);
  return writer;
}
