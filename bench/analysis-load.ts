import process from "node:process";
import { signUp } from "@flamekeep/e2e/sign-up";
import { longestLoopDelay } from "./analysis/loop-delay.ts";
import { QueuedAnalyses, queuedMin } from "./analysis/queued-analyses.ts";
import { loadServices, startUnderLoad } from "./load/conditions.ts";
import { type LoadResult, refusedOf, runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

/** Many small installations send less; at this rate two cores have room for analyses. */
const perSecond = 200;
const connections = 256;
/** Before each load, so that none begins on a server that has rested. */
const warmUpSeconds = 5;
/**
 * Loads without and with analyses take turns, because other programs of the machine come and go: without, with, with, without. So
 * each kind as often follows the other as itself.
 */
const rounds = 3;

/** How long the event loop is held while profiles are analysed, and how long uploads wait while analyses are queued. */
export async function benchAnalysisLoad(): Promise<BenchResult> {
  const seconds = Number(process.env.BENCH_SECONDS ?? 15);
  const delays = await longestLoopDelay();
  const { without, withAnalyses, completed } = await measureUploads(seconds);
  const p99 = { without: median(without, "p99Ms"), withAnalyses: median(withAnalyses, "p99Ms") };
  return {
    name: "analysis-load",
    input: `uploads of about 70 KB, ${perSecond}/s, ${2 * rounds} loads of ${seconds} s each without and with at least ${queuedMin} analyses queued, in turn; medians; ${delays.input}`,
    measurements: [
      { what: "longest hold of the event loop, idle server", value: delays.idle.withACoreMs, unit: "ms" },
      {
        what: "longest hold of the event loop during an analysis",
        value: delays.analysing.withACoreMs,
        unit: "ms",
        bar: atMost(20),
      },
      { what: "the same with waits for a core, idle server", value: delays.idle.ms, unit: "ms" },
      { what: "the same with waits for a core, during an analysis", value: delays.analysing.ms, unit: "ms" },
      { what: "acknowledged after, no analyses, p50", value: median(without, "p50Ms"), unit: "ms" },
      { what: "acknowledged after, no analyses, p99", value: p99.without, unit: "ms" },
      { what: "acknowledged after, analyses queued, p50", value: median(withAnalyses, "p50Ms"), unit: "ms" },
      { what: "acknowledged after, analyses queued, p99", value: p99.withAnalyses, unit: "ms" },
      {
        what: "p99 with analyses over without",
        value: p99.withAnalyses / p99.without,
        unit: "x",
        bar: atMost(1.2),
      },
      { what: "analyses completed meanwhile", value: completed, unit: "", bar: atLeast(1, true) },
      {
        what: "uploads refused or broken",
        value: [...without, ...withAnalyses].reduce((sum, load) => sum + refusedOf(load), 0),
        unit: "requests",
        bar: atMost(0, true),
      },
    ],
  };
}

interface Loads {
  readonly without: readonly LoadResult[];
  readonly withAnalyses: readonly LoadResult[];
  readonly completed: number;
}

async function measureUploads(seconds: number): Promise<Loads> {
  const profiles = typicalCpuProfiles(4).map(({ body }) => body);
  await using server = await startUnderLoad({ ORG_ANALYSES_PER_DAY: "1000000" });
  const { key } = await signUp(server.url);
  const order = { url: server.url, key, connections, perSecond, services: loadServices, profiles };
  const load = async (): Promise<LoadResult> => {
    await runLoad({ ...order, seconds: warmUpSeconds });
    return await runLoad({ ...order, seconds });
  };
  const analyses = await QueuedAnalyses.prepare(server.url, profiles);
  const without: LoadResult[] = [];
  const withAnalyses: LoadResult[] = [];
  let completed = 0;
  for (let round = 0; round < rounds; round++) {
    without.push(await load());
    const during = await whileAnalysing(analyses, async () => [await load(), await load()]);
    withAnalyses.push(...during.result);
    completed += during.completed;
    without.push(await load());
  }
  return { without, withAnalyses, completed };
}

/** Measures once the queue is full, and resolves when it is empty again. */
async function whileAnalysing<T>(
  analyses: QueuedAnalyses,
  measure: () => Promise<T>,
): Promise<{ readonly result: T; readonly completed: number }> {
  const stopped = new AbortController();
  const filled = Promise.withResolvers<void>();
  const keeping = analyses.keepFull(stopped.signal, filled.resolve);
  const [result, completed] = await Promise.all([
    Promise.race([filled.promise, keeping])
      .then(measure)
      .finally(() => stopped.abort()),
    keeping,
  ]);
  return { result, completed };
}

function median(loads: readonly LoadResult[], figure: "p50Ms" | "p99Ms"): number {
  const sorted = loads.map((load) => load[figure]).toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  return (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[upper]!) / 2;
}
