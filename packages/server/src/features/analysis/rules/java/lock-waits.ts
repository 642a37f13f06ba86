import { functions } from "#rules/match.ts";
import { delaysOf, waitingRule } from "#rules/waiting.ts";

/** Threads that wait for work, for a time or for each other's results: no lock is held while they do. */
const waitingForWork = functions(
  "java/util/concurrent/locks/{AbstractQueuedSynchronizer$ConditionObject,AbstractQueuedLongSynchronizer$ConditionObject}.*",
  "java/util/concurrent/{SynchronousQueue,LinkedTransferQueue,Exchanger,Phaser,CountDownLatch,CyclicBarrier}*",
  "java/util/concurrent/{ThreadPoolExecutor.getTask,ForkJoinPool.awaitWork,ForkJoinPool.managedBlock,FutureTask.awaitDone}",
  "java/lang/{Object.wait,Object.wait0,Thread.sleep,Thread.sleep0,Thread.join}",
);

export const javaLockWaits = waitingRule({
  id: "java-lock-waits",
  name: "A contended lock",
  looksAt:
    "Waiting time at monitors (synchronized) and locks of java.util.concurrent, in milliseconds per second.",
  select: (subject) => delaysOf(subject).byApplication().without(waitingForWork),
  // 50 ms per second is a twentieth of one thread's time; 500 ms mean that one always waits for another.
  from: { low: 10, medium: 50, high: 500 },
  confidence: 0.9,
  saves: 0.7,
  issue: ({ where, share }) => `${where} has ${share} at a contended lock: hold it for less`,
  impact: ({ cost }) =>
    `That is ${cost}. The wait adds to the latency of every request that needs the lock, and grows faster than the load.`,
  solution: ({ where }) =>
    `Do less while the lock of ${where} is held: compute, format and ask others before it, and copy what is needed out of it. Then replace the map and its lock by a ConcurrentHashMap, counters by LongAdder, and data that rarely changes by an immutable value in a volatile field.`,
  example: `import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

class Sold {
  private final Map<Integer, Integer> seats = new ConcurrentHashMap<>();
  private final LongAdder total = new LongAdder();

  // Two shows rarely wait for each other.
  int sell(int show, int count) {
    total.add(count);
    return seats.merge(show, count, Integer::sum);
  }
}
`,
});
