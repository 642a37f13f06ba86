import { type Found, shareRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { callersText } from "#rules/text.ts";

const collecting = functions(
  "runtime.{gcBgMarkWorker,gcAssistAlloc*,bgsweep,gcStart,gcMarkDone,gcMarkTermination}",
  "runtime.(*mheap).reclaim*",
);
/** Idle workers use processors that have nothing else to do, so that they delay no request. */
const idle = functions("runtime.gcDrainMarkWorkerIdle");
/** Share, without idle workers, from which on collection slows down requests noticeably. */
const busyShare = 0.35;
/** Calls by which a program starts a collection itself, or stops all of its goroutines. */
const forcing = functions(
  "runtime.{GC,ReadMemStats}",
  "runtime/debug.{FreeOSMemory,SetGCPercent,SetMemoryLimit}",
);
/** Samples of such calls from which on they are named as the cause. */
const forcedMin = 3;
const allocating = functions("runtime.{mallocgc,gcAssistAlloc}*");

/** The calls that start collections; undefined if they are too few to be the cause. */
function forcedBy({ main }: Subject): Selection | undefined {
  const forced = main.calls(forcing);
  return forced.callers.length > 0 && (forced.count ?? forcedMin) >= forcedMin ? forced : undefined;
}

const isForced = ({ subject }: Found) => forcedBy(subject) !== undefined;

export const garbageCollection = shareRule({
  id: "garbage-collection",
  name: "Much garbage collection",
  category: "memory_optimization",
  isWholeProgram: true,
  isConsequence: true,
  looksAt:
    "CPU in background marking, assists and sweeping; the functions that allocate are named as the cause. Idle workers do not make it high.",
  select: ({ main }) => main.through(collecting),
  cause: (_, subject) => forcedBy(subject) ?? subject.main.calls(allocating),
  // A Go service usually spends 5 to 10 % on collection; a tight heap or heavy allocation shows above that.
  from: ({ selection }) => ({
    low: 0.12,
    medium: 0.18,
    ...(selection.without(idle).share >= busyShare && { high: busyShare }),
  }),
  confidence: (found) => (isForced(found) ? 0.9 : 0.7),
  saves: (found) => (isForced(found) ? 0.8 : 0.5),
  issue: (found) =>
    isForced(found)
      ? `Garbage collection takes ${found.share}: do not force it in ${found.where}`
      : `Garbage collection takes ${found.share}: allocate less in ${found.where}`,
  impact: (found) =>
    isForced(found)
      ? `It uses about ${found.cost}. A forced collection visits the whole live heap, however little was allocated, and runtime.GC returns only when it is done. Reading the collector's figures can stop all goroutines.`
      : `It uses about ${found.cost}. With GOGC=200, collections run half as often, which saves about half of that for at most twice the live heap.`,
  solution: (found) =>
    isForced(found)
      ? `Remove runtime.GC, debug.FreeOSMemory and changes of the limits from ${callersText(found.cause)}: the collector starts when it should. GOGC and GOMEMLIMIT set its pace once for the process, and runtime/metrics reads its figures without stopping anything.`
      : `Allocate less in ${callersText(found.cause)} first: reuse buffers, allocate slices with their final capacity, avoid conversions between strings and bytes. Then set GOGC to 200 or more, and GOMEMLIMIT to about 90% of the container's memory, so that the heap can grow where memory is free.`,
  example: `import (
	"os"
	"runtime/debug"
)

// tuneCollector lets the heap grow further between collections. The limit keeps
// the program within its container's memory. GOGC=200 GOMEMLIMIT=900MiB in the
// environment does the same without code.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(900 << 20)
	}
}
`,
});
