import { rmSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { longestLoopDelay } from "./analysis/loop-delay.ts";
import { type LoadResult, refusedOf, runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

/** Many small installations send less; at this rate two cores have room for analyses. */
const perSecond = 200;
const connections = 256;
const services = 5;
const queuedMin = 100;
const warmUpSeconds = 5;

/** How long the event loop is held while profiles are analysed, and how long uploads wait while analyses are queued. */
export async function benchAnalysisLoad(): Promise<BenchResult> {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60);
  const delays = await longestLoopDelay();
  const { without, withAnalyses, analysed } = await measureUploads(seconds);
  return {
    name: "analysis-load",
    input: `uploads of about 70 KB, ${perSecond}/s for ${seconds} s each; ${queuedMin} analyses always queued; ${delays.input}`,
    measurements: [
      {
        what: "longest hold of the event loop, idle server",
        value: delays.idleMs,
        unit: "ms",
      },
      {
        what: "longest hold of the event loop during an analysis",
        value: delays.analysingMs,
        unit: "ms",
        bar: atMost(20),
      },
      { what: "acknowledged after, no analyses, p50", value: without.p50Ms, unit: "ms" },
      { what: "acknowledged after, no analyses, p99", value: without.p99Ms, unit: "ms" },
      { what: "acknowledged after, analyses queued, p50", value: withAnalyses.p50Ms, unit: "ms" },
      { what: "acknowledged after, analyses queued, p99", value: withAnalyses.p99Ms, unit: "ms" },
      {
        what: "p99 with analyses over without",
        value: withAnalyses.p99Ms / without.p99Ms,
        unit: "x",
        bar: atMost(1.2),
      },
      { what: "analyses completed meanwhile", value: analysed, unit: "", bar: atLeast(1, true) },
      {
        what: "uploads refused or broken",
        value: refusedOf(without) + refusedOf(withAnalyses),
        unit: "requests",
        bar: atMost(0, true),
      },
    ],
  };
}

async function measureUploads(
  seconds: number,
): Promise<{ readonly without: LoadResult; readonly withAnalyses: LoadResult; readonly analysed: number }> {
  const profiles = typicalCpuProfiles(4).map(({ body }) => body);
  const env = {
    DEMO: "off",
    LOG_LEVEL: "error",
    INGEST_PER_MINUTE: "10000000",
    ORG_ANALYSES_PER_DAY: "1000000",
  };
  const server = await startFlamekeep({ env });
  try {
    const account = await signUp(server.url);
    const load = (duration: number) =>
      runLoad({
        url: server.url,
        key: account.key,
        seconds: duration,
        connections,
        perSecond,
        services,
        profiles,
      });
    const analyses = new AnalysisQueue(server.url, account, profiles);
    await analyses.sendProfiles();
    await load(warmUpSeconds);
    const without = await load(seconds);
    const stopped = new AbortController();
    const keeping = analyses.keepFull(stopped.signal);
    await sleep(warmUpSeconds * 1000);
    const withAnalyses = await load(seconds);
    stopped.abort();
    return { without, withAnalyses, analysed: await keeping };
  } finally {
    await server.stop("SIGTERM");
    rmSync(server.dataDir, { recursive: true, force: true });
  }
}

/** Keeps analyses waiting. */
class AnalysisQueue {
  readonly #url: string;
  readonly #account: Account;
  readonly #bodies: readonly Buffer[];
  readonly #profileIds: string[] = [];
  #started = 0;

  constructor(url: string, account: Account, bodies: readonly Buffer[]) {
    this.#url = url;
    this.#account = account;
    this.#bodies = bodies;
  }

  /** One profile for each analysis in the queue: the same request about the same profile is not queued twice. */
  async sendProfiles(): Promise<void> {
    for (let index = 0; index < 2 * queuedMin; index++) {
      const query = `service=analysed-${index}&type=cpu&started_at=${Date.now() - index * 10_000}`;
      this.#profileIds.push(await this.#account.send(this.#bodies[index % this.#bodies.length]!, query));
    }
  }

  /** Starts analyses until `stopped` so that at least 100 are queued. Returns how many were completed. */
  async keepFull(stopped: AbortSignal): Promise<number> {
    let unfinished: string[] = [];
    let completed = 0;
    while (!stopped.aborted) {
      while (unfinished.length < 1.5 * queuedMin) unfinished.push(await this.#start());
      await sleep(1000);
      const before = unfinished.length;
      unfinished = await this.#withoutCompleted(unfinished);
      completed += before - unfinished.length;
    }
    return completed;
  }

  async #start(): Promise<string> {
    const profileId = this.#profileIds[this.#started++ % this.#profileIds.length]!;
    const { id } = await this.#call("POST", `profile/${profileId}/analyze`);
    return id;
  }

  /** They are completed in the order in which they were started, so only the first few need to be asked for. */
  async #withoutCompleted(ids: readonly string[]): Promise<string[]> {
    for (const [index, id] of ids.entries()) {
      const { status } = await this.#call("GET", `analysis/${id}`);
      if (status === "failed") throw new Error("an analysis failed");
      if (status !== "completed") return ids.slice(index);
    }
    return [];
  }

  async #call(
    method: "GET" | "POST",
    path: string,
  ): Promise<{ readonly id: string; readonly status: string }> {
    const reply = await fetch(`${this.#url}/api/v1/protected/${path}`, {
      method,
      headers: { ...this.#account.headers, ...(method === "POST" && { "content-type": "application/json" }) },
      ...(method === "POST" && { body: "{}" }),
    });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as { readonly id: string; readonly status: string };
  }
}
