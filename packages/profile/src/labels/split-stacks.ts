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
 * Rows of one stack lie together, those without labels first. For each stack they sum to its values.
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
  readonly setCount: number;
}

/** Undefined if the rows do not sum to the values of the table. */
export function splitStacks({
  stacks,
  stackOf,
  labels,
  sampleTypes,
  setOf,
  setCount,
}: LabelledSamples): SplitStacks | undefined {
  const samples = stackOf.length;
  if (labels.setOf.length !== samples) return undefined;
  const columns = stacks.sampleTypes.map(({ type, unit }) =>
    sampleTypes.findIndex((each) => each.type === type && each.unit === unit),
  );
  if (columns.includes(-1)) return undefined;
  const pairs = pairsOf(stackOf, (sample) => setOf[labels.setOf[sample]], setCount + 1);
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

/** The distinct pairs of stack and set, ascending, and the pair of each sample. */
function pairsOf(stackOf: Uint32Array, setOf: (sample: number) => number, sets: number): Pairs {
  const keys = new Float64Array(stackOf.length);
  for (let sample = 0; sample < keys.length; sample++) keys[sample] = stackOf[sample] * sets + setOf(sample);
  const sorted = keys.slice().sort();
  let count = 0;
  for (const key of sorted) if (count === 0 || sorted[count - 1] !== key) sorted[count++] = key;
  const rows = new Map<number, number>();
  const stack = new Uint32Array(count);
  const set = new Uint16Array(count);
  for (let row = 0; row < count; row++) {
    rows.set(sorted[row], row);
    stack[row] = Math.floor(sorted[row] / sets);
    set[row] = sorted[row] % sets;
  }
  return { stack, set, rowOf: Uint32Array.from(keys, (key) => rows.get(key)!) };
}

function isSplitOf(column: Float64Array, stack: Uint32Array, whole: ValueColumn): boolean {
  if (whole instanceof BigInt64Array) return false;
  const sums = new Float64Array(whole.length);
  for (let row = 0; row < column.length; row++) sums[stack[row]] += column[row];
  return sums.every((sum, at) => sum === whole[at]);
}
