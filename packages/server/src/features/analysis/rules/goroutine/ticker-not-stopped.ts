import { goroutineRule } from "#rules/goroutine-rule.ts";
import { functions } from "#rules/match.ts";
import type { Subject } from "#rules/subject.ts";

const receiving = functions("runtime.{chanrecv*,selectgo}");
const timers = functions("time.{NewTicker,NewTimer,After,Tick,newTimer}");
/** Names of functions that do something again and again. */
const periodic =
  /(?:^|[.)])[a-zA-Z0-9]{0,100}(?:[hH]eart[bB]eat|[tT]ick|[pP]oll|[rR]efresh|[pP]ing|[kK]eep[aA]live|[eE]very|[pP]eriodic|[mM]onitor|[sS]ample|[rR]eport|[fF]lush|[rR]enew|[rR]eap|[sS]weep|[eE]xpire|[cC]lean)[a-zA-Z0-9]{0,100}(?:\.(?:func|gowrap)\d+)*$/;
const isPeriodic = (name: string) => periodic.test(name);

/** Goroutines that wait for a ticker look like any that receive: names, and timers made in other profiles, tell them. */
function withTicker(subject: Subject) {
  const waiting = subject.main.directCalls(receiving);
  const makers = [subject.related("memory"), subject.related("cpu")]
    .flatMap((related) => related?.main.calls(timers).callers ?? [])
    .map(({ name }) => name);
  const isMaker = (name: string) => makers.includes(name);
  return waiting.and((name) => isPeriodic(name) || isMaker(name));
}

export const tickerNotStopped = goroutineRule({
  id: "ticker-not-stopped",
  name: "Tickers that are never stopped",
  looksAt:
    "Goroutines that wait in functions named after repetition, or that make timers, their number and growth.",
  select: withTicker,
  from: { low: 50, medium: 150, high: 1000 },
  confidence: 0.75,
  issue: ({ where, count }) => `${count} goroutines repeat work in ${where}: stop their tickers`,
  impact:
    "A loop per connection or request that never ends keeps a ticker running for each. Besides its memory, each wakes up again and again, which costs CPU as long as the process runs.",
  solution: ({ where }) =>
    `End the loop in ${where} with a context or a done channel, and stop its ticker with defer ticker.Stop(): a for … range over ticker.C never ends. One ticker for the whole process that goes through a list is cheaper than one per client.`,
  example: `import (
	"context"
	"time"
)

// heartbeat ends with its connection.
func heartbeat(ctx context.Context, interval time.Duration, send func() error) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := send(); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
`,
});
