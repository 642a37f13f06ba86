import { priorityOf } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, listed, shortName } from "#rules/text.ts";

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

export const garbageCollection: Rule = {
  id: "garbage-collection",
  name: "Much garbage collection",
  types: ["cpu"],
  category: "memory_optimization",
  isWholeProgram: true,
  isConsequence: true,
  looksAt:
    "CPU in background marking, assists and sweeping; the functions that allocate are named as the cause. Idle workers do not make it high.",
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
  find(subject: Subject): Observation | undefined {
    const selection = subject.main.through(collecting);
    // A Go service usually spends 5 to 10 % on collection; a tight heap or heavy allocation shows above that.
    const isInTheWay = selection.without(idle).share >= busyShare;
    const priority = priorityOf(selection, {
      low: 0.12,
      medium: 0.18,
      ...(isInTheWay && { high: busyShare }),
    });
    const forced = subject.main.calls(forcing);
    const isForced = forced.callers.length > 0 && (forced.count ?? forcedMin) >= forcedMin;
    const cause = isForced ? forced : subject.main.calls(allocating);
    if (priority === undefined || cause.callers.length === 0) return undefined;
    const callers = listed(cause.callers.slice(0, 3).map(({ name }) => shortName(name)));
    return {
      selection,
      cause,
      priority,
      ...(isForced
        ? forcedTexts(subject, selection, callers)
        : {
            confidence: 0.7,
            saves: 0.5,
            issue: `The garbage collector uses about ${costOf(subject, selection)}. Most CPU for allocation is spent below ${callers}.`,
            impact:
              "Collections happen twice as rarely with GOGC=200, which saves about half of that for at most twice the live heap.",
            solution: `Allocate less in ${callers} first: reuse buffers, allocate slices with their final capacity, avoid conversions between strings and bytes. Then set GOGC to 200 or more, and GOMEMLIMIT to about 90% of the container's memory, so that the heap can grow where memory is free.`,
          }),
    };
  },
};

function forcedTexts(subject: Subject, selection: Selection, callers: string) {
  return {
    confidence: 0.9,
    saves: 0.8,
    issue: `The garbage collector uses about ${costOf(subject, selection)}, and ${callers} starts it, or stops all goroutines to read its figures.`,
    impact:
      "A forced collection visits the whole live heap however little was allocated since the last one, and runtime.GC returns only when it is done.",
    solution: `Remove runtime.GC, debug.FreeOSMemory and changes of the limits from ${callers}: the collector starts when it should. GOGC and GOMEMLIMIT set its pace once for the process, and runtime/metrics reads its figures without stopping anything.`,
  };
}
