import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Log } from "#context";
import { FairQueue } from "#ingest/admission/fair-queue.ts";
import { type Outcome, refused } from "#ingest/refusal.ts";
import type { StoredCounters } from "#ingest/snapshots/read-counters.ts";
import { moved } from "#memory/moved.ts";
import type { Encoded } from "./encoded.ts";
import type { Task } from "./worker.ts";

/** Two keep two cores busy while one waits for the engine; beyond four, the engine is the limit. */
const cores = availableParallelism();
const threadsMax = Math.min(4, Math.max(cores - 1, Math.min(cores, 2)));
const heapMegabytesMax = 512;
/** Small, because the garbage of a profile dies at once: a thread saves 50 MB without taking more time. */
const youngMegabytesMax = 12;

/** The fixed cost of a task, as the number of bytes that are decoded in the same time. */
const taskCostBytes = 16 * 1024;

export class WorkerPool {
  readonly #pool: Piscina;
  /** Tasks for which no thread is free, by turns over organizations. */
  readonly #waiting = new FairQueue<() => void>();
  #freeThreads = threadsMax;

  constructor(log: Log) {
    this.#pool = new Piscina({
      filename: new URL("./worker.ts", import.meta.url).href,
      minThreads: threadsMax,
      maxThreads: threadsMax,
      recordTiming: false,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
    });
    // A thread that dies between two tasks is replaced; without a listener it would take the server with it.
    this.#pool.on("error", (error) => log.error({ err: error }, "an ingestion thread failed"));
  }

  /** The body's memory moves to the worker: do not touch it afterwards. */
  async encode(task: Task): Promise<Outcome<readonly Encoded[]>> {
    const { scope, body } = task;
    try {
      return await this.#inTurn(scope.orgId, body.length, () =>
        this.#pool.run(moved(task, [body]), { name: "encode" }),
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
      return refused(
        "too_large",
        "memory",
        "The profile needs more memory than one upload may use. Send a smaller one.",
      );
    }
  }

  readCounters(orgId: string, payload: Uint8Array): Promise<StoredCounters | undefined> {
    return this.#inTurn(orgId, payload.length, () => this.#pool.run(payload, { name: "readCounters" }));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Runs the task on the next free thread that is its organization's turn. */
  async #inTurn<T>(orgId: string, bytes: number, run: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(orgId, bytes + taskCostBytes, resolve);
      this.#startNext();
    });
    try {
      return await run();
    } finally {
      this.#freeThreads++;
      this.#startNext();
    }
  }

  #startNext(): void {
    if (this.#freeThreads === 0) return;
    const start = this.#waiting.take();
    if (start === undefined) return;
    this.#freeThreads--;
    start();
  }
}
