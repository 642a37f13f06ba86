import { shareRule } from "#rules/call-rule.ts";
import { polling } from "#rules/cpu/busy-polling.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";

const scheduling = functions(
  "runtime.{schedule,findRunnable,park_m,goready,ready,wakep,startm,newproc,goexit0,gdestroy,stopm}",
  "runtime.{newstack,copystack,morestack,sysmon}",
);
/** Collection is not what the scheduler costs, although it runs on its stacks. */
const collecting = functions("runtime.{gcBgMarkWorker,bgsweep,bgscavenge,gcStart}");
/** The sweeper lets others run, and so do loops of the application that ask without waiting. */
const yielding = functions("runtime.gosched_m");
/** The calls by which application code makes the scheduler work. */
const causing = functions(
  "runtime.{newproc,Gosched,chansend*,chanrecv*,selectgo,closechan}",
  "time.{Sleep,AfterFunc,NewTimer,After}",
  "sync.(*{WaitGroup,Cond,Mutex}).*",
  "internal/sync.(*Mutex).*",
);

/** Part of the overhead that the calls themselves must have; otherwise something else, such as collection, wakes goroutines. */
const causePart = 0.15;
/** Goroutines that poll with timers cost little where they sleep, and much where the scheduler looks for the next timer. */
const causePartOfDominant = 0.05;
/** From this share on the scheduler dominates; waiting for the network alone stays below. */
const dominantShare = 0.35;
/** An idle program spends most of its little CPU on looking for work; that costs nobody anything. */
const coresMin = 0.02;

/** Scheduling that is noticeable, and that calls of the application explain. */
function overhead({ main, cores }: Subject): Selection | undefined {
  const working = main.through(scheduling).without(collecting);
  const isPolling = main.directCalls(polling).weight > 0;
  const selection = isPolling ? working : working.without(yielding);
  if (cores !== undefined && cores * selection.share < coresMin) return undefined;
  const part = selection.share >= dominantShare ? causePartOfDominant : causePart;
  return main.calls(causing).weight < selection.weight * part ? undefined : selection;
}

export const schedulerOverhead = shareRule({
  id: "scheduler-overhead",
  name: "Much scheduling for little work",
  category: "goroutine_optimization",
  isWholeProgram: true,
  looksAt: "CPU in starting, parking, waking and switching goroutines, if it is noticeable in cores.",
  yieldsTo: ["channel-per-item", "lock-spinning", "busy-polling"],
  select: overhead,
  cause: (_, { main }) => main.calls(causing),
  // Waiting for the network alone makes 10 to 20 % of a small service's CPU: never high.
  from: { low: 0.2, medium: 0.3 },
  confidence: 0.7,
  saves: 0.5,
  issue: ({ where, share }) => `Scheduling takes ${share}, mostly for ${where}: give goroutines more work`,
  impact: ({ cost }) =>
    `Starting, parking and waking goroutines takes about ${cost}. The work per goroutine is small compared with the switch, which takes 200 ns to several microseconds.`,
  solution: ({ where }) =>
    `Give each goroutine more to do: let ${where} hand out batches instead of items, use a fixed number of workers instead of a goroutine per item, do short work in the calling goroutine, and replace polling with short sleeps by a channel or a longer ticker.`,
  example: `import (
	"context"
	"sync"
)

type job struct{ ID int }

// runAll has a fixed number of goroutines that take many jobs at once, instead
// of a goroutine per job.
func runAll(ctx context.Context, jobs []job, workers int, run func(context.Context, job)) {
	const batch = 64
	batches := make(chan []job, workers)
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for some := range batches {
				for _, one := range some {
					run(ctx, one)
				}
			}
		}()
	}
	for len(jobs) > 0 {
		size := min(batch, len(jobs))
		batches <- jobs[:size]
		jobs = jobs[size:]
	}
	close(batches)
	group.Wait()
}
`,
});
