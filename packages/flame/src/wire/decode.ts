import type { AllFrames, CallTree, FunctionTable, TreeColumns } from "#tree/call-tree.ts";
import { deriveColumns, type ElidedFrames } from "#tree/derive.ts";
import { dividedBy } from "#tree/lay-out.ts";
import { ByteReader } from "./byte-reader.ts";
import { readLengths } from "./preview-in.ts";
import { type Fields, parseObject, readFlameMeta, readHead } from "./read-meta.ts";
import { type ColumnsHead, type FlameMeta, furtherColumn, planesFor, section } from "./sections.ts";
import { fromUtf8 } from "./utf8.ts";

export interface FlameGraph<M = FlameMeta> {
  readonly tree: CallTree;
  readonly meta: M;
}

/** Names and units of the nodes. */
interface FlameNames<M = FlameMeta> extends ColumnsHead {
  readonly functions: FunctionTable;
  readonly meta: M;
}

/** Reads what a sender says about a graph; fails for anything else. */
type MetaReader<M> = (fields: Fields, fail: (problem: string) => never) => M;

/**
 * Reads what `encodeFlameGraph` wrote.
 * @throws only FlameGraphFormatError, for any bytes; memory use is proportional to the number of bytes
 */
export function decodeFlameGraph(bytes: Uint8Array): FlameGraph {
  return decodeWith(bytes, readFlameMeta);
}

/** As `decodeFlameGraph`, of any graph. */
export function decodeWith<M>(bytes: Uint8Array, readMeta: MetaReader<M>): FlameGraph<M> {
  return joinFlameGraph(namesIn(bytes, readMeta), decodeColumns(bytes));
}

/**
 * Decodes the widest frames of a large graph in a fraction of the time that the whole graph takes. The other frames are elided. Undefined
 * for a graph that has no preview.
 *
 * @throws only FlameGraphFormatError
 */
export function decodePreview(bytes: Uint8Array): FlameGraph | undefined {
  const preview = readSections(bytes).optional(section.preview);
  return preview && decodeFlameGraph(preview.bytes(preview.remaining));
}

/** The two halves of a graph, which two threads may have decoded: names are slow to hand over, columns are slow to decode. */
export function joinFlameGraph<M>(names: FlameNames<M>, columns: TreeColumns): FlameGraph<M> {
  const { functions, valueType, divisors, meta } = names;
  return { tree: dividedBy({ ...columns, functions, valueType }, divisors), meta };
}

export function decodeNames(bytes: Uint8Array): FlameNames {
  return namesIn(bytes, readFlameMeta);
}

function namesIn<M>(bytes: Uint8Array, readMeta: MetaReader<M>): FlameNames<M> {
  const { required, fail } = readSections(bytes);
  const { fields, ...head } = readHeadOf(required(section.meta, "meta"));
  const strings = readStrings(required(section.strings, "strings"));
  const functions = readFunctions(required(section.functions, "functions"), strings);
  return { functions, ...head, meta: readMeta(fields, fail) };
}

function readHeadOf(reader: ByteReader) {
  const fail = (problem: string) => reader.fail(problem);
  const fields = parseObject(fromUtf8(reader.bytes(reader.remaining))) ?? fail("meta is no JSON object");
  return readHead(fields, fail);
}

export function decodeColumns(bytes: Uint8Array): TreeColumns {
  const { optional, required } = readSections(bytes);
  const { scale } = readHeadOf(required(section.meta, "meta"));
  const functions = required(section.functions, "functions").count();
  const firstChild = readChildren(required(section.childCount, "childCount"));
  const length = firstChild.length - 1;
  const values = required(section.self, "self");
  const self = scale.map(() => readValues(values, firstChild));
  const fn = readIndexes(required(section.fn, "fn"), length, functions);
  const samples = optional(section.samples);
  const all = optional(section.allFrames);
  const isSingle = scale.length === 1;
  const columns = deriveColumns({
    firstChild,
    fn,
    line: readLines(optional(section.line), fn, functions),
    self: isSingle ? [...self, samples === undefined ? self[0] : readValues(samples, firstChild)] : self,
    allFrames: all && scale.map(() => readAllFrames(all, functions)),
    scale,
    elisions: readElisions(optional(section.elisions), { nodes: length, functions, columns: scale.length }),
  });
  if (isSingle) checkOrder(columns, bytes);
  return columns;
}

