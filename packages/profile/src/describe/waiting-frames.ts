import { findProfileType } from "@flamekeep/contract/profile-types";
import type { StackTable } from "#model/stack-table.ts";
import { packageOf } from "#names/function-name.ts";

/**
 * Whether the leaves of a profile type are nearly always functions of the runtime, which say nothing about the code that waits.
 * Wall time, which is stored as `custom`, is both work and waiting: its leaves are also functions of the runtime that compute, such as
 * `runtime.memmove`, and their names do not tell the two apart.
 */
export function isWaitingType(profileType: string): boolean {
  return findProfileType(profileType)?.isWaiting === true;
}

/** Packages that wait on behalf of the code that calls them, besides those below `internal/`. */
export const waitingPackages: readonly string[] = [
  "runtime",
  "runtime/internal/syscall",
  "sync",
  "syscall",
  "time",
  "os/signal",
];
const waiting = new Set(waitingPackages);

/** Whether a function belongs to the runtime or to a package in which goroutines wait for their callers. */
export function waitsForCaller(functionName: string): boolean {
  return isWaitingPackage(packageOf(functionName));
}

/** As `waitsForCaller`, by the package of a function. */
export function isWaitingPackage(path: string): boolean {
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
  while (at < last && waitsForCaller(names[stacks.frame[at]])) at++;
  return {
    frame: stacks.frame[at],
    operation: at === from ? "" : names[stacks.frame[at - 1]],
  };
}
