import type { FrameTable, StackTable } from "#model/stack-table.ts";

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
