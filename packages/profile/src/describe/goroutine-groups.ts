import type { StackTable } from "#model/stack-table.ts";
import { creatorOf, type GoroutineState, goroutineStates } from "./goroutine-state.ts";
import { callerOf } from "./waiting-frames.ts";

/** Goroutines with one and the same stack. Frames are indexes into the table's frames. */
export interface GoroutineGroup {
  /** Index of the stack. */
  readonly stack: number;
  readonly state: GoroutineState;
  readonly count: number;
  /** The function the goroutines began with: the root of the stack; undefined for an empty one. */
  readonly entry: number | undefined;
  /** The function that started them, if the entry's name contains it. */
  readonly creator: string | undefined;
  /** The frame that waits or runs: the first that is not of the runtime or a package that waits for its callers. */
  readonly at: number | undefined;
}

/** The groups with goroutines in column `type` of the values, most goroutines first, then as in the table. */
export function goroutineGroups(stacks: StackTable, type: number): GoroutineGroup[] {
  const counts = stacks.values[type] ?? new Float64Array(stacks.length);
  const names = stacks.frames.functionName;
  const stateOf = goroutineStates(stacks, counts);
  const groups: GoroutineGroup[] = [];
  for (let stack = 0; stack < stacks.length; stack++) {
    const count = Number(counts[stack]);
    if (count === 0) continue;
    const frames = stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]);
    const entry = frames.at(-1);
    groups.push({
      stack,
      state: stateOf(stack),
      count,
      entry,
      creator: entry === undefined ? undefined : creatorOf(names[entry]),
      at: callerOf(stacks, stack).frame,
    });
  }
  return groups.sort((a, b) => b.count - a.count);
}
