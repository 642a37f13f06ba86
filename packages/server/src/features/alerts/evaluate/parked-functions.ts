/**
 * Leaf functions of goroutines that wait for work and not for a resource: in a select, a receive, a sleep, a condition,
 * or for other goroutines to finish. Go counts that as blocking too, and it is nearly all of a block profile's delay
 * (one idle worker adds a second per second), so a total that includes it is useless. The rest is contention: locks,
 * semaphores, sends without a receiver.
 *
 * As Go's runtime records them (runtime/select.go, chan.go, time.go; sync/cond.go, waitgroup.go).
 */
export const parkedFunctions: readonly string[] = [
  "runtime.selectgo",
  "runtime.selectnbrecv",
  "runtime.chanrecv",
  "runtime.chanrecv1",
  "runtime.chanrecv2",
  "runtime.block",
  "runtime.gopark",
  "runtime.goparkunlock",
  "time.Sleep",
  "sync.(*Cond).Wait",
  "sync.runtime_notifyListWait",
  "sync.(*WaitGroup).Wait",
  "sync.runtime_SemacquireWaitGroup",
  "internal/poll.runtime_pollWait",
];

const parked = new Set(parkedFunctions);

/** Whether a stack with this leaf waits for work. */
export function isParked(leafFunction: string): boolean {
  return parked.has(leafFunction);
}