/** Sums of fractions depend on their order in the last bits. */
const roundingSlack = 1 + 1e-9;

/**
 * Drawing stops at the first sibling too narrow to see, so siblings out of order would hide wide frames. A comparison is sorted when it is
 * laid out.
 */
function checkOrder({ parent, width, length }: TreeColumns, bytes: Uint8Array): void {
  for (let node = 2; node < length; node++) {
    if (width[node] > width[node - 1] * roundingSlack && parent[node] === parent[node - 1]) {
      new ByteReader(bytes, bytes.length).fail("siblings out of order");
    }
  }
}

/** The sections of a file; anything else fails. */
function readSections(bytes: Uint8Array) {
  const reader = new ByteReader(bytes);
  const sections = new Map<number, ByteReader>();
  for (const [id, length] of readLengths(reader)) {
    const from = reader.offset;
    reader.bytes(length);
    sections.set(id, new ByteReader(bytes, from, from + length));
  }
  return {
    optional: (id: number) => sections.get(id),
    fail: (problem: string) => reader.fail(problem),
    required: (id: number, name: string) => sections.get(id) ?? reader.fail(`no ${name} section`),
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

/** Values in the order of nodes: the file has the values of the leaves first. */
function readValues(reader: ByteReader, firstChild: Uint32Array): Float64Array {
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
function readIndexes(reader: ByteReader, length: number, below: number): Uint32Array {
  const indexes = new Uint32Array(length);
  const count = planesFor(below);
  for (let plane = 0; plane < count; plane++) {
    const bytes = reader.bytes(length);
    for (let row = 0; row < length; row++) indexes[row] |= bytes[row] << (8 * plane);
  }
  for (const index of indexes) if (index >= below) reader.fail(`index ${index} of ${below}`);
  return indexes;
}

function readLines(reader: ByteReader | undefined, fn: Uint32Array, functions: number): Int32Array {
  if (reader === undefined) return new Int32Array(fn.length);
  const line = reader.signedColumn(fn.length);
  const before = new Int32Array(functions);
  for (let node = 0; node < fn.length; node++) {
    line[node] += before[fn[node]];
    before[fn[node]] = line[node];
  }
  return line;
}

function readAllFrames(reader: ByteReader, functions: number): AllFrames {
  const [self, total, frames, ofPackage, selfByOwner] = [0, 0, 0, 0, 0].map(() => reader.numbers(functions));
  return { self, total, frames: Uint32Array.from(frames), ofPackage, selfByOwner };
}

function readElisions(
  reader: ByteReader | undefined,
  {
    nodes,
    functions,
    columns,
  }: { readonly nodes: number; readonly functions: number; readonly columns: number },
): ElidedFrames {
  const length = reader?.count() ?? 0;
  const node = new Uint32Array(length);
  const largest = new Uint32Array(length);
  const numbers = () => reader?.numbers(length) ?? new Float64Array(0);
  let before = 0;
  for (let row = 0; row < length; row++) {
    const step = reader!.varint();
    if (row > 0 && step === 0) reader!.fail("node elided twice");
    before += step;
    if (before >= nodes) reader!.fail(`elision under node ${before} of ${nodes}`);
    node[row] = before;
  }
  if (reader !== undefined && reader.column(largest, functions) < length) reader.fail("column cut short");
  const count = numbers();
  const isSingle = columns === 1;
  const values = Array.from({ length: isSingle ? 2 : columns }, numbers);
  return { length, node, count, largest, values, width: isSingle ? numbers() : new Float64Array(length) };
}
