import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import { delaysOf, servingRequests, waitingRule } from "#rules/waiting.ts";

const sending = functions("runtime.chansend*");
const receiving = functions("runtime.{chanrecv*,selectgo}", "sync.(*Cond).Wait");
/** Drivers wait for their database, which is no imbalance of channels. */
const driving = functions("database/sql.*");

/** Receives must wait so much longer than sends to be the finding: requests often wait for an answer, sends only for a missing receiver. */
const sendPart = 0.2;

const isSend = (selection: Selection) => selection.and(sending).weight > 0;

export const channelImbalance = waitingRule({
  id: "channel-imbalance",
  name: "Goroutines that wait to send",
  types: ["block"],
  category: "goroutine_optimization",
  yieldsTo: ["connection-pool-wait"],
  looksAt: "Waiting time in channel sends, and in receives of goroutines that serve a request.",
  select: (subject) => {
    const delays = delaysOf(subject);
    const sends = delays.directCalls(sending);
    const receives = delays.directCalls(receiving).and(servingRequests).without(driving);
    return receives.weight * sendPart > sends.weight ? receives : sends;
  },
  // Back-pressure is sometimes wanted, so that waiting alone is never high.
  from: { low: 50, medium: 250 },
  confidence: ({ selection }) => (isSend(selection) ? 0.85 : 0.6),
  saves: 0.7,
  issue: ({ where, share, selection }) =>
    isSend(selection)
      ? `${where} has ${share} in blocked sends: add or speed up receivers`
      : `Requests spend ${share} waiting for a channel in ${where}: add senders`,
  impact: ({ cost, selection }) =>
    isSend(selection)
      ? `That is ${cost}. The receivers are too few or too slow. Waiting senders keep their requests, memory and connections.`
      : `That is ${cost}. The senders of the channel are too few or too slow.`,
  solution: ({ where, selection }) =>
    isSend(selection)
      ? `Start more receivers for the channel that ${where} sends to, or make them faster. A buffer only helps against bursts. Send with select and ctx.Done(), and refuse work with 503 when the backlog is full.`
      : `Look at who sends to the channel in ${where}: start more of them, or do the work in the calling goroutine. Receive with select and ctx.Done().`,
  example: `import (
	"context"
	"errors"
)

var errBusy = errors.New("busy, try again")

type job struct{ ID int }

// queue has several workers and a bounded backlog.
type queue struct{ jobs chan job }

func newQueue(workers, backlog int, run func(job)) *queue {
	q := &queue{jobs: make(chan job, backlog)}
	for range workers {
		go func() {
			for one := range q.jobs {
				run(one)
			}
		}()
	}
	return q
}

// submit refuses work when the backlog is full, and never waits longer than
// the caller does.
func (q *queue) submit(ctx context.Context, one job) error {
	select {
	case q.jobs <- one:
		return nil
	case <-ctx.Done():
		return errors.Join(errBusy, ctx.Err())
	}
}
`,
});
