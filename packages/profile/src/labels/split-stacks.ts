import type { FrameTable, StackTable } from "#model/stack-table.ts";

/**
 * The rows of a stack table, split by the labels of their samples.
 *
 * ```
 * row i: stack[i] of the table, with the labels set[i] and values[type][i]
 * ```
 *
 * The rows of a stack sum to its values; no two rows have the same stack and set. Set 0 has no labels.
 */
export interface SplitStacks {
  readonly stack: Uint32Array;
  readonly set: Uint16Array;
  readonly values: readonly Float64Array[];
}

/**
 * The rows with other sets; rows of one stack whose sets become one are summed.
 *
 * @param stacks number of stacks
 * @param setOf the set that each set becomes, by its number; entry 0 is 0
 */
export function withSets(rows: SplitStacks, stacks: number, setOf: Uint16Array): SplitStacks {
  if (setOf.every((to, from) => to === from)) return rows;
  const set = new Uint16Array(rows.set.length);
  for (let row = 0; row < set.length; row++) set[row] = setOf[rows.set[row]];
  return sumRows({ ...rows, set }, stacks);
}

/** Sums rows with the same stack and set; the sums are sorted by stack. */
export function sumRows({ stack, set, values }: SplitStacks, stacks: number): SplitStacks {
  const inOrder = sortedByStack(stack, stacks);
  const sums = { stack: new Uint32Array(stack.length), set: new Uint16Array(stack.length) };
  const sumOf = new Uint32Array(stack.length);
  // The latest sum of each set, counted from 1: if it has another stack, this stack has no sum with the set yet.
  const latest = new Uint32Array(largest(set) + 1);
  let length = 0;
  for (let at = 0; at < inOrder.length; at++) {
    const row = inOrder[at];
    let sum = latest[set[row]];
    if (sum === 0 || sums.stack[sum - 1] !== stack[row]) {
      sums.stack[length] = stack[row];
      sums.set[length] = set[row];
      sum = ++length;
      latest[set[row]] = sum;
    }
    sumOf[row] = sum - 1;
  }
  return {
    stack: sums.stack.subarray(0, length),
    set: sums.set.subarray(0, length),
    values: values.map((column) => sumColumn(column, sumOf, length)),
  };
}

function largest(numbers: Uint16Array): number {
  let max = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > max) max = numbers[i];
  return max;
}

function sortedByStack(stack: Uint32Array, stacks: number): Uint32Array {
  const next = new Uint32Array(stacks + 1);
  for (let row = 0; row < stack.length; row++) next[stack[row] + 1]++;
  for (let at = 0; at < stacks; at++) next[at + 1] += next[at];
  const rows = new Uint32Array(stack.length);
  for (let row = 0; row < stack.length; row++) rows[next[stack[row]]++] = row;
  return rows;
}

/** @param sumOf by row: the sum that its value is a part of */
export function sumColumn(column: Float64Array, sumOf: Uint32Array, length: number): Float64Array {
  const sums = new Float64Array(length);
  for (let row = 0; row < column.length; row++) sums[sumOf[row]] += column[row];
  return sums;
}

/** Values of a part of the samples of a stack table, by sample type and stack. */
export interface StackGroup {
  /** Name of the frame that becomes the root of its stacks; undefined for none. */
  readonly name: string | undefined;
  readonly values: readonly Float64Array[];
}

/**
 * The stacks of each group, with the group as their root. Stacks without a value in a group are left out of it.
 *
 * ```
 * main encode 3 of handler a, 2 of handler b   ->   handler a;main;encode 3   handler b;main;encode 2
 * ```
 */
export function groupStacks(stacks: StackTable, groups: readonly StackGroup[]): StackTable {
  const rows = groups.flatMap((group, index) =>
    Array.from({ length: stacks.length }, (_, stack) => ({
      group,
      stack,
      root: stacks.frames.length + index,
    })).filter(({ stack }) => group.values.some((column) => column[stack] !== 0)),
  );
  const start = new Uint32Array(rows.length + 1);
  const frame: number[] = [];
  rows.forEach(({ group, stack, root }, row) => {
    for (let at = stacks.start[stack]; at < stacks.start[stack + 1]; at++) frame.push(stacks.frame[at]);
    if (group.name !== undefined) frame.push(root);
    start[row + 1] = frame.length;
  });
  return {
    sampleTypes: stacks.sampleTypes,
    frames: withNames(
      stacks.frames,
      groups.map(({ name }) => name ?? ""),
    ),
    length: rows.length,
    start,
    frame: Uint32Array.from(frame),
    values: stacks.sampleTypes.map((_, type) =>
      Float64Array.from(rows, ({ group, stack }) => group.values[type][stack]),
    ),
  };
}

function withNames(frames: FrameTable, names: readonly string[]): FrameTable {
  const length = frames.length + names.length;
  const none = names.map(() => "");
  const numbers = (column: Int32Array) => {
    const longer = new Int32Array(length);
    longer.set(column);
    return longer;
  };
  return {
    length,
    functionName: [...frames.functionName, ...names],
    ...(frames.storedName && { storedName: [...frames.storedName, ...names] }),
    file: [...frames.file, ...none],
    line: numbers(frames.line),
    startLine: numbers(frames.startLine),
  };
}
