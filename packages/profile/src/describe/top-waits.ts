import { type ProfileType, profileTypeEntry } from "@flamekeep/contract/profile-types";
import type { StackTable } from "#model/stack-table.ts";
import { type Category, categoryOf } from "#names/categories.ts";
import type { FrameFunctions } from "#names/frame-functions.ts";
import { percentOf } from "./function-totals.ts";
import { goroutineStates } from "./goroutine-state.ts";
import { callerOf, isWaitingType } from "./waiting-frames.ts";

/** A function in which goroutines wait, or make others wait, and why. */
export interface TopWait {
  /** The first function from the leaf outside of the packages that wait for their callers. */
  readonly name: string;
  readonly file: string;
  /** Line on which it starts, 0 where unknown. */
  readonly line: number;
  readonly category: Category;
  /** State of the goroutines, or the function that was called to wait or to unlock; "" if the function is the leaf. */
  readonly reason: string;
  /** Percent of the whole. */
  readonly percent: number;
  readonly value: number;
}

/** The waits with the largest values; undefined for types whose leaves are the work itself. */
export function topWaits(
  stacks: StackTable,
  weights: Float64Array,
  functions: FrameFunctions,
  { type, whole, count }: { readonly type: ProfileType; readonly whole: number; readonly count: number },
): TopWait[] | undefined {
  if (!isWaitingType(type)) return undefined;
  const stateOf = goroutineStates(stacks, weights);
  const waits = new Map<string, TopWait & { value: number }>();
  for (let stack = 0; stack < stacks.length; stack++) {
    if (weights[stack] === 0) continue;
    const { frame, operation } = callerOf(stacks, stack);
    if (frame === undefined) continue;
    const fn = functions.ofFrame[frame];
    const reason = profileTypeEntry(type).kind === "gauge" ? stateOf(stack) : operation;
    const key = `${fn} ${reason}`;
    const wait = waits.get(key);
    if (wait !== undefined) wait.value += weights[stack];
    else {
      const [name, file, line] = [functions.name[fn], functions.file[fn], functions.startLine[fn]];
      const category = categoryOf(name, file);
      waits.set(key, { name, file, line, category, reason, percent: 0, value: weights[stack] });
    }
  }
  return [...waits.values()]
    .sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map((wait) => ({ ...wait, percent: percentOf(wait.value, whole) }));
}
