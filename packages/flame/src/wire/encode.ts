import type { CallTree, ElisionTable, FunctionTable } from "#tree/call-tree.ts";
import { selfSamples } from "#tree/self-samples.ts";
import { ByteWriter } from "./byte-writer.ts";
import { type FlameMeta, magic, section } from "./sections.ts";
import { toUtf8 } from "./utf8.ts";

/** The whole tree as `flameGraphMediaType`. Prune first if it may be too large for a reader. */
export function encodeFlameGraph(tree: CallTree, meta: FlameMeta): Uint8Array<ArrayBuffer> {
  const strings = new StringTable();
  const functions = functionSection(tree.functions, strings);
  const samples = selfSamples(tree);
  const sections: [id: number, bytes: Uint8Array][] = [
    [section.meta, toUtf8(JSON.stringify({ ...meta, valueType: tree.valueType }))],
    [section.strings, strings.section()],
    [section.functions, functions],
    [section.childCount, childCountSection(tree)],
    [section.self, numbers(tree.self)],
    [section.fn, column(tree.fn)],
  ];
  if (tree.line.some((line) => line !== 0)) sections.push([section.line, column(tree.line)]);
  if (!equal(samples, tree.self)) sections.push([section.samples, numbers(samples)]);
  if (tree.elisions.length > 0) sections.push([section.elisions, elisionSection(tree.elisions)]);
  return assemble(sections);
}

function assemble(sections: readonly [id: number, bytes: Uint8Array][]): Uint8Array<ArrayBuffer> {
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
  return writer.finish();
}

function childCountSection(tree: CallTree): Uint8Array {
  const writer = new ByteWriter(tree.length + 16);
  writer.varint(tree.length);
  for (let node = 0; node < tree.length; node++) {
    writer.varint(tree.firstChild[node + 1] - tree.firstChild[node]);
  }
  return writer.finish();
}

function elisionSection(elisions: ElisionTable): Uint8Array {
  const writer = new ByteWriter(elisions.length * 8);
  writer.varint(elisions.length);
  let before = 0;
  for (const node of elisions.node) {
    writer.varint(node - before);
    before = node;
  }
  for (const fn of elisions.largest) writer.varint(fn);
  for (const values of [elisions.count, elisions.total, elisions.width, elisions.samples])
    writer.numbers(values);
  return writer.finish();
}

function numbers(values: Float64Array): Uint8Array {
  const writer = new ByteWriter(values.length * 2);
  writer.numbers(values);
  return writer.finish();
}

function column(values: Uint32Array | Int32Array): Uint8Array {
  const writer = new ByteWriter(values.length * 3);
  if (values instanceof Int32Array) for (const value of values) writer.signedVarint(value);
  else for (const value of values) writer.varint(value);
  return writer.finish();
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false;
  return true;
}
