import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

const passing = functions("runtime.{chansend*,chanrecv*,selectgo,selectnbsend,selectnbrecv,closechan}");

/** Waiting for time, not for items: the runtime looks after the timer of such a channel in the operation itself. */
const timing = functions(
  "runtime.{blockTimerChan,unblockTimerChan}",
  "runtime.(*{timer,timers}).*",
  "time.*",
);
/** Part of a function's channel operations that must look after timers for all of them to be taken for waiting. */
const timerPart = 0.2;

/** The operations of functions that pass items, not of those that wait for timers. */
function passingItems({ main }: Subject): Selection {
  const all = main.directCalls(passing);
  const timers = all.and(timing);
  const ofTimers = timers.callers
    .filter((caller) => caller.weight >= all.of(caller).weight * timerPart)
    .map(({ name }) => name);
  return ofTimers.length === 0 ? all : all.ofCallers((name) => !ofTimers.includes(name));
}

export const channelPerItem = callRule({
  id: "channel-per-item",
  name: "One channel operation per item",
  looksAt:
    "CPU in sending, receiving and selecting where application code does it, waiting for timers left out.",
  // Receives that return at once pass no items: they ask.
  yieldsTo: ["lock-spinning"],
  select: passingItems,
  // An operation costs 50 to 100 ns, several times that if it wakes a goroutine: visible only if items are tiny.
  from: { low: 0.04, medium: 0.08, high: 0.2 },
  confidence: 0.85,
  saves: 0.85,
  issue: ({ where, share }) => `${where} spends ${share} on channel operations per item: send batches`,
  impact:
    "Each item costs a lock, a copy and often a switch between goroutines, more than the work itself. Batches of a hundred items need a hundredth of the operations, and save the scheduler's work of waking and parking goroutines.",
  solution: ({ where }) =>
    `Send slices of items in ${where}, or split the input among the goroutines beforehand and let each work on its part. Results can go to an index of a preallocated slice without a channel. A function that yields its items (iter.Seq) needs no goroutine at all.`,
  example: `import (
	"runtime"
	"sync"
)

// squares splits the input; no channel, no lock per item.
func squares(numbers []int) []int {
	results := make([]int, len(numbers))
	workers := runtime.GOMAXPROCS(0)
	size := (len(numbers) + workers - 1) / workers
	var group sync.WaitGroup
	for from := 0; from < len(numbers); from += size {
		to := min(from+size, len(numbers))
		group.Add(1)
		go func() {
			defer group.Done()
			for i := from; i < to; i++ {
				results[i] = numbers[i] * numbers[i]
			}
		}()
	}
	group.Wait()
	return results
}
`,
});
