import type { CallTree } from "@flamekeep/flame";
import { startWorker } from "#flame-graph/decode/start-worker.ts";
import type { Transformed } from "./apply.ts";
import workerUrl from "./transform.worker.ts?worker&url";
import type { Columns, Reply, Request } from "./worker-messages.ts";

/** A worker that has a graph and transforms it. */
export class RemoteTransforms {
  readonly #worker = startWorker(workerUrl);
  readonly #source: CallTree;

  constructor(source: CallTree) {
    this.#source = source;
    this.#worker.postMessage({ do: "load", source } satisfies Request);
  }

  /** Resolves to the graph after the chain; never, if another chain is asked for before that. */
  transform(text: string): Promise<Transformed> {
    const { promise, resolve, reject } = Promise.withResolvers<Transformed>();
    const { functions } = this.#source;
    this.#worker.onerror = (event) => reject(new Error(event.message || "The worker could not be started."));
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (!data.ok) reject(new Error(data.message));
      else if (data.text === text) {
        const whole = (columns: Columns) => ({ ...columns, functions });
        resolve({ shown: whole(data.shown), callers: data.callers && whole(data.callers) });
      }
    };
    this.#worker.postMessage({ do: "transform", text } satisfies Request);
    return promise;
  }

  close(): void {
    this.#worker.terminate();
  }
}
