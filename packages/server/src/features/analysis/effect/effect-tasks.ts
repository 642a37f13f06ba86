import type { ProfileType } from "@flamekeep/profile";
import { functionChanges } from "#analysis/ranges/function-changes.ts";
import { columnsOf } from "#analysis/ranges/range-tasks.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/ranges/stored-stacks.ts";

interface EffectTask {
  /** The columns of the range before, then the columns of the range after. */
  readonly stored: StoredStacks;
  readonly columnsBefore: number;
  readonly columnsAfter: number;
  readonly type: ProfileType;
  readonly name: string;
}

/** Sums of a function, with what it calls, in two ranges. */
interface FunctionSums {
  readonly before: number;
  readonly after: number;
}

/** Runs in the background thread. */
export function functionSums(task: EffectTask): Resolved<FunctionSums> {
  const { stored, columnsBefore, columnsAfter, type, name } = task;
  const resolved = tableOf(stored);
  if (resolved.missing !== undefined) return resolved;
  const before = columnsOf(resolved.value, 0, columnsBefore);
  const after = columnsOf(resolved.value, columnsBefore, columnsAfter);
  const found = functionChanges({ before, after }, type).find((each) => each.name === name);
  return { missing: undefined, value: { before: found?.totalBefore ?? 0, after: found?.totalAfter ?? 0 } };
}
