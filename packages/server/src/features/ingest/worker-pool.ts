import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Counters } from "./delta.ts";
import type { Encoded } from "./encoded.ts";
import { moved } from "./moved.ts";
import type { Outcome } from "./refusal.ts";
import type { Task } from "./task.ts";

/** Leaves a core to routing, the engine and readers; beyond four the engine is what limits. */
const threadsMax = Math.min(4, Math.max(1, availableParallelism() - 1));
const heapMegabytesMax = 512;

export class WorkerPool {
  readonly #pool: Piscina;

  constructor(threads = threadsMax) {
    this.#pool = new Piscina({
      filename: new URL("./worker.ts", import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
  }

  /** The body's memory moves to the worker: do not touch it afterwards. */
  encode(task: Task): Promise<Outcome<Encoded>> {
    return this.#pool.run(moved(task, [task.body]), { name: "encode" });
  }

  readCounters(payload: Uint8Array): Promise<Counters | undefined> {
    return this.#pool.run(payload, { name: "readCounters" });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
