import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Log } from "#context";
import { moved } from "#memory/moved.ts";
import type { Counters } from "./delta.ts";
import type { Encoded } from "./encoded.ts";
import { type Outcome, refused } from "./refusal.ts";
import type { Task } from "./task.ts";

/** Two keep two cores busy while one waits for the engine; beyond four the engine is what limits. */
const cores = availableParallelism();
const threadsMax = Math.min(4, Math.max(cores - 1, Math.min(cores, 2)));
const heapMegabytesMax = 512;
/** Small: what a profile leaves is dead at once, and a thread saves 50 MB without costing more time. */
const youngMegabytesMax = 12;

export class WorkerPool {
  readonly #pool: Piscina;

  constructor(log: Log) {
    this.#pool = new Piscina({
      filename: new URL("./worker.ts", import.meta.url).href,
      minThreads: threadsMax,
      maxThreads: threadsMax,
      // Without it every second upload that waits goes back to the end of the queue.
      stricterFIFO: true,
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
  async encode(task: Task): Promise<Outcome<Encoded>> {
    try {
      return await this.#pool.run(moved(task, [task.body]), { name: "encode" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
      return refused(
        "too_large",
        "memory",
        "The profile needs more memory than one upload may use. Send a smaller one.",
      );
    }
  }

  readCounters(payload: Uint8Array): Promise<Counters | undefined> {
    return this.#pool.run(payload, { name: "readCounters" });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
