import type { Comparison } from "#compare/comparison.ts";
import { type ComparisonMeta, comparisonMagic, comparisonSection } from "./comparison-meta.ts";
import { section } from "./sections.ts";
import { toUtf8 } from "./utf8.ts";
import {
  allFramesSection,
  assemble,
  childCountSection,
  elidedWriter,
  functionSection,
  lineSection,
  planes,
  type Section,
  StringTable,
  valueSection,
} from "./write-sections.ts";

/**
 * The comparison as `comparisonMediaType`. Means are sent as the sums that they were made of: whole numbers take a byte or two, fractions
 * eight.
 *
 * @param multiplied by which readers divide the values of each side
 */
export function encodeComparison(
  comparison: Comparison,
  meta: ComparisonMeta,
  multiplied = { before: 1, after: 1 },
): Uint8Array<ArrayBuffer> {
  const { functions, elisions, valueType, line } = comparison;
  const strings = new StringTable();
  const functionBytes = functionSection(functions, strings);
  const sections: Section[] = [
    [section.meta, toUtf8(JSON.stringify({ ...meta, valueType, multiplied }))],
    [section.strings, strings.section()],
    [section.functions, functionBytes],
    [section.childCount, childCountSection(comparison)],
    [section.fn, planes(comparison.fn, functions.length)],
    [comparisonSection.selfBefore, valueSection(comparison, comparison.before.self)],
    [comparisonSection.selfAfter, valueSection(comparison, comparison.after.self)],
  ];
  if (line.some((each) => each !== 0)) sections.push([section.line, lineSection(comparison)]);
  if (elisions.length > 0) {
    const writer = elidedWriter(elisions);
    writer.numbers(elisions.before);
    writer.numbers(elisions.after);
    sections.push([comparisonSection.elisions, writer.finish()]);
  }
  const { before, after } = comparison;
  if (before.allFrames && after.allFrames) {
    sections.push([comparisonSection.allFramesBefore, allFramesSection(before.allFrames)]);
    sections.push([comparisonSection.allFramesAfter, allFramesSection(after.allFrames)]);
  }
  return assemble(comparisonMagic, sections);
}
