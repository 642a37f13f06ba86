import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";

const receiving = functions("runtime.chanrecv*");

export const blockedReceive = goroutineRule({
  id: "blocked-receive",
  name: "Goroutines that wait for a channel nobody closes",
  looksAt: "Goroutines of application code that wait in a channel receive, their number and growth.",
  yieldsTo: ["ticker-not-stopped", "goroutine-leak"],
  select: ({ main }) => main.directCalls(receiving),
  // Workers that wait for work are fine; pools seldom have more than a hundred.
  from: { low: 100, medium: 300, high: 2000 },
  confidence: 0.75,
  issue: ({ where, count }) => `${count} goroutines wait to receive in ${where}: close the channel`,
  impact:
    "Workers of a finished batch wait until their channel is closed. Each keeps at least 2 KiB of stack and everything it references, and the collector scans it.",
  solution: ({ where }) =>
    `Close the channel when the last value is sent (the sender closes, with defer), or let ${where} also wait for ctx.Done(). Start workers once for the program, not once per request.`,
  example: `import (
	"context"
	"sync"
)

// process ends its workers: the channel is closed when all items are sent, or
// the caller has gone.
func process(ctx context.Context, items []int, workers int, work func(int)) {
	queue := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for item := range queue {
				work(item)
			}
		}()
	}
	defer group.Wait()
	defer close(queue)
	for _, item := range items {
		select {
		case queue <- item:
		case <-ctx.Done():
			return
		}
	}
}
`,
});
