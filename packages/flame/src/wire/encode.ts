import type { CallTree, ElisionTable } from "#tree/call-tree.ts";
import { previewTree } from "#tree/prune.ts";
import { selfSamples } from "#tree/self-samples.ts";
import { type FlameMeta, magic, previewFrom, previewNodes, section } from "./sections.ts";
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

/** The whole tree as `flameGraphMediaType`, with a preview before all else if it is large. Prune first if it may be too large for a reader. */
export function encodeFlameGraph(tree: CallTree, meta: FlameMeta): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(tree, meta);
  if (tree.length > previewFrom) {
    sections.unshift([section.preview, assemble(magic, sectionsOf(previewTree(tree, previewNodes), meta))]);
  }
  return assemble(magic, sections);
}

function sectionsOf(tree: CallTree, meta: FlameMeta): Section[] {
  const strings = new StringTable();
  const functions = functionSection(tree.functions, strings);
  const samples = selfSamples(tree);
  const sections: Section[] = [
    [section.meta, toUtf8(JSON.stringify({ ...meta, valueType: tree.valueType }))],
    [section.strings, strings.section()],
    [section.functions, functions],
    [section.childCount, childCountSection(tree)],
    [section.self, valueSection(tree, tree.self)],
    [section.fn, planes(tree.fn, tree.functions.length)],
  ];
  if (tree.line.some((line) => line !== 0)) sections.push([section.line, lineSection(tree)]);
  if (!equal(samples, tree.self)) sections.push([section.samples, valueSection(tree, samples)]);
  if (tree.elisions.length > 0) sections.push([section.elisions, elisionSection(tree.elisions)]);
  if (tree.allFrames !== undefined) sections.push([section.allFrames, allFramesSection(tree.allFrames)]);
  return sections;
}

function elisionSection(elisions: ElisionTable): Uint8Array {
  const writer = elidedWriter(elisions);
  for (const values of [elisions.total, elisions.width, elisions.samples]) writer.numbers(values);
  return writer.finish();
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false;
  return true;
}
