import type { StackTable } from "#model/stack-table.ts";
import { callerOf } from "./waiting-frames.ts";

/** The kind of wait; `other` if the stack does not show it. */
type Contention =
  | "mutex"
  | "rwmutex"
  | "wait group"
  | "condition"
  | "once"
  | "channel receive"
  | "channel send"
  | "select"
  | "sleep"
  | "runtime lock"
  | "other";

/** A line of code at which goroutines waited (block profiles) or made others wait (mutex profiles). */
export interface CallSite {
  /** Index of the frame; undefined for an empty stack. */
  readonly frame: number | undefined;
  /** The function that the line called: `sync.(*Mutex).Lock`, `runtime.selectgo`; "" if it is the leaf. */
  readonly operation: string;
  readonly kind: Contention;
  readonly contentions: number;
  readonly delay: number;
  /** Distinct stacks that lead to it. */
  readonly stackCount: number;
  /** The one of them with the longest delay. */
  readonly longestStack: number;
}

/** Starts of the names of operations. The first that fits wins. */
const kinds: readonly (readonly [Contention, readonly string[]])[] = [
  ["rwmutex", ["sync.(*RWMutex)."]],
  ["mutex", ["sync.(*Mutex).", "internal/sync.(*Mutex)."]],
  ["wait group", ["sync.(*WaitGroup)."]],
  ["condition", ["sync.(*Cond)."]],
  ["once", ["sync.(*Once)."]],
  ["channel receive", ["runtime.chanrecv"]],
  ["channel send", ["runtime.chansend"]],
  ["select", ["runtime.selectgo"]],
  ["sleep", ["time.Sleep"]],
];

/**
 * The call sites of a mutex or block profile: the first frame of each stack above the frames of `sync` and the runtime,
 * one entry for each line and operation, longest delay first. `contentions` and `delay` are columns of the values.
 */
export function callSites(stacks: StackTable, contentions: number, delay: number): CallSite[] {
  const sites = new Map<string, Mutable<CallSite> & { longest: number }>();
  for (let stack = 0; stack < stacks.length; stack++) {
    const times = Number(stacks.values[contentions]?.[stack] ?? 0);
    const waited = Number(stacks.values[delay]?.[stack] ?? 0);
    if (times === 0 && waited === 0) continue;
    const { frame, operation } = callerOf(stacks, stack);
    const key = `${frame} ${operation}`;
    let site = sites.get(key);
    if (site === undefined) {
      const kind = kindOf(operation, stacks, frame);
      site = {
        frame,
        operation,
        kind,
        contentions: 0,
        delay: 0,
        stackCount: 0,
        longestStack: stack,
        longest: waited,
      };
      sites.set(key, site);
    }
    site.contentions += times;
    site.delay += waited;
    site.stackCount++;
    if (waited > site.longest) {
      site.longest = waited;
      site.longestStack = stack;
    }
  }
  return [...sites.values()]
    .map(({ longest: _, ...site }) => site)
    .sort((a, b) => b.delay - a.delay || b.contentions - a.contentions);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function kindOf(operation: string, stacks: StackTable, frame: number | undefined): Contention {
  for (const [kind, starts] of kinds) if (starts.some((start) => operation.startsWith(start))) return kind;
  const name = operation || (frame === undefined ? "" : stacks.frames.functionName[frame]);
  return name.startsWith("runtime.") ? "runtime lock" : "other";
}
