import type { CallTree } from "@flamekeep/flame";
import { useEffect, useMemo, useState } from "react";
import { startWorker } from "#flame-graph/decode/start-worker.ts";
import type { Transformed } from "./apply.ts";
import { useTransformParts } from "./lazy-parts.tsx";
import workerUrl from "./transform.worker.ts?worker&url";
import type { Columns, Reply, Request } from "./worker-messages.ts";

/** Smaller graphs are transformed in a few milliseconds, faster than a worker gets them. */
const remoteFrom = 100_000;

interface LastTransformed extends Transformed {
  /** False while the graph after the present chain is computed. */
  readonly isCurrent: boolean;
}

/** The graph after a chain of transforms. While it is computed, the one before; undefined if there was none. */
export function useTransformed(source: CallTree, text: string): LastTransformed | undefined {
  const [isRemote, setRemote] = useState(true);
  const isLarge = isRemote && source.length >= remoteFrom && typeof Worker !== "undefined";
  const parts = useTransformParts(text !== "" && !isLarge);
  const remote = useRemote(source, isLarge ? text : "", () => setRemote(false));
  const local = useMemo(() => {
    if (text === "") return { shown: source, callers: null };
    return isLarge ? undefined : parts?.transformed(source, text);
  }, [source, text, isLarge, parts]);
  const current = local ?? remote;
  const last = useLast(current);
  return last && { ...last, isCurrent: current !== undefined };
}

interface Done {
  readonly source: CallTree;
  readonly text: string;
  readonly result: Transformed;
}

/** The graph after the chain, from a worker that keeps the graph; undefined until then. */
function useRemote(source: CallTree, text: string, onFailure: () => void): Transformed | undefined {
  const [done, setDone] = useState<Done>();
  const isNeeded = text !== "";
  const [remote, setRemote] = useState<RemoteTransforms>();
  useEffect(() => {
    if (!isNeeded) return;
    const made = new RemoteTransforms(source);
    setRemote(made);
    return () => {
      setRemote(undefined);
      made.close();
    };
  }, [source, isNeeded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is a new one each time
  useEffect(() => {
    if (remote === undefined || text === "") return;
    let isCurrent = true;
    remote.transform(text).then(
      (result) => {
        if (isCurrent) setDone({ source, text, result });
      },
      (error: Error) => {
        // The page can do the same itself.
        console.warn(error);
        if (isCurrent) onFailure();
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [remote, text]);
  return done?.source === source && done.text === text ? done.result : undefined;
}

function useLast<T>(current: T | undefined): T | undefined {
  const [last, setLast] = useState(current);
  if (current !== undefined && current !== last) setLast(current);
  return current ?? last;
}

/** A worker that has a graph and transforms it. */
class RemoteTransforms {
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
