import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const waiting = functions(
  "runtime.{gopark,selectgo,chanrecv*,chansend*,netpollblock}",
  "internal/poll.runtime_pollWait",
  "internal/poll.(*FD).*",
  "sync.(*Mutex).Lock",
  "sync.(*RWMutex).*",
  "sync.(*{WaitGroup,Cond}).Wait",
  "time.Sleep",
  "syscall.*",
);
/** Goroutines without work wait for good reasons; only requests in progress count. */
const serving = functions("net/http.(*conn).serve", "google.golang.org/grpc.(*Server).*", "main.main");

export const waitingWallTime = callRule({
  id: "waiting-wall-time",
  name: "Requests that mostly wait",
  types: ["custom"],
  category: "other",
  looksAt:
    "Wall time of requests in waits for the network, channels, locks and time, by the application function.",
  select: ({ main }) => {
    const isTime = ["nanoseconds", "microseconds", "milliseconds", "seconds"].includes(main.sampleType.unit);
    return isTime ? main.calls(waiting).and(serving) : undefined;
  },
  from: { low: 0.3, medium: 0.6 },
  confidence: 0.7,
  saves: 0.5,
  issue: ({ where, share }) => `Requests spend ${share} waiting in ${where}: run calls in parallel`,
  impact:
    "The requests wait instead of computing. Less CPU would not make them faster; fewer or parallel waits would.",
  solution: ({ where }) =>
    `Start the independent calls of ${where} at the same time (errgroup), ask for many things with one call instead of one by one, keep connections open, and give each call a timeout below that of the request.`,
  example: `import (
	"context"
	"sync"
)

// both asks two services at once: the request waits for the slower one only.
func both(ctx context.Context, first, second func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for _, call := range []func(context.Context) error{first, second} {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := call(ctx); err != nil {
				cancel(err)
			}
		}()
	}
	group.Wait()
	return context.Cause(ctx)
}
`,
});
