import type { StackTable, ValueType } from "@flamekeep/profile";
import type { CallTree } from "#tree/call-tree.ts";
import { rangesBelow } from "#tree/subtree.ts";
import { type ExportedView, leftOutName, measuresOf } from "./exported-view.ts";

/** More frames than this, of all stacks together, are gigabytes in any format. */
const framesMax = 40_000_000;

/**
 * The stacks of a view as they are drawn, with one value for each measure: those that go through the zoomed frame, from the focused one on.
 * Frames that the server left out are one frame that says so. Undefined if the stacks would be too large.
 */
export function viewStacks(view: ExportedView): StackTable | undefined {
  const { tree, zoom } = view;
  const measures = measuresOf(tree);
  const frames = new Frames(tree);
  const out = new Stacks(measures.length);
  const elisionOf = new Map(Array.from(tree.elisions.node, (node, row) => [node, row]));
  for (const { from, to } of rangesBelow(tree, zoom)) {
    for (let node = from; node < to; node++) {
      const own = measures.map(({ self }) => self[node]);
      const row = elisionOf.get(node);
      const elided = row === undefined ? [] : measures.map((measure) => measure.elided[row]);
      const isEmpty = node === 0 || own.every((value) => value === 0);
      if (isEmpty && elided.every((value) => value === 0)) continue;
      const path = frames.pathUp(node, view.focus);
      if (out.size + 2 * path.length > framesMax) return undefined;
      if (!isEmpty) out.add(path, own);
      if (elided.some((value) => value !== 0)) {
        out.add([frames.named(leftOutName(tree.elisions.count[row!])), ...path], elided);
      }
    }
  }
  return out.table(
    measures.map(({ valueType }) => valueType),
    frames.table(),
  );
}

/** Distinct frames: a function at a line. */
class Frames {
  readonly #tree: CallTree;
  readonly #ids = new Map<number, number>();
  readonly #namedIds = new Map<string, number>();
  readonly #name: string[] = [];
  readonly #file: string[] = [];
  readonly #line: number[] = [];
  readonly #startLine: number[] = [];

  constructor(tree: CallTree) {
    this.#tree = tree;
  }

  /** Frames from a node up to another one, both included, the root left out. */
  pathUp(node: number, top: number): number[] {
    const { parent } = this.#tree;
    const path: number[] = [];
    for (let at = node; at > 0; at = parent[at]) {
      path.push(this.#ofNode(at));
      if (at === top) break;
    }
    return path;
  }

  #ofNode(node: number): number {
    const { fn, functions, line } = this.#tree;
    const key = fn[node] * 2 ** 31 + line[node];
    let id = this.#ids.get(key);
    if (id === undefined) {
      const at = fn[node];
      id = this.#add(functions.name[at], functions.file[at], line[node], functions.startLine[at]);
      this.#ids.set(key, id);
    }
    return id;
  }

  /** A frame without a place. */
  named(name: string): number {
    let id = this.#namedIds.get(name);
    if (id === undefined) {
      id = this.#add(name, "", 0, 0);
      this.#namedIds.set(name, id);
    }
    return id;
  }

  #add(name: string, file: string, line: number, startLine: number): number {
    this.#file.push(file);
    this.#line.push(line);
    this.#startLine.push(startLine);
    return this.#name.push(name) - 1;
  }

  table(): StackTable["frames"] {
    return {
      length: this.#name.length,
      functionName: this.#name,
      file: this.#file,
      line: Int32Array.from(this.#line),
      startLine: Int32Array.from(this.#startLine),
    };
  }
}

class Stacks {
  readonly #start = [0];
  readonly #frame: number[] = [];
  readonly #values: number[][];

  constructor(measures: number) {
    this.#values = Array.from({ length: measures }, () => []);
  }

  get size(): number {
    return this.#frame.length;
  }

  /** @param path leaf first */
  add(path: readonly number[], values: readonly number[]): void {
    for (const frame of path) this.#frame.push(frame);
    this.#start.push(this.#frame.length);
    for (const [measure, value] of values.entries()) this.#values[measure].push(value);
  }

  table(sampleTypes: readonly ValueType[], frames: StackTable["frames"]): StackTable {
    return {
      sampleTypes,
      frames,
      length: this.#start.length - 1,
      start: Uint32Array.from(this.#start),
      frame: Uint32Array.from(this.#frame),
      values: this.#values.map((column) => Float64Array.from(column)),
    };
  }
}
