import type { StackTable } from "#model/stack-table.ts";
import { packageOf } from "#names/function-name.ts";
import { mostCommon, type RecordedGoroutines } from "./recorded-goroutines.ts";
import { callerOf, waitsForCaller } from "./waiting-frames.ts";

/**
 * State of a goroutine, in the words that Go itself uses for it in a traceback (runtime/runtime2.go,
 * `waitReasonStrings`), read from the functions between the leaf and the program's own code. A pprof goroutine
 * profile holds neither the state nor the time spent in it; a goroutine dump does: see `recordedGoroutines`.
 *
 * | state | the goroutine |
 * |---|---|
 * | chan receive, chan send | waits for the other side of a channel |
 * | select, select (no cases) | waits for one of several channels; forever |
 * | IO wait | waits for the network poller: a socket or a pipe |
 * | sleep | sleeps |
 * | sync.Mutex.Lock, sync.RWMutex.Lock, sync.RWMutex.RLock | waits for a lock |
 * | sync.WaitGroup.Wait, sync.Cond.Wait | waits for others to finish; to be woken |
 * | semacquire | waits for a semaphore; the stack does not show which |
 * | syscall | is in the operating system, or in C |
 * | coroutine | waits for the other side of an iterator (iter.Pull) |
 * | GC, finalizer wait | is one of the runtime's own |
 * | runnable | could run, and waits for a processor |
 * | running | runs, or ran when it was stopped for the profile |
 * | not recorded | has a stack without the functions that tell: see `goroutineStates` |
 * | unknown | has no stack in the profile |
 */
type GoroutineState = (typeof rules)[number][0] | "running" | "not recorded" | "unknown";

/** The first rule one of whose functions is in the stack wins, so that `Mutex.Lock` is not just a semaphore. */
const rules = [
  ["GC", ["runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.forcegchelper"]],
  ["finalizer wait", ["runtime.runfinq", "runtime.runFinalizers", "runtime.runCleanups"]],
  ["sync.RWMutex.RLock", ["sync.(*RWMutex).RLock"]],
  ["sync.RWMutex.Lock", ["sync.(*RWMutex).Lock"]],
  ["sync.Mutex.Lock", ["sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock"]],
  ["sync.WaitGroup.Wait", ["sync.(*WaitGroup).Wait"]],
  ["sync.Cond.Wait", ["sync.(*Cond).Wait", "sync.runtime_notifyListWait"]],
  ["sleep", ["time.Sleep", "runtime.timeSleep"]],
  ["IO wait", ["internal/poll.runtime_pollWait", "runtime.netpollblock"]],
  ["select", ["runtime.selectgo"]],
  ["select (no cases)", ["runtime.block"]],
  ["chan receive", ["runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2"]],
  ["chan send", ["runtime.chansend", "runtime.chansend1"]],
  ["semacquire", ["runtime.semacquire", "runtime.semacquire1", "sync.runtime_Semacquire"]],
  ["coroutine", ["runtime.coroswitch", "runtime.coroswitch_m", "runtime.corostart"]],
  [
    "syscall",
    [
      "syscall.Syscall",
      "syscall.Syscall6",
      "syscall.RawSyscall",
      "syscall.RawSyscall6",
      "syscall.syscall",
      "syscall.syscall6",
      "internal/runtime/syscall.Syscall6",
      "internal/runtime/syscall/linux.Syscall6",
      "runtime/internal/syscall.Syscall6",
      "runtime.cgocall",
      "runtime.notetsleepg",
    ],
  ],
  ["runnable", ["runtime.Gosched", "runtime.gopreempt_m", "runtime.asyncPreempt", "runtime.asyncPreempt2"]],
] as const satisfies readonly (readonly [string, readonly string[]])[];

const rankOf = new Map<string, number>(
  rules.flatMap(([, names], rank) => names.map((name) => [name, rank] as const)),
);

const systemCalls = new Set(["syscall", "golang.org/x/sys/unix"]);

/**
 * The state of each stack's goroutines. Go's text (`debug=1`) leaves the runtime's functions at the leaf out, so a goroutine that waits for
 * a channel looks like one that runs; in the binary form most goroutines end in `runtime.gopark`.
 *
 * @param counts goroutines per stack; stacks without any do not tell what the profile records
 * @param recorded states by stack, which win over those derived from functions
 */
