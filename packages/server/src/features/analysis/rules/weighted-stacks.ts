import { type Fraction, type FunctionTotals, functionTotals, type ValueType } from "@flamekeep/profile";
import type { FindingFunction } from "./finding.ts";
import type { StackIndex } from "./stack-index.ts";

export interface FunctionTotal {
  /** Index of the function in `StackIndex.names`. */
  readonly fn: number;
  readonly name: string;
  readonly isApplication: boolean;
  readonly self: number;
  readonly total: number;
}

/** The stacks of a profile with the values of one sample type: totals, and functions as evidence. */
export class WeightedStacks {
  readonly index: StackIndex;
  readonly sampleType: ValueType;
  /** Value of each stack. Negative ones, which differences have, count as 0, and so does the time without work. */
  readonly weights: Float64Array;
  readonly total: number;
  /** How often each stack was seen, where the profile counts that. */
  readonly counts: Float64Array | undefined;
  #totals: FunctionTotals | undefined;

  /** @param hidden stacks that get no weight, but count in the total */
  constructor(
    index: StackIndex,
    column: number,
    countColumn: number | undefined,
    hidden: ReadonlySet<number> = new Set(),
  ) {
    const { sampleTypes, values } = index.stacks;
    this.index = index;
    this.sampleType = sampleTypes[column] ?? { type: "", unit: "" };
    this.weights = numbers(values[column]).map((value) => Math.max(0, value));
    for (const stack of index.idle) this.weights[stack] = 0;
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
    for (const stack of hidden) this.weights[stack] = 0;
    this.counts = countColumn === undefined ? undefined : numbers(values[countColumn]);
  }

  shareOf(weight: number): Fraction {
    return this.total > 0 ? weight / this.total : 0;
  }

  /** The function of an entry of `stacks.frame`. */
  functionAt(at: number): number {
    return this.index.functionOf[this.index.stacks.frame[at]!]!;
  }

  /** Function names of a stack, root to leaf. */
  pathOf(stack: number): string[] {
    const { stacks, names, functionOf } = this.index;
    const frames = stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]!);
    return Array.from(frames, (frame) => names[functionOf[frame]!]!).reverse();
  }

  /** Functions with a value, largest self value first. A function that recurses counts once per stack. */
  functions(): FunctionTotal[] {
    const { self, cum: total } = this.#functionTotals();
    return this.index.names
      .map((name, fn) => ({
        fn,
        name,
        isApplication: this.index.isApplication[fn] === 1,
        self: self[fn]!,
        total: total[fn]!,
      }))
      .filter((entry) => entry.total > 0)
      .sort((a, b) => b.self - a.self || b.total - a.total);
  }

  /** A function as evidence. The line is the frame's. */
  evidenceOf(frame: number): FindingFunction {
    const { stacks, functionOf, names } = this.index;
    const fn = functionOf[frame]!;
    const { self, cum: total } = this.#functionTotals();
    return {
      name: names[fn]!,
      file: stacks.frames.file[frame]!,
      line: stacks.frames.line[frame]!,
      selfShare: this.shareOf(self[fn]!),
      totalShare: this.shareOf(total[fn]!),
    };
  }

  #functionTotals(): FunctionTotals {
    const { names, stacks, functionOf } = this.index;
    this.#totals ??= functionTotals(stacks, this.weights, {
      ofFrame: functionOf,
      length: names.length,
      name: names,
    });
    return this.#totals;
  }
}

function numbers(column: Float64Array | BigInt64Array | undefined): Float64Array {
  return Float64Array.from(column ?? new Float64Array(), Number);
}
