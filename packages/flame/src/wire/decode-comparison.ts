import { type ComparedElisions, type Comparison, dividedBy, nothingElided } from "#compare/comparison.ts";
import { parentsOf, totalsOf } from "#tree/derive.ts";
import type { ByteReader } from "./byte-reader.ts";
import {
  type ComparisonMeta,
  comparisonMagic,
  comparisonSection,
  readComparisonMeta,
} from "./comparison-meta.ts";
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
import { section } from "./sections.ts";

/**
 * Reads what `encodeComparison` wrote.
 * @throws only FlameGraphFormatError, for any bytes; memory use is proportional to the number of bytes
 */
export function decodeComparison(bytes: Uint8Array): {
  readonly comparison: Comparison;
  readonly meta: ComparisonMeta;
} {
  const { optional, required } = readSections(bytes, comparisonMagic);
  const { meta, valueType, multiplied } = readComparisonMeta(required(section.meta, "meta"));
  const strings = readStrings(required(section.strings, "strings"));
  const functions = readFunctions(required(section.functions, "functions"), strings);
  const firstChild = readChildren(required(section.childCount, "childCount"));
  const length = firstChild.length - 1;
  const parent = parentsOf(firstChild, length);
  const elisions = readElisions(optional(comparisonSection.elisions), length, functions.length);
  const valuesOf = (reader: ByteReader, elided: Float64Array, all: ByteReader | undefined) => {
    const self = readValues(reader, firstChild);
    const total = totalsOf(self, parent, elisions, elided);
    return { self, total, ...(all && { allFrames: readAllFrames(all, functions.length) }) };
  };
  const { selfBefore, selfAfter, allFramesBefore, allFramesAfter } = comparisonSection;
  const fn = readIndexes(required(section.fn, "fn"), length, functions.length);
  const comparison = {
    length,
    valueType,
    functions,
    firstChild,
    parent,
    fn,
    line: readLines(optional(section.line), fn, functions.length),
    before: valuesOf(required(selfBefore, "selfBefore"), elisions.before, optional(allFramesBefore)),
    after: valuesOf(required(selfAfter, "selfAfter"), elisions.after, optional(allFramesAfter)),
    elisions,
  };
  return { comparison: dividedBy(comparison, multiplied), meta };
}

function readElisions(reader: ByteReader | undefined, nodes: number, functions: number): ComparedElisions {
  if (reader === undefined) return nothingElided;
  const elided = readElided(reader, nodes, functions);
  return { ...elided, before: reader.numbers(elided.length), after: reader.numbers(elided.length) };
}
