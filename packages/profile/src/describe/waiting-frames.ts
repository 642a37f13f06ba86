import type { StackTable } from "#model/stack-table.ts";
import { packageOf } from "#names/function-name.ts";

/** Packages that wait on behalf of the code that calls them. */
const waiting = new Set(["runtime", "runtime/internal/syscall", "sync", "syscall", "time", "os/signal"]);

/** Whether a function belongs to the runtime or to a package in which goroutines wait for their callers. */
export function isWaiting(functionName: string): boolean {
  const path = packageOf(functionName);
  return waiting.has(path) || path.startsWith("internal/");
}

export interface Caller {
  /** The first frame, from the leaf, outside of the packages that wait; the root where all are inside. */
  readonly frame: number | undefined;
  /** The function that frame called: `sync.(*Mutex).Lock`; "" where the frame is the leaf. */
  readonly operation: string;
}

/**
 * ```
 * runtime.gopark  sync.(*Mutex).lockSlow  sync.(*Mutex).Lock  shop.(*Ledger).Reserve  main.serve
 *                                         operation           frame
 * ```
 */
export function callerOf(stacks: StackTable, stack: number): Caller {
  const names = stacks.frames.functionName;
  const from = stacks.start[stack];
  const last = stacks.start[stack + 1] - 1;
  if (last < from) return { frame: undefined, operation: "" };
  let at = from;
  while (at < last && isWaiting(names[stacks.frame[at]])) at++;
  return {
    frame: stacks.frame[at],
    operation: at === from ? "" : names[stacks.frame[at - 1]],
  };
}
