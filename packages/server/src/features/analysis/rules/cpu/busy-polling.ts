import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

/** A select with default asks without waiting, and Gosched lets others run and returns at once. */
export const polling = functions("runtime.{selectnbrecv,selectnbsend,Gosched}");

export const busyPolling = callRule({
  id: "busy-polling",
  name: "Loops that ask instead of wait",
  category: "goroutine_optimization",
  looksAt: "CPU in runtime.Gosched and in selects with default below application code.",
  select: ({ main }) => main.directCalls(polling),
  from: { low: 0.05, medium: 0.15, high: 0.4 },
  confidence: 0.85,
  saves: 0.9,
  issue: ({ where, share }) => `${where} spends ${share} asking without waiting: block instead`,
  impact:
    "A select with default, or Gosched in a loop, returns at once when there is nothing to do: the goroutine keeps a core busy and takes it from others. The rest of the loop costs more.",
  solution: ({ where }) =>
    `Remove default from the select in ${where}, so that it waits for the channel, ctx.Done() or a ticker. Wait for a state with a channel, sync.Cond or a WaitGroup instead of checking it.`,
  example: `import "context"

// drain waits for the next job, or for the end.
func drain(ctx context.Context, jobs <-chan int, run func(int)) error {
	for {
		select {
		case job := <-jobs:
			run(job)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
`,
});
