import { Ids } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LineFrame, LineLabels, StackLines } from "#write/stack-lines.ts";
import { CallTree } from "./call-tree.ts";
import { invalid, lineOr, numberIn, objectOr, textOr } from "./json-text.ts";

/** `samples` and `cpu` of V8's profiles of CPU. */
export const v8CpuTypes = [
  { type: "samples", unit: "count" },
  { type: "cpu", unit: "nanoseconds" },
] as const;
export const v8CpuFacts = { periodType: v8CpuTypes[1] };

/** The function of a node. V8 counts lines from 0, and says -1 where it knows none. */
export function v8Frame(node: unknown): LineFrame {
  // The form of Node.js 10 and earlier has the function in the node itself.
  const { callFrame = node } = objectOr(node);
  const { functionName, url, lineNumber } = objectOr(callFrame);
  const line = lineOr(Number(lineNumber ?? -1) + 1);
  return { name: textOr(functionName) || "(anonymous)", file: textOr(url), line, startLine: line };
}

export interface V8Samples {
  /** Ids of nodes. */
  readonly ids: readonly unknown[];
  /** Microseconds since the sample before. */
  readonly deltas: readonly unknown[];
  /** The line that a sample found, 0 where unknown. */
  readonly lineOf: (at: number) => number;
}

/** The nodes of a CPU profile of V8, and what its samples add up to. Time in which the thread waits for events is left out. */
export class V8Calls {
  readonly #stacks: StackLines;
  readonly #tree: CallTree;
  readonly #ids = new Ids();
  /** By the number of the id. */
  readonly #nodes: unknown[] = [];
  readonly #calls: number[] = [];
  /** The line that a node was found at last, and the call for it: mostly it is the same one. */
  readonly #lines: number[] = [];
  readonly #lineCalls: number[] = [];
  #idle = -1;
  readonly #roots = new Set<number>();

  constructor(stacks: StackLines, limits: ReadLimits) {
    this.#stacks = stacks;
    this.#tree = new CallTree(stacks, v8CpuTypes.length, limits);
  }

  addNode(id: unknown, node: unknown): void {
    if (!isId(id)) throw invalid("nodes.id", "a node has no whole number as its id");
    const frame = v8Frame(node);
    const number = this.#ids.intern(id);
    this.#nodes[number] = node;
    this.#calls[number] = this.#tree.call(this.#stacks.frame(frame));
    if (frame.name === "(idle)" && frame.file === "") this.#idle = number;
    if (frame.name === "(root)" && frame.file === "") this.#roots.add(number);
  }

  /** The root of V8's tree is no function. */
  setParent(id: unknown, parent: unknown): void {
    const [number, above] = [this.#numberOf(id), this.#numberOf(parent)];
    if (number >= 0 && above >= 0 && !this.#roots.has(above))
      this.#tree.setParent(this.#calls[number]!, this.#calls[above]!);
  }

  /** Returns the time of all samples, in microseconds. */
  addSamples({ ids, deltas, lineOf }: V8Samples): number {
    if (deltas.length < ids.length)
      throw invalid("timeDeltas", `it has ${ids.length} samples and ${deltas.length} times`);
    const times = inOrder(deltas, ids.length);
    let all = 0;
    for (let at = 0; at < ids.length; at++) {
      this.add(ids[at], 1, times[at]! * 1000, lineOf(at));
      all += times[at]!;
    }
    return all;
  }

  add(id: unknown, samples: number, nanoseconds: number, line = 0): void {
    const number = this.#numberOf(id);
    if (number >= 0 && number === this.#idle) return;
    const call = number < 0 ? this.#unknown() : this.#callAt(number, line);
    this.#tree.add(call, 0, samples);
    this.#tree.add(call, 1, nanoseconds);
  }

  write(labels: LineLabels = {}): void {
    this.#tree.write(labels, [1, 1]);
  }

  #numberOf(id: unknown): number {
    return isId(id) ? this.#ids.find(id) : -1;
  }

  #callAt(number: number, line: number): number {
    const call = this.#calls[number]!;
    if (line === 0) return call;
    if (this.#lines[number] !== line) {
      const frame = this.#stacks.frame({ ...v8Frame(this.#nodes[number]), line });
      this.#lineCalls[number] = this.#tree.child(this.#tree.parentOf(call), frame);
      this.#lines[number] = line;
    }
    return this.#lineCalls[number]!;
  }

  /** Parts of traces get lost. */
  #unknown(): number {
    return this.#tree.child(-1, this.#stacks.frame({ name: "[unknown]", file: "", line: 0 }));
  }
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** The time of each sample since the one before it. V8 may write two samples in the wrong order, the later one with a negative time. */
function inOrder(deltas: readonly unknown[], length: number): ArrayLike<number> {
  let [sum, isOrdered] = [0, true];
  for (let at = 0; at < length; at++) {
    const delta = numberIn(deltas[at], "timeDeltas");
    isOrdered &&= delta >= 0;
    sum += delta;
  }
  if (!Number.isFinite(sum)) throw invalid("timeDeltas", "its times have no sum");
  if (isOrdered) return deltas as readonly number[];
  const times = Float64Array.from(deltas.slice(0, length) as readonly number[]);
  for (let at = 1; at < length; at++) times[at]! += times[at - 1]!;
  const order = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
  const found = new Float64Array(length);
  let before = 0;
  for (const at of order) {
    found[at] = Math.max(0, times[at]! - before);
    before = Math.max(before, times[at]!);
  }
  return found;
}
