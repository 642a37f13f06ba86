import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";
import type { Subject } from "#rules/subject.ts";

/** Goroutines that only wait for work or for time are no fan-out, unless the function that started them waits for them. */
const idle = functions("runtime.{chanrecv*,selectgo}", "time.Sleep", "internal/poll.(*FD).Accept");
const everything = () => true;

/** Libraries that start goroutines with a function that they were given. */
const launchers = functions(
  "sync.(*WaitGroup).*",
  "golang.org/x/sync/*",
  "github.com/sourcegraph/conc*",
  "github.com/panjf2000/ants*",
  "github.com/alitto/pond*",
  "github.com/gammazero/workerpool*",
  "runtime/pprof.Do",
);

/** How a function waits for goroutines that it started. */
const joining = functions("sync.(*WaitGroup).Wait", "golang.org/x/sync/errgroup.(*Group).Wait");
const literal = /(?:\.(?:func|gowrap)?\d+)+$/;

/** The application functions that wait for goroutines that they started. */
function joiners({ main }: Subject): ReadonlySet<string> {
  return new Set(main.directCalls(joining).callers.map(({ name }) => name));
}

/** Stacks that begin in application code, each matched at its root: the function of the go statement. */
function startedByApplication(subject: Subject) {
  const { main } = subject;
  const { isApplication, names } = main.index;
  const waiting = joiners(subject);
  const idleFlags = main.index.flagsOf(idle);
  const launcherFlags = main.index.flagsOf(launchers);
  return main.select(everything, (from, to, stack) => {
    const inner = main.index.innermost[stack]!;
    let root = to - 1;
    while (root > from && launcherFlags[main.functionAt(root)] === 1) root--;
    if (inner < 0 || isApplication[main.functionAt(root)] !== 1) return -1;
    const isIdle = idleFlags[main.functionAt(Math.max(from, inner - 1))] === 1;
    const isAwaited = waiting.has(names[main.functionAt(root)]!.replace(literal, ""));
    return isIdle && !isAwaited ? -1 : root;
  });
}

export const unboundedFanOut = goroutineRule({
  id: "unbounded-fan-out",
  name: "A goroutine for every item",
  looksAt:
    "Goroutines by the function that they were started with, if they do the same work at the same time.",
  yieldsTo: ["blocked-send", "stuck-lock", "ticker-not-stopped", "goroutine-leak"],
  select: startedByApplication,
  from: { low: 120, medium: 300, high: 2000 },
  confidence: 0.85,
  issue: ({ where, count }) => `${count} goroutines run ${where} at the same time: limit the concurrency`,
  impact:
    "One is started for every item, without a limit. They compete for connections, memory and the other service's patience; most of them only wait for their turn.",
  solution: ({ where }) =>
    `Limit how many run ${where} at once: errgroup.Group with SetLimit, a semaphore channel, or a fixed number of workers that take items from a channel. The right number is what the other side can handle, usually 8 to 64.`,
  example: `import (
	"context"
	"sync"
)

// deliverAll has at most limit deliveries in progress.
func deliverAll(ctx context.Context, letters []string, limit int, deliver func(context.Context, string)) {
	slots := make(chan struct{}, limit)
	var group sync.WaitGroup
	defer group.Wait()
	for _, letter := range letters {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() { <-slots }()
			deliver(ctx, letter)
		}()
	}
}
`,
});
