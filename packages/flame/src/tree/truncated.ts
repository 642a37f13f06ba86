import type { StackTable } from "@flamekeep/profile";

/**
 * Go keeps the innermost frames of a stack and no more: 64 in CPU profiles, 128 in all others, and 32 before Go 1.23.
 * Inlined frames count. See maxCPUProfStack and maxProfStackDepth in Go's runtime.
 */
const cpuLimits = [64];
const otherLimits = [32, 64, 128];

/** If Go truncates inside inlined frames, Go adds the frames around the last one. */
const inlinedBeyond = 2;

/** Frames missing at the leaf of allocations: Go removes its runtime's frames after truncating. */
const hiddenMax = 5;

/** The first functions of goroutines and threads in any program. */
const entryFunctions: readonly string[] = [
  "runtime.main",
  "runtime.goexit",
  "runtime.rt0_go",
  "runtime.mcall",
  "runtime.mstart",
  "runtime.sigtramp",
  "runtime.cgocallback",
  "runtime.morestack",
  "runtime.systemstack",
  "runtime.gcBgMarkWorker",
  "net/http.(*conn).serve",
  "testing.tRunner",
];

/**
 * Which stacks a Go profiler truncated, 1 for each; undefined if there are none. Profiles do not record it. A stack counts as truncated if
 *
 * - the longest stacks of the table are as long as one of Go's limits,
 * - it is about as long as that limit itself,
 * - its outermost function is in a Go file,
 * - that function is not an entry: other stacks show that it is called, and no shorter stack begins with it.
 */
export function truncatedStacks(stacks: StackTable): Uint8Array | undefined {
  const isCpu = stacks.sampleTypes.some(({ type }) => type === "cpu");
  const limit = (isCpu ? cpuLimits : otherLimits).find((frames) => isReached(stacks, frames));
  if (limit === undefined) return undefined;
  const { start, frame, frames, length } = stacks;
  const from = isCpu ? limit : limit - hiddenMax;
  const called = calledNames(stacks, from);
  const truncated = new Uint8Array(length);
  let count = 0;
  for (let stack = 0; stack < length; stack++) {
    if (start[stack + 1] - start[stack] < from) continue;
    const root = frame[start[stack + 1] - 1];
    if (!frames.file[root].endsWith(".go") || !called.has(frames.functionName[root])) continue;
    truncated[stack] = 1;
    count++;
  }
  return count === 0 ? undefined : truncated;
}

/** Whether the longest stacks have `limit` frames: truncated stacks are all about as long. */
function isReached({ start, length }: StackTable, limit: number): boolean {
  let at = 0;
  let beyond = 0;
  for (let stack = 0; stack < length; stack++) {
    const depth = start[stack + 1] - start[stack];
    if (depth > limit + inlinedBeyond) return false;
    if (depth === limit) at++;
    else if (depth > limit) beyond++;
  }
  return at > 0 && at >= beyond;
}

/** Names of functions that are called in some stack and are no entry: no stack shorter than `shorterThan` begins with them. */
function calledNames({ start, frame, frames, length }: StackTable, shorterThan: number): Set<string> {
  const isCalled = new Uint8Array(frames.length);
  const isEntry = new Uint8Array(frames.length);
  for (let stack = 0; stack < length; stack++) {
    const from = start[stack];
    const last = start[stack + 1] - 1;
    for (let at = from; at < last; at++) isCalled[frame[at]] = 1;
    if (last >= from && last + 1 - from < shorterThan) isEntry[frame[last]] = 1;
  }
  const names = namesOf(frames, isCalled);
  for (const name of namesOf(frames, isEntry)) names.delete(name);
  for (const name of entryFunctions) names.delete(name);
  return names;
}

function namesOf({ functionName, length }: StackTable["frames"], isWanted: Uint8Array): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at < length; at++) if (isWanted[at] === 1) names.add(functionName[at]);
  return names;
}
