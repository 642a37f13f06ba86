import { databaseLibraries, logging, serviceLibraries } from "#rules/libraries.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { delaysOf, waitingRule } from "#rules/waiting.ts";
import { ownLocks } from "./locks.ts";

/** Calls that wait for something outside of the process, or for time. */
const outside = functions(
  "net/http.{Get,Post*}",
  "net/http.(*{Client,Transport}).*",
  "net.*",
  "database/sql.*",
  "crypto/tls.*",
  "os.*",
  "io/ioutil.*",
  "os/exec.*",
  "syscall.*",
  "time.Sleep",
  ...databaseLibraries,
  ...serviceLibraries,
);
/** Application functions, the holder of the lock among them, within which I/O counts for the holder. */
const levelsMax = 3;
/** Part of the lock's waiting that a function must cause. */
const holderPart = 0.2;

export const lockHeldOverIo = waitingRule({
  id: "lock-held-over-io",
  name: "A lock held during I/O",
  looksAt:
    "Functions that hold contended locks, and whether the block, goroutine or CPU profile of the service shows I/O in them or in what they call.",
  select: heldOverIo,
  from: { low: 10, medium: 50, high: 250 },
  confidence: 0.85,
  saves: 0.9,
  issue: ({ where, share }) => `${where} causes ${share} by holding a lock during I/O: unlock before`,
  impact: ({ cost }) =>
    `Others wait for it: ${cost}. The same function both locks and waits for the network, a file or time, by itself or in its callees. One slow answer stops every goroutine that needs the lock.`,
  solution: ({ where }) =>
    `Copy what ${where} needs under the lock, release it, do the I/O, and take the lock again to store the result. If several goroutines must not fetch the same thing at once, use golang.org/x/sync/singleflight or a lock per key, and give the I/O a timeout.`,
  example: `import (
	"context"
	"sync"
)

type rate struct{ Value float64 }

// rates fetches without holding its lock.
type rates struct {
	mu    sync.Mutex
	known map[string]rate
	fetch func(context.Context, string) (rate, error)
}

func (r *rates) get(ctx context.Context, currency string) (rate, error) {
	r.mu.Lock()
	found, ok := r.known[currency]
	r.mu.Unlock()
	if ok {
		return found, nil
	}
	fetched, err := r.fetch(ctx, currency)
	if err != nil {
		return rate{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[currency] = fetched
	return fetched, nil
}
`,
});

/** The waits for a lock whose holder does I/O in one of the profiles of the service. */
function heldOverIo(subject: Subject): Selection | undefined {
  const locked = ownLocks(delaysOf(subject)).without(logging);
  const views = [subject, subject.related("block"), subject.related("goroutine"), subject.related("cpu")];
  const holder = locked.callers.find(
    ({ name, weight }) =>
      weight >= locked.weight * holderPart && views.some((view) => view !== undefined && doesIo(view, name)),
  );
  return holder && locked.of(holder);
}

function doesIo(subject: Subject, name: string): boolean {
  const isHolder = (other: string) => other === name || other.startsWith(`${name}.func`);
  const below = subject.main.calls(outside).and(isHolder);
  return below.stacks.some((_, i) => isNearAbove(below, i, isHolder));
}

/** Whether one of the few application functions nearest above the I/O of the i-th stack is the holder. */
function isNearAbove(selection: Selection, i: number, isHolder: (name: string) => boolean): boolean {
  const { view } = selection;
  const { stacks, names, isApplication } = view.index;
  const from = selection.callerAt(i);
  const end = stacks.start[selection.stacks[i]! + 1]!;
  let levels = 0;
  for (let at = from; from >= 0 && at < end && levels < levelsMax; at++) {
    const fn = view.functionAt(at);
    if (isHolder(names[fn]!)) return true;
    levels += isApplication[fn]!;
  }
  return false;
}
