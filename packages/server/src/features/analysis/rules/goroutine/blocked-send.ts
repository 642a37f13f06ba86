import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";

const sending = functions("runtime.chansend*");

export const blockedSend = goroutineRule({
  id: "blocked-send",
  name: "Goroutines that cannot send",
  looksAt: "Goroutines of application code that wait in a channel send, their number and growth.",
  select: ({ main }) => main.directCalls(sending),
  // A send waits for a moment where somebody receives; twenty that wait in one line have nobody.
  from: { low: 15, medium: 50, high: 200 },
  confidence: 0.9,
  issue: ({ where, count }) => `${count} goroutines block on a send in ${where}: select on ctx.Done()`,
  impact:
    "The receiver has gone or is too slow, for example because its request was canceled. A send without a receiver blocks forever, with its stack and everything it references.",
  solution: ({ where }) =>
    `Let the sender in ${where} give up: select between the send and ctx.Done(). If exactly one result is sent, a channel with room for one lets the sender finish even if nobody receives.`,
  example: `import "context"

type result struct{ Value int }

// first asks all and returns the first answer. The channel has room for every
// answer, so that the others can finish too.
func first(ctx context.Context, ask []func(context.Context) result) (result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan result, len(ask))
	for _, one := range ask {
		go func() { results <- one(ctx) }()
	}
	select {
	case found := <-results:
		return found, nil
	case <-ctx.Done():
		return result{}, ctx.Err()
	}
}
`,
});
