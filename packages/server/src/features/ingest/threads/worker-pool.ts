import type { EncodingThreads } from "#context";
import type { StoredCounters } from "#ingest/encode/read-counters.ts";
import type { Encoded, EncodedRequest } from "#ingest/rows/encoded.ts";
import { type Outcome, refused } from "#ingest/upload/refusal.ts";
import { moved } from "#memory/threads.ts";
import { FairQueue } from "#store/fair-queue.ts";
import type { RepeatedTask, Task } from "./worker.ts";

/** The fixed cost of a task, as the number of bytes that are decoded in the same time. */
const taskCostBytes = 16 * 1024;

export class WorkerPool {
  readonly #threads: EncodingThreads;
  /** Tasks for which no thread is free, by turns over organizations. */
  readonly #waiting = new FairQueue<() => void>();
  #freeThreads: number;

  constructor(threads: EncodingThreads) {
    this.#threads = threads;
    this.#freeThreads = threads.count;
  }

  /** The body's memory moves to the worker: do not touch it afterwards. */
  async encode(task: Task): Promise<EncodedRequest> {
    const { scope, body } = task;
    try {
      return await this.#inTurn<EncodedRequest>(scope.orgId, body.length, () =>
        this.#threads.run(moved(task, [body]), { name: "encode" }),
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

  /** Encodes an upload again that was accepted before. */
  encodeAgain(task: RepeatedTask): Promise<Outcome<readonly Encoded[]>> {
    return this.#inTurn(task.scope.orgId, task.body.length, () =>
      this.#threads.run(moved(task, [task.body]), { name: "encodeAgain" }),
    );
  }

  /** Bytes that fill their memory move to the worker. */
  readCounters(orgId: string, payload: Uint8Array): Promise<StoredCounters | undefined> {
    const isWhole = payload.byteLength === payload.buffer.byteLength;
    return this.#inTurn(orgId, payload.length, () =>
      this.#threads.run(isWhole ? moved(payload, [payload]) : payload, { name: "readCounters" }),
    );
  }

  /** Runs the task on the next free thread that is its organization's turn. */
  async #inTurn<T>(orgId: string, bytes: number, run: () => Promise<unknown>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(orgId, bytes + taskCostBytes, resolve);
      this.#startNext();
    });
    try {
      return (await run()) as T;
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
