import type { AllFrames, CallTree, FunctionTable } from "#tree/call-tree.ts";
import { type ElidedFrames, skeletonOf } from "#tree/derive.ts";
import { previewTree } from "#tree/prune.ts";
import { ByteWriter } from "./byte-writer.ts";
import {
  type ColumnsHead,
  furtherColumn,
  magic,
  planesFor,
  previewFrom,
  previewNodes,
  section,
} from "./sections.ts";
import { toUtf8 } from "./utf8.ts";

/**
 * The whole tree as `flameGraphMediaType`. A large graph has a preview before all else. Prune first if it may be too large for a reader.
 *
 * @param meta what readers get with the tree, see `decodeFlameGraph`
 * @param divisors by which readers divide the values of each column
 */
export function encodeFlameGraph(
  tree: CallTree,
  meta: object,
  divisors: readonly number[] = tree.scale.map(() => 1),
): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(tree, meta, divisors);
  // A comparison is drawn at a scale that its reader chooses, so that its preview would be another picture.
  if (tree.length > previewFrom && tree.columns.length === 1) {
    const preview = previewTree(tree, previewNodes);
    sections.unshift([section.preview, assemble(sectionsOf(preview, meta, divisors))]);
  }
  return assemble(sections);
}

type Section = [id: number, bytes: Uint8Array];

function sectionsOf(tree: CallTree, meta: object, divisors: readonly number[]): Section[] {
  const { valueType, scale } = tree;
  const head: ColumnsHead = { valueType, scale, divisors };
  const strings = new StringTable();
  const functions = functionSection(tree.functions, strings);
  const { self, elisions, allFrames } = skeletonOf(tree);
  const columns = self.slice(0, scale.length);
  const sections: Section[] = [
    [section.meta, toUtf8(JSON.stringify({ ...meta, ...head }))],
    [section.strings, strings.section()],
    [section.functions, functions],
    [section.childCount, childCountSection(tree)],
    [section.self, valueSection(tree, columns)],
    [section.fn, planes(tree.fn, tree.functions.length)],
  ];
  if (tree.line.some((line) => line !== 0)) sections.push([section.line, lineSection(tree)]);
  const samples = self.slice(scale.length).filter((each) => !isEqual(each, columns[0]));
  if (samples.length > 0) sections.push([section.samples, valueSection(tree, samples)]);
  if (elisions.length > 0) sections.push([section.elisions, elisionSection(elisions, scale.length === 1)]);
  if (allFrames !== undefined) sections.push([section.allFrames, allFramesSection(allFrames)]);
  return sections;
}

function isEqual(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false;
  return true;
}

/** A file: the header, the ids and lengths of its sections, and the sections. */
function assemble(sections: readonly Section[]): Uint8Array<ArrayBuffer> {
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
class StringTable {
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

function functionSection(functions: FunctionTable, strings: StringTable): Uint8Array {
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

function childCountSection(tree: Pick<CallTree, "length" | "firstChild">): Uint8Array {
  const writer = new ByteWriter(tree.length + 16);
  writer.varint(tree.length);
  for (let node = 0; node < tree.length; node++) {
    writer.varint(tree.firstChild[node + 1] - tree.firstChild[node]);
  }
  return writer.finish();
}

/** The columns, one after the other: values of the leaves, then of the other nodes. */
function valueSection(
  { firstChild, length }: Pick<CallTree, "length" | "firstChild">,
  columns: readonly Float64Array[],
): Uint8Array {
  const writer = new ByteWriter(length * 2 * columns.length);
  for (const values of columns) {
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
    writer.numbers(arranged);
  }
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
function lineSection({ fn, line, functions }: Pick<CallTree, "fn" | "line" | "functions">): Uint8Array {
  const writer = new ByteWriter(line.length);
  const before = new Int32Array(functions.length);
  for (let node = 0; node < line.length; node++) {
    // In 32 bits, as the reader adds them.
    writer.signedVarint((line[node] - before[fn[node]]) | 0);
    before[fn[node]] = line[node];
  }
  return writer.finish();
}

function allFramesSection(columns: readonly AllFrames[]): Uint8Array {
  const writer = new ByteWriter(columns[0].frames.length * 16 * columns.length);
  for (const { self, total, frames, ofPackage, selfByOwner } of columns)
    for (const values of [self, total, Float64Array.from(frames), ofPackage, selfByOwner])
      writer.numbers(values);
  return writer.finish();
}

function elisionSection(elisions: ElidedFrames, hasWidth: boolean): Uint8Array {
  const { node, largest, count, length, values, width } = elisions;
  const writer = new ByteWriter(length * 8);
  writer.varint(length);
  let before = 0;
  for (const each of node) {
    writer.varint(each - before);
    before = each;
  }
  for (const fn of largest) writer.varint(fn);
  for (const numbers of [count, ...values, ...(hasWidth ? [width] : [])]) writer.numbers(numbers);
  return writer.finish();
}
