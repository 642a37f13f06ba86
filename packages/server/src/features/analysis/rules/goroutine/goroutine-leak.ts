import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";

const parked = functions(
  "runtime.{chanrecv*,chansend*,selectgo,block}",
  "time.Sleep",
  "sync.(*{WaitGroup,Cond}).Wait",
);

export const goroutineLeak = goroutineRule({
  id: "goroutine-leak",
  name: "Goroutines that leak",
  looksAt: "Goroutines that wait in application code and have at least doubled since an earlier profile.",
  yieldsTo: ["blocked-send", "ticker-not-stopped", "missing-timeout", "stuck-lock", "unclosed-response-body"],
  select: ({ main }) => main.calls(parked),
  from: { low: 30, medium: 60, high: 1000 },
  mustGrow: true,
  confidence: 0.8,
  issue: ({ where, count }) => `${count} goroutines in ${where} never end: cancel them with a context`,
  impact:
    "Their number grows from profile to profile. Memory and collection grow with them until the process is killed.",
  solution: ({ where }) =>
    `Give every goroutine in ${where} a way to end: a context that is canceled with its request or subscription, or a channel that its owner closes. Wait for it with a WaitGroup where it must not outlive its owner, and test with goleak or by counting runtime.NumGoroutine.`,
  example: `import "context"

type update struct{ Text string }

// follow ends with its context: when the client goes, so does the goroutine.
func follow(ctx context.Context, updates <-chan update, show func(update)) {
	for {
		select {
		case one, ok := <-updates:
			if !ok {
				return
			}
			show(one)
		case <-ctx.Done():
			return
		}
	}
}
`,
});
