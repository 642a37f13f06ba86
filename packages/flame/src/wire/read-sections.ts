import type { AllFrames, ElisionTable, FunctionTable } from "#tree/call-tree.ts";
import { ByteReader } from "./byte-reader.ts";
import { readLengths } from "./preview-in.ts";
import { furtherColumn, planesFor } from "./sections.ts";
import { fromUtf8 } from "./utf8.ts";

/** The sections of a file with this header; anything else fails. */
export function readSections(bytes: Uint8Array, magic: Uint8Array) {
  const reader = new ByteReader(bytes);
  const sections = new Map<number, ByteReader>();
  for (const [id, length] of readLengths(reader, magic)) {
    const from = reader.offset;
    reader.bytes(length);
    sections.set(id, new ByteReader(bytes, from, from + length));
  }
  return {
    optional: (id: number) => sections.get(id),
    required: (id: number, name: string) => sections.get(id) ?? reader.fail(`no ${name} section`),
  };
}

export function readStrings(reader: ByteReader): string[] {
  const lengths: number[] = [];
  for (let count = reader.count(); count > 0; count--) lengths.push(reader.varint());
  const text = fromUtf8(reader.bytes(reader.remaining));
  let at = 0;
  const strings = lengths.map((length) => {
    at += length;
    return text.slice(at - length, at);
  });
  if (at !== text.length) reader.fail("texts of another length than stated");
  return strings;
}

export function readFunctions(reader: ByteReader, strings: readonly string[]): FunctionTable {
  const length = reader.count();
  const texts = (count = length) =>
    Array.from({ length: count }, () => strings[reader.index(strings.length)]);
  const lines = () => Int32Array.from({ length }, () => reader.signedVarint());
  const table: FunctionTable = {
    length,
    name: texts(),
    packageName: texts(),
    file: texts(),
    startLine: lines(),
  };
  let further: Pick<FunctionTable, "storedNames" | "frames"> = {};
  while (reader.remaining > 0) {
    const column = reader.varint();
    if (column === furtherColumn.storedNames)
      further = { ...further, storedNames: Array.from({ length }, () => texts(reader.count())) };
    else if (column === furtherColumn.frames)
      further = {
        ...further,
        frames: { name: texts(), storedName: texts(), file: texts(), startLine: lines() },
      };
    else break;
  }
  return { ...table, ...further };
}

export function readChildren(reader: ByteReader): Uint32Array {
  const length = reader.count();
  if (length === 0) reader.fail("no root");
  const firstChild = new Uint32Array(length + 1);
  // Each entry holds a count until it is replaced by the sum of those before it.
  if (reader.column(firstChild.subarray(1), length) < length) reader.fail("column cut short");
  let next = 1;
  firstChild[0] = next;
  for (let node = 0; node < length; node++) {
    if (next <= node) reader.fail(`node ${node} has no parent`);
    next += firstChild[node + 1];
    if (next > length) reader.fail(`more children than the ${length} nodes`);
    firstChild[node + 1] = next;
  }
  if (next !== length) reader.fail(`${length} nodes, but children for ${next}`);
  return firstChild;
}

/** Values in the order of nodes: the file has the values of the leaves first. */
export function readValues(reader: ByteReader, firstChild: Uint32Array): Float64Array {
  const length = firstChild.length - 1;
  const arranged = reader.numbers(length);
  const values = new Float64Array(length);
  let next = 0;
  for (const isLeaf of [true, false]) {
    for (let node = 0; node < length; node++) {
      if ((firstChild[node + 1] === firstChild[node]) === isLeaf) values[node] = arranged[next++];
    }
  }
  return values;
}

/** Indexes below a bound, as `planes` writes them. */
export function readIndexes(reader: ByteReader, length: number, below: number): Uint32Array {
  const indexes = new Uint32Array(length);
  const count = planesFor(below);
  for (let plane = 0; plane < count; plane++) {
    const bytes = reader.bytes(length);
    for (let row = 0; row < length; row++) indexes[row] |= bytes[row] << (8 * plane);
  }
  for (const index of indexes) if (index >= below) reader.fail(`index ${index} of ${below}`);
  return indexes;
}

export function readLines(reader: ByteReader | undefined, fn: Uint32Array, functions: number): Int32Array {
  if (reader === undefined) return new Int32Array(fn.length);
  const line = reader.signedColumn(fn.length);
  const before = new Int32Array(functions);
  for (let node = 0; node < fn.length; node++) {
    line[node] += before[fn[node]];
    before[fn[node]] = line[node];
  }
  return line;
}

export function readAllFrames(reader: ByteReader, functions: number): AllFrames {
  const [self, total, frames, ofPackage, selfByOwner] = [0, 0, 0, 0, 0].map(() => reader.numbers(functions));
  return { self, total, frames: Uint32Array.from(frames), ofPackage, selfByOwner };
}

/** The elided frames: their nodes, functions and counts. */
export function readElided(
  reader: ByteReader,
  nodes: number,
  functions: number,
): Pick<ElisionTable, "length" | "node" | "largest" | "count"> {
  const length = reader.count();
  const node = new Uint32Array(length);
  let before = 0;
  for (let row = 0; row < length; row++) {
    const step = reader.varint();
    if (row > 0 && step === 0) reader.fail("node elided twice");
    before += step;
    if (before >= nodes) reader.fail(`elision under node ${before} of ${nodes}`);
    node[row] = before;
  }
  const largest = new Uint32Array(length);
  if (reader.column(largest, functions) < length) reader.fail("column cut short");
  return { length, node, largest, count: reader.numbers(length) };
}
