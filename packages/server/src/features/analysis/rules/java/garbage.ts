import { shareRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import { callersText } from "#rules/text.ts";

/** Threads of the collectors, in profiles with native frames. */
const collecting = functions(
  "{G1ParEvacuateFollowersClosure,G1ParTask,G1EvacuateRegionsTask,G1ConcurrentMarkThread,G1CMTask,G1ServiceThread,ParallelGCThread,PSParallelCompact,PSScavenge,ScavengeRootsTask,StealTask,ZDriver,ZMark,ZRelocate,ShenandoahControlThread,ShenandoahConcurrentMark,GCTaskThread,VM_GC_Operation,VM_G1CollectForAllocation}*",
);

export const javaGarbage = shareRule({
  id: "java-garbage-collection",
  name: "Much garbage collection in Java",
  category: "memory_optimization",
  isWholeProgram: true,
  isConsequence: true,
  hasGuessedCause: true,
  looksAt:
    "CPU in threads of the garbage collector, in profiles with native frames; the functions that run most are named.",
  select: ({ main }) => main.through(collecting),
  cause: (_, { main }) => main.byApplication(),
  from: { low: 0.1, medium: 0.18, high: 0.4 },
  confidence: 0.6,
  saves: 0.5,
  issue: ({ share }) => `Garbage collection takes ${share}: allocate less`,
  impact: ({ cost }) => `It takes about ${cost}. The functions that allocate are in the memory profile.`,
  solution: ({ cause }) =>
    `Send a profile of allocations to see who allocates. Without one, look at the functions that run most, ${callersText(cause)}: reuse buffers, give collections their capacity, avoid boxed numbers and temporary strings. Then give the heap more room (-Xmx): collections run less often.`,
  example: `import java.util.ArrayList;
import java.util.List;

class Rows {
  static List<byte[]> read(int count) {
    List<byte[]> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) rows.add(new byte[16]);
    return rows;
  }
}
`,
});
