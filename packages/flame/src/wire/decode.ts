import {
  type CallTree,
  type ElisionTable,
  type FunctionTable,
  noElisions,
  type TreeColumns,
} from "#tree/call-tree.ts";
import { deriveColumns } from "#tree/derive.ts";
import { ByteReader } from "./byte-reader.ts";
import { readMeta } from "./read-meta.ts";
import { type FlameMeta, magic, section } from "./sections.ts";
import { fromUtf8 } from "./utf8.ts";

export interface FlameGraph {
  readonly tree: CallTree;
  readonly meta: FlameMeta;
}

/** Names and units of the nodes. */
export type FlameNames = Pick<CallTree, "functions" | "valueType"> & { readonly meta: FlameMeta };

/**
 * Reads what `encodeFlameGraph` wrote.
 * @throws only FlameGraphFormatError, for any bytes; memory use is proportional to the number of bytes
 */
export function decodeFlameGraph(bytes: Uint8Array): FlameGraph {
  return joinFlameGraph(decodeNames(bytes), decodeColumns(bytes));
}

/** The two halves of a graph, which two threads may have decoded: names are slow to hand over, columns are slow to decode. */
export function joinFlameGraph(names: FlameNames, columns: TreeColumns): FlameGraph {
  const { functions, valueType, meta } = names;
  return { tree: { ...columns, functions, valueType }, meta };
}

export function decodeNames(bytes: Uint8Array): FlameNames {
  const { need } = readSections(bytes);
  const { meta, valueType } = readMeta(need(section.meta, "meta"));
  const strings = readStrings(need(section.strings, "strings"));
  return { functions: readFunctions(need(section.functions, "functions"), strings), valueType, meta };
}

export function decodeColumns(bytes: Uint8Array): TreeColumns {
  const { find, need } = readSections(bytes);
  const functions = need(section.functions, "functions").count();
  const firstChild = readChildren(need(section.childCount, "childCount"));
  const length = firstChild.length - 1;
  const self = need(section.self, "self").numbers(length);
  const columns = deriveColumns({
    firstChild,
    fn: readIndexes(need(section.fn, "fn"), length, functions),
    line: readLines(find(section.line), length),
    self,
    selfSamples: find(section.samples)?.numbers(length) ?? self,
    elisions: readElisions(find(section.elisions), length, functions),
  });
  checkOrder(columns, bytes);
  return columns;
}

function readSections(bytes: Uint8Array) {
  const reader = new ByteReader(bytes);
  const head = bytes.length < magic.length ? [] : reader.bytes(magic.length);
  if (head.length === 0 || head.some((byte, at) => byte !== magic[at])) {
    return reader.fail("no flame graph header of version 1");
  }
  const lengths: [id: number, length: number][] = [];
  for (let count = reader.count(); count > 0; count--) lengths.push([reader.varint(), reader.varint()]);
  const sections = new Map<number, ByteReader>();
  for (const [id, length] of lengths) {
    const from = reader.offset;
    reader.bytes(length);
    sections.set(id, new ByteReader(bytes, from, from + length));
  }
  return {
    find: (id: number) => sections.get(id),
    need: (id: number, name: string) => sections.get(id) ?? reader.fail(`no ${name} section`),
  };
}

function readStrings(reader: ByteReader): string[] {
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

function readFunctions(reader: ByteReader, strings: readonly string[]): FunctionTable {
  const length = reader.count();
  const texts = () => Array.from({ length }, () => strings[reader.index(strings.length)]);
  return {
    length,
    name: texts(),
    packageName: texts(),
    file: texts(),
    startLine: Int32Array.from({ length }, () => reader.signedVarint()),
  };
}

function readChildren(reader: ByteReader): Uint32Array {
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

function readIndexes(reader: ByteReader, length: number, below: number): Uint32Array {
  if (length > reader.remaining) reader.fail("column cut short");
  const indexes = new Uint32Array(length);
  reader.column(indexes, below);
  return indexes;
}

function readLines(reader: ByteReader | undefined, length: number): Int32Array {
  return reader === undefined ? new Int32Array(length) : reader.signedColumn(length);
}

function readElisions(reader: ByteReader | undefined, nodes: number, functions: number): ElisionTable {
  if (reader === undefined) return noElisions;
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
  const largest = readIndexes(reader, length, functions);
  return {
    length,
    node,
    largest,
    count: reader.numbers(length),
    total: reader.numbers(length),
    width: reader.numbers(length),
    samples: reader.numbers(length),
  };
}

/** Sums of fractions depend on their order in the last bits. */
const roundingSlack = 1 + 1e-9;

/** Drawing stops at the first sibling too narrow to see, so siblings out of order would hide wide frames. */
function checkOrder({ parent, width, length }: TreeColumns, bytes: Uint8Array): void {
  for (let node = 2; node < length; node++) {
    if (width[node] > width[node - 1] * roundingSlack && parent[node] === parent[node - 1]) {
      new ByteReader(bytes, bytes.length).fail("siblings out of order");
    }
  }
}
