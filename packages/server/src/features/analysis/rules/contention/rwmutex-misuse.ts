import { logging } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import { delaysOf, waitingRule } from "#rules/waiting.ts";
import { readWriteLocks } from "./locks.ts";

const writing = functions("sync.(*RWMutex).{Lock,Unlock}");

const isWriting = (selection: Selection) => selection.and(writing).weight >= selection.weight / 2;

export const rwmutexMisuse = waitingRule({
  id: "rwmutex-misuse",
  name: "An RWMutex that does not help",
  looksAt: "Waiting time at RWMutexes, those locked for writing and for reading apart.",
  select: (subject) => delaysOf(subject).calls(readWriteLocks).without(logging),
  from: { low: 10, medium: 50, high: 500 },
  confidence: 0.85,
  saves: 0.8,
  issue: ({ where, share, selection }) =>
    isWriting(selection)
      ? `${where} causes ${share} with write locks of an RWMutex: use RLock or a Mutex`
      : `${where} has ${share} at an RWMutex with long readers: hold it for less`,
  impact: ({ cost, selection }) =>
    `That is ${cost}. ${
      isWriting(selection)
        ? "A write lock blocks everyone else. Code that only reads needs RLock; for frequent writes, a Mutex is faster than an RWMutex."
        : "Writers wait for the readers, and new readers wait behind the writer."
    }`,
  solution: ({ where }) =>
    `Use RLock in ${where} where it only reads, and hold either lock for as short as possible. For data that is read far more often than changed, an immutable value in an atomic.Pointer needs no lock for reading; for short critical sections with many writes a plain Mutex is faster.`,
  example: `import (
	"maps"
	"sync"
	"sync/atomic"
)

// rates are read all the time and changed rarely: readers take no lock at all.
type rates struct {
	current atomic.Pointer[map[string]float64]
	mu      sync.Mutex // held by those who change the rates
}

func newRates() *rates {
	r := &rates{}
	r.current.Store(&map[string]float64{})
	return r
}

func (r *rates) rate(currency string) (float64, bool) {
	rate, ok := (*r.current.Load())[currency]
	return rate, ok
}

func (r *rates) set(currency string, rate float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(*r.current.Load())
	next[currency] = rate
	r.current.Store(&next)
}
`,
});
