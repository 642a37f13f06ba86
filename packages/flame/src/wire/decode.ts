import { type CallTree, type ElisionTable, noElisions, type TreeColumns } from "#tree/call-tree.ts";
import { deriveColumns } from "#tree/derive.ts";
import { ByteReader } from "./byte-reader.ts";
import { readMeta } from "./read-meta.ts";
import {
  readAllFrames,
  readChildren,
  readElided,
  readFunctions,
  readIndexes,
  readLines,
  readSections,
  readStrings,
  readValues,
} from "./read-sections.ts";
import { type FlameMeta, magic, section } from "./sections.ts";

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

/**
 * Decodes the widest frames of a large graph in a fraction of the time that the whole graph takes. The other frames are elided. Undefined
 * for a graph that has no preview.
 *
 * @throws only FlameGraphFormatError
 */
export function decodePreview(bytes: Uint8Array): FlameGraph | undefined {
  const preview = readSections(bytes, magic).optional(section.preview);
  return preview && decodeFlameGraph(preview.bytes(preview.remaining));
}

/** The two halves of a graph, which two threads may have decoded: names are slow to hand over, columns are slow to decode. */
export function joinFlameGraph(names: FlameNames, columns: TreeColumns): FlameGraph {
  const { functions, valueType, meta } = names;
  return { tree: { ...columns, functions, valueType }, meta };
}

export function decodeNames(bytes: Uint8Array): FlameNames {
  const { required } = readSections(bytes, magic);
  const { meta, valueType } = readMeta(required(section.meta, "meta"));
  const strings = readStrings(required(section.strings, "strings"));
  return { functions: readFunctions(required(section.functions, "functions"), strings), valueType, meta };
}

export function decodeColumns(bytes: Uint8Array): TreeColumns {
  const { optional, required } = readSections(bytes, magic);
  const functions = required(section.functions, "functions").count();
  const firstChild = readChildren(required(section.childCount, "childCount"));
  const length = firstChild.length - 1;
  const self = readValues(required(section.self, "self"), firstChild);
  const fn = readIndexes(required(section.fn, "fn"), length, functions);
  const samples = optional(section.samples);
  const all = optional(section.allFrames);
  const columns = deriveColumns({
    firstChild,
    fn,
    line: readLines(optional(section.line), fn, functions),
    self,
    selfSamples: samples === undefined ? self : readValues(samples, firstChild),
    elisions: readElisions(optional(section.elisions), length, functions),
  });
  checkOrder(columns, bytes);
  return all === undefined ? columns : { ...columns, allFrames: readAllFrames(all, functions) };
}

function readElisions(reader: ByteReader | undefined, nodes: number, functions: number): ElisionTable {
  if (reader === undefined) return noElisions;
  const elided = readElided(reader, nodes, functions);
  const values = () => reader.numbers(elided.length);
  return { ...elided, total: values(), width: values(), samples: values() };
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
