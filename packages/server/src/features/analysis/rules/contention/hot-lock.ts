import { logging } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";
import { delaysOf, waitingRule } from "#rules/waiting.ts";
import { mutexes, readWriteLocks } from "./locks.ts";

/** Waiting on a condition holds a mutex for a moment; the wait itself is not contention. */
const conditions = functions("sync.(*Cond).*");

export const hotLock = waitingRule({
  id: "hot-lock",
  name: "A contended mutex",
  looksAt: "Waiting time at mutexes by the function that locks them, in milliseconds per second.",
  yieldsTo: ["lock-held-over-io"],
  select: (subject) =>
    delaysOf(subject).calls(mutexes).without(logging).without(readWriteLocks).without(conditions),
  // 50 ms per second is a twentieth of one goroutine's time; 500 ms mean that one always waits for another.
  from: { low: 10, medium: 50, high: 500 },
  confidence: 0.9,
  saves: 0.7,
  issue: ({ where, share, subject }) =>
    subject.type === "mutex"
      ? `${where} causes ${share} by holding its mutex: hold it for less`
      : `${where} has ${share} at a contended mutex: hold it for less`,
  impact: ({ cost }) =>
    `That is ${cost}. The wait adds to the latency of every request that needs the lock, and grows faster than the load.`,
  solution: ({ where }) =>
    `Do less while ${where} holds the lock: compute, format and allocate before it, and copy what is needed out of it. Then split the data by key into shards with a lock each, keep counters in atomic.Int64, and publish data that rarely changes as an immutable value in an atomic.Pointer.`,
  example: `import (
	"hash/maphash"
	"sync"
)

const shardCount = 32

var seed = maphash.MakeSeed()

// stock keeps its amounts in shards, so that two keys rarely share a lock.
type stock struct {
	shards [shardCount]struct {
		mu      sync.Mutex
		amounts map[string]int
	}
}

// reserve does nothing under the lock but what needs it.
func (s *stock) reserve(key string, count int) bool {
	shard := &s.shards[maphash.String(seed, key)%shardCount]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.amounts[key] < count {
		return false
	}
	shard.amounts[key] -= count
	return true
}
`,
});
