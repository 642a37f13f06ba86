import type { CallTree } from "@flamekeep/flame";
import type { Comparison } from "@flamekeep/flame/compare";
import type { Transformed } from "./apply.ts";

/** A graph as a worker takes and returns it. */
export type Source =
  | { readonly kind: "tree"; readonly graph: CallTree }
  | { readonly kind: "comparison"; readonly graph: Comparison };

/** Functions stay as they are in every transform, and are slow to transfer: a reply leaves them out. */
export type Columns<T> = Omit<T, "functions">;

export type Request =
  | { readonly do: "load"; readonly source: Source }
  | { readonly do: "transform"; readonly text: string };

export type Reply =
  | {
      readonly ok: true;
      readonly text: string;
      readonly shown: Columns<CallTree | Comparison>;
      readonly callers: Columns<CallTree | Comparison> | null;
    }
  | { readonly ok: false; readonly message: string };

/** The memory of a graph, to be moved rather than copied. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

/** A worker that has a graph and transforms it. */
export class RemoteTransforms {
  readonly #worker = new Worker(new URL("./transform.worker.ts", import.meta.url), { type: "module" });
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
    this.#worker.postMessage({ do: "load", source } satisfies Request);
  }

  /** Resolves to the graph after the chain; never, if another chain is asked for before that. */
  transform(text: string): Promise<Transformed<CallTree | Comparison>> {
    const { promise, resolve, reject } = Promise.withResolvers<Transformed<CallTree | Comparison>>();
    const { functions } = this.#source.graph;
    this.#worker.onerror = (event) => reject(new Error(event.message || "The worker could not be started."));
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (!data.ok) reject(new Error(data.message));
      else if (data.text === text) {
        const whole = (columns: Columns<CallTree | Comparison>) =>
          ({ ...columns, functions }) as CallTree | Comparison;
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
