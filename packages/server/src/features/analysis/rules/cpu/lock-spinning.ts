import { callRule, type Thresholds } from "#rules/call-rule.ts";
import { anyOf, functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";

/** Only contended locks get there, and loops that wait. */
const waiting = functions(
  "{sync,internal/sync}.runtime_doSpin",
  "sync.(*Mutex).lockSlow",
  "sync.(*RWMutex).rUnlockSlow",
  "internal/sync.(*Mutex).{lockSlow,unlockSlow}",
  "runtime.{Gosched,procyield}",
  "sync/atomic.CompareAndSwap*",
  "sync/atomic.(*{Bool,Int32,Int64,Uint32,Uint64,Pointer}).CompareAndSwap",
);
/** Locks themselves: their time goes into cache lines that processors take from each other. */
const locking = functions("sync.(*Mutex).{Lock,Unlock}", "sync.(*RWMutex).*", "internal/sync.(*Mutex).*");

/** Calls that return at once, whether or not something has happened: in a loop they keep a processor busy. */
const polling = functions(
  "sync/atomic.Load*",
  "sync/atomic.(*{Bool,Int32,Int64,Uint32,Uint64,Pointer,Value}).Load",
  "runtime.{selectnbrecv,selectnbsend}",
  "sync.(*Mutex).TryLock",
  "sync.(*RWMutex).{TryLock,TryRLock}",
);
/** Half of all CPU in asking leaves no other explanation than a loop that waits. */
const ofPolling: Thresholds = { low: 0.1, medium: 0.2, high: 0.5 };
const ofWaiting: Thresholds = { low: 0.02, medium: 0.05, high: 0.15 };
const ofLocking: Thresholds = { low: 0.04, medium: 0.08 };

function thresholdsOf(selection: Selection): Thresholds {
  if (selection.and(waiting).weight > selection.weight / 2) return ofWaiting;
  return selection.and(polling).weight > selection.weight / 2 ? ofPolling : ofLocking;
}

export const lockSpinning = callRule({
  id: "lock-spinning",
  name: "Processors spent on waiting for locks",
  looksAt:
    "CPU in the slow path of mutexes, compare-and-swap loops, runtime.Gosched, and loops that ask an atomic or a channel.",
  select: ({ main }) => {
    const locks = main.calls(anyOf(waiting, locking));
    const polls = main.directCalls(anyOf(polling, waiting));
    return polls.weight > locks.weight ? polls : locks;
  },
  // The slow path of an uncontended lock never runs; the fast path takes some nanoseconds.
  from: ({ selection }) => thresholdsOf(selection),
  confidence: 0.9,
  saves: 0.8,
  issue: ({ where, share, selection }) =>
    thresholdsOf(selection) === ofPolling
      ? `${where} spends ${share} polling in a loop: block on a channel instead`
      : `${where} spends ${share} contending for a lock: hold it for less`,
  impact: ({ selection }) =>
    thresholdsOf(selection) === ofPolling
      ? "The loop keeps a processor busy while it waits. A blocked goroutine costs nothing until it is woken."
      : "Goroutines spin, park and wake each other instead of working, and the cost grows with every processor. The mutex profile of this service shows the code that holds the lock.",
  solution: ({ where }) =>
    `Hold the lock in ${where} for less: prepare data before and use results after it. Split it by key (shards) so that goroutines rarely meet, keep read-mostly data in an atomic.Pointer to an immutable value, and count with atomic.Int64. Never wait in a loop around runtime.Gosched or CompareAndSwap: a channel, sync.Cond or WaitGroup waits without CPU.`,
  example: `import (
	"hash/maphash"
	"sync"
)

const shardCount = 64

var seed = maphash.MakeSeed()

// counters spreads its keys over many locks.
type counters struct {
	shards [shardCount]struct {
		mu     sync.Mutex
		counts map[string]int
		_      [64]byte // keeps neighbours out of this cache line
	}
}

func (c *counters) add(key string) {
	shard := &c.shards[maphash.String(seed, key)%shardCount]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.counts == nil {
		shard.counts = make(map[string]int)
	}
	shard.counts[key]++
}
`,
});
