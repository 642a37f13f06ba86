import type { StackTable, ValueType } from "@flamekeep/profile";
import { leftOutName } from "#text/folded.ts";
import { type CallTree, type FunctionTable, levelOf, type NodeValues, pathTo } from "#tree/call-tree.ts";

/** The part of a graph that is exported. */
export interface ExportedView {
  /** After the transforms. */
  readonly tree: CallTree;
  /** The outermost frame of the stacks: the root, or a focused frame. */
  readonly focus: number;
  /** At or below `focus`: only stacks through this frame are exported. */
  readonly zoom: number;
}

/** One value of each frame. A comparison has two. */
interface Measure extends NodeValues {
  readonly valueType: ValueType;
}

const sideNames = ["before", "after"];

export function measuresOf({ columns, valueType }: CallTree): readonly Measure[] {
  if (columns.length === 1) return [{ valueType, ...columns[0] }];
  return columns.map((values, at) => {
    const side = columns.length === sideNames.length ? sideNames[at] : `side${at + 1}`;
    return { valueType: { ...valueType, type: `${side}_${valueType.type}` }, ...values };
  });
}

/** More frames than this, of all stacks together, are gigabytes in any format. */
const framesMax = 40_000_000;

/**
 * The stacks of a view, with one value for each measure: those that go through the zoomed frame, from the focused one on. Frames that the
 * server left out are one frame that says so. Undefined if the stacks would be too large.
 *
 * @param tree the frames to write: those that are drawn, or the same graph by stored frame
 */
export function viewStacks(view: ExportedView, tree: CallTree = view.tree): StackTable | undefined {
  const measures = measuresOf(tree);
  const frames = new Frames(tree);
  const out = new Stacks(measures.length);
  const elisionOf = new Map(Array.from(tree.elisions.node, (node, row) => [node, row]));
  const isInside = insideOf(view, tree);
  for (let node = 0; node < tree.length; node++) {
    if (isInside[node] === 0) continue;
    const own = measures.map(({ self }) => self[node]);
    const row = elisionOf.get(node);
    const elided = row === undefined ? [] : measures.map((measure) => measure.elided[row]);
    const isEmpty = node === 0 || own.every((value) => value === 0);
    if (isEmpty && elided.every((value) => value === 0)) continue;
    const path = frames.pathUp(node, levelOf(view.tree, view.focus));
    if (out.size + 2 * path.length > framesMax) return undefined;
    if (!isEmpty) out.add(path, own);
    if (elided.some((value) => value !== 0)) {
      out.add([frames.named(leftOutName(tree.elisions.count[row!])), ...path], elided);
    }
  }
  return out.table(
    measures.map(({ valueType }) => valueType),
    frames.table(),
  );
}

/** 1 for each node at or below the zoomed frame: where the functions from the root down are those of the view. */
function insideOf({ tree: drawn, zoom }: ExportedView, tree: CallTree): Uint8Array {
  const path = pathTo(drawn, zoom).slice(1);
  const keyOf = (functions: FunctionTable, fn: number) =>
    JSON.stringify([functions.name[fn], functions.file[fn], functions.startLine[fn]]);
  const keys = path.map((node) => keyOf(drawn.functions, drawn.fn[node]));
  const keysOfTree = tree.functions.name.map((_, fn) => keyOf(tree.functions, fn));
  /** How many frames of the path lead to each node, -1 for a node off the path. */
  const reached = new Int32Array(tree.length);
  for (let node = 1; node < tree.length; node++) {
    const above = reached[tree.parent[node]];
    if (above === -1 || above === keys.length) reached[node] = above;
    else reached[node] = keysOfTree[tree.fn[node]] === keys[above] ? above + 1 : -1;
  }
  return Uint8Array.from(reached, (frames) => Number(frames === keys.length));
}

interface Frame {
  readonly name: string;
  readonly storedName: string;
  readonly file: string;
  readonly line: number;
  readonly startLine: number;
}

/** Distinct frames: a function at a line. */
class Frames {
  readonly #tree: CallTree;
  readonly #ids = new Map<number, number>();
  readonly #namedIds = new Map<string, number>();
  readonly #name: string[] = [];
  readonly #storedName: string[] = [];
  readonly #file: string[] = [];
  readonly #line: number[] = [];
  readonly #startLine: number[] = [];

  constructor(tree: CallTree) {
    this.#tree = tree;
  }

  /** Frames from a node up to a level, both included, the root left out. */
  pathUp(node: number, topLevel: number): number[] {
    const { parent } = this.#tree;
    const path: number[] = [];
    for (let at = node; at > 0; at = parent[at]) path.push(this.#ofNode(at));
    return path.slice(0, path.length - Math.max(0, topLevel - 1));
  }

  #ofNode(node: number): number {
    const { fn, functions, line } = this.#tree;
    const key = fn[node] * 2 ** 31 + line[node];
    let id = this.#ids.get(key);
    if (id === undefined) {
      const at = fn[node];
      const { name, file, startLine } = functions.frames ?? functions;
      const storedName = functions.frames?.storedName[at] ?? name[at];
      id = this.#add({
        name: name[at],
        storedName,
        file: file[at],
        line: line[node],
        startLine: startLine[at],
      });
      this.#ids.set(key, id);
    }
    return id;
  }

  /** A frame without a place. */
  named(name: string): number {
    let id = this.#namedIds.get(name);
    if (id === undefined) {
      id = this.#add({ name, storedName: name, file: "", line: 0, startLine: 0 });
      this.#namedIds.set(name, id);
    }
    return id;
  }

  #add({ name, storedName, file, line, startLine }: Frame): number {
    this.#storedName.push(storedName);
    this.#file.push(file);
    this.#line.push(line);
    this.#startLine.push(startLine);
    return this.#name.push(name) - 1;
  }

  table(): StackTable["frames"] {
    return {
      length: this.#name.length,
      functionName: this.#name,
      storedName: this.#storedName,
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
