import type { ProfileType } from "@flamekeep/contract";
import { functionChanges } from "#analysis/ranges/function-changes.ts";
import { columnsOf } from "#analysis/ranges/range-tasks.ts";
import { functionRef } from "#rules/finding.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";

interface EffectTask {
  /** The columns of the range before, then the columns of the range after. */
  readonly stored: StoredStacks;
  readonly columnsBefore: number;
  readonly columnsAfter: number;
  readonly type: ProfileType;
  /** As `functionRef`. */
  readonly ref: string;
}

/** Sums of a function, with what it calls, in two ranges. */
interface FunctionSums {
  readonly before: number;
  readonly after: number;
}

/** Runs in the background thread. */
export function functionSums(task: EffectTask): Resolved<FunctionSums> {
  const { stored, columnsBefore, columnsAfter, type, ref } = task;
  const resolved = tableOf(stored);
  if (resolved.missing !== undefined) return resolved;
  const before = columnsOf(resolved.value, 0, columnsBefore);
  const after = columnsOf(resolved.value, columnsBefore, columnsAfter);
  const changes = functionChanges({ before, after }, type);
  // Earlier versions stored names alone.
  const found = changes.find((each) => functionRef(each) === ref) ?? changes.find(({ name }) => name === ref);
  return { missing: undefined, value: { before: found?.totalBefore ?? 0, after: found?.totalAfter ?? 0 } };
}