export function goroutineStates(
  stacks: StackTable,
  counts: ArrayLike<number | bigint>,
  recorded?: ReadonlyMap<number, RecordedGoroutines>,
): (stack: number) => string {
  const namesOf = (stack: number) =>
    Array.from(
      stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]),
      (frame) => stacks.frames.functionName[frame],
    );
  const hasRuntimeLeaves = Array.from({ length: stacks.length }, (_, stack) => stack).some((stack) => {
    if (Number(counts[stack]) === 0) return false;
    const names = namesOf(stack);
    // A stack of the runtime's functions alone is whole in the text too.
    return isOfRuntime(names[0] ?? "") && !names.every(isOfRuntime);
  });
  return (stack) =>
    mostCommon(recorded?.get(stack)?.states) ?? goroutineStateOf(namesOf(stack), hasRuntimeLeaves);
}

function isOfRuntime(functionName: string): boolean {
  return functionName.startsWith("runtime.") || functionName.startsWith("internal/runtime/");
}

/** The state of a goroutine with this stack, leaf first. */
export function goroutineStateOf(
  functionNames: readonly string[],
  hasRuntimeLeaves: boolean,
): GoroutineState {
  const [leaf] = functionNames;
  if (leaf === undefined) return "unknown";
  let best: number = rules.length;
  for (const name of functionNames) {
    if (!waitsForCaller(name)) break;
    best = Math.min(best, rankOf.get(name) ?? best);
  }
  const state = rules[best]?.[0];
  if (state !== undefined) return state;
  const path = packageOf(leaf);
  if (systemCalls.has(path)) return "syscall";
  // The goroutine that writes the profile runs, and is in both forms.
  const isNamed = !unnamed.test(leaf);
  return isNamed && (hasRuntimeLeaves || path === "runtime/pprof") ? "running" : "not recorded";
}

const unnamed = /^0x[0-9a-f]+$/;

const literal = /^(?:func|gowrap|deferwrap)?\d+(?:-range\d+)*$/;

/**
 * The function in whose body the goroutine was started, as far as its first function shows: a function literal
 * (`main.serve.func2`) or the wrapper of a go statement (`main.serve.gowrap1`) carries the name of the function it
 * is in. Undefined otherwise: profiles do not contain the go statement.
 */
export function creatorOf(firstFunction: string): string | undefined {
  let end = firstFunction.length;
  for (let dot = firstFunction.lastIndexOf("."); dot > 0; dot = firstFunction.lastIndexOf(".", end - 1)) {
    if (!literal.test(firstFunction.slice(dot + 1, end))) break;
    end = dot;
  }
  const outer = firstFunction.slice(0, end);
  const isFunction = outer.slice(outer.lastIndexOf("/") + 1).includes(".") && !outer.endsWith(".glob.");
  return end < firstFunction.length && isFunction ? outer : undefined;
}

/** Goroutines with one and the same stack. Frames are indexes into the table's frames. */
export interface GoroutineGroup {
  /** Index of the stack. */
  readonly stack: number;
  /** The state of most of them. */
  readonly state: string;
  readonly states: ReadonlyMap<string, number>;
  readonly count: number;
  /** The longest wait that the profile records. */
  readonly waitMinutes: number | undefined;
  /** The function the goroutines began with: the root of the stack; undefined for an empty one. */
  readonly entry: number | undefined;
  /** The function that started most of them, if it is recorded or the entry's name contains it. */
  readonly creator: string | undefined;
  /** The frame that waits or runs: the first that is not of the runtime or a package that waits for its callers. */
  readonly at: number | undefined;
}

/** The groups with goroutines in column `type` of the values, most goroutines first, then as in the table. */
export function goroutineGroups(
  stacks: StackTable,
  type: number,
  recorded?: ReadonlyMap<number, RecordedGoroutines>,
): GoroutineGroup[] {
  const counts = stacks.values[type] ?? new Float64Array(stacks.length);
  const names = stacks.frames.functionName;
  const stateOf = goroutineStates(stacks, counts, recorded);
  const groups: GoroutineGroup[] = [];
  for (let stack = 0; stack < stacks.length; stack++) {
    const count = Number(counts[stack]);
    if (count === 0) continue;
    const frames = stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]);
    const entry = frames.at(-1);
    const state = stateOf(stack);
    const { states, creators, waitMinutes } = recorded?.get(stack) ?? {};
    groups.push({
      stack,
      state,
      states: states ?? new Map([[state, count]]),
      count,
      waitMinutes,
      entry,
      creator: mostCommon(creators) ?? (entry === undefined ? undefined : creatorOf(names[entry])),
      at: callerOf(stacks, stack).frame,
    });
  }
  return groups.sort((a, b) => b.count - a.count);
}
