import type { ValueColumn } from "#model/profile.ts";
import type { StackTable, ValueType } from "#model/stack-table.ts";
import type { SampleLabels } from "./sample-labels.ts";

/**
 * The rows of a stack table, split by the labels of their samples.
 *
 * ```
 * row i: stack[i] of the table, with the labels set[i] and values[type][i]
 * ```
 *
 * The rows of a stack sum to its values.
 */
export interface SplitStacks {
  readonly stack: Uint32Array;
  readonly set: Uint16Array;
  readonly values: readonly Float64Array[];
}

interface LabelledSamples {
  readonly stacks: StackTable;
  readonly stackOf: Uint32Array;
  readonly labels: SampleLabels;
  /** The sample types of `labels.values`; the table may have fewer. */
  readonly sampleTypes: readonly ValueType[];
  /** The set that each set of `labels` becomes, by its number; entry 0 is 0. */
  readonly setOf: Uint16Array;
}

/** Undefined if the rows do not sum to the values of the table. */
export function splitStacks({
  stacks,
  stackOf,
  labels,
  sampleTypes,
  setOf,
}: LabelledSamples): SplitStacks | undefined {
  const samples = stackOf.length;
  if (labels.setOf.length !== samples) return undefined;
  const columns = stacks.sampleTypes.map(({ type, unit }) =>
    sampleTypes.findIndex((each) => each.type === type && each.unit === unit),
  );
  if (columns.includes(-1)) return undefined;
  const pairs = pairsOf(stackOf, (sample) => setOf[labels.setOf[sample]], stacks.length);
  const values = columns.map((column) => {
    const sums = new Float64Array(pairs.stack.length);
    const ofSample = labels.values[column];
    for (let sample = 0; sample < samples; sample++) sums[pairs.rowOf[sample]] += ofSample[sample];
    return sums;
  });
  const areEqual = values.every((column, type) => isSplitOf(column, pairs.stack, stacks.values[type]));
  return areEqual ? { stack: pairs.stack, set: pairs.set, values } : undefined;
}

interface Pairs {
  readonly stack: Uint32Array;
  readonly set: Uint16Array;
  readonly rowOf: Uint32Array;
}

/** The distinct pairs of stack and set in order of first use, and the pair of each sample. Most stacks have one set or two. */
function pairsOf(stackOf: Uint32Array, setOf: (sample: number) => number, stacks: number): Pairs {
  const samples = stackOf.length;
  const stack = new Uint32Array(samples);
  const set = new Uint16Array(samples);
  const rowOf = new Uint32Array(samples);
  // The latest row of each stack, and the row of the same stack before each row; one more, because 0 is none.
  const latest = new Uint32Array(stacks);
  const before = new Uint32Array(samples);
  let count = 0;
  for (let sample = 0; sample < samples; sample++) {
    const ofSample = setOf(sample);
    let row = latest[stackOf[sample]];
    while (row !== 0 && set[row - 1] !== ofSample) row = before[row - 1];
    if (row === 0) {
      stack[count] = stackOf[sample];
      set[count] = ofSample;
      before[count] = latest[stackOf[sample]];
      row = ++count;
      latest[stackOf[sample]] = row;
    }
    rowOf[sample] = row - 1;
  }
  return { stack: stack.slice(0, count), set: set.slice(0, count), rowOf };
}

function isSplitOf(column: Float64Array, stack: Uint32Array, whole: ValueColumn): boolean {
  if (whole instanceof BigInt64Array) return false;
  const sums = new Float64Array(whole.length);
  for (let row = 0; row < column.length; row++) sums[stack[row]] += column[row];
  return sums.every((sum, at) => sum === whole[at]);
}
