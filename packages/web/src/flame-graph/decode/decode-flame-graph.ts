import {
  decodeFlameGraph,
  decodeNames,
  type FlameGraph,
  joinFlameGraph,
  type TreeColumns,
} from "@flamekeep/flame";
import type { DecodeReply } from "./decode.worker.ts";

/**
 * Above this a worker decodes, so that the page stays live; below, starting one takes longer than decoding: two cores need 150 ms and more for a
 * worker while a page loads, and 30 ms for the 200,000 nodes of two megabytes.
 */
const inWorkerFrom = 2 * 1024 * 1024;

const decoded = new WeakMap<Uint8Array, Promise<FlameGraph>>();

/** Decodes once for as long as the bytes are kept. Fails with an Error that says what is wrong with them. */
export function decodeOnce(bytes: Uint8Array): Promise<FlameGraph> {
  let graph = decoded.get(bytes);
  if (graph === undefined) {
    graph = bytes.length < inWorkerFrom ? decodeHere(bytes) : decodeInWorker(bytes);
    decoded.set(bytes, graph);
  }
  return graph;
}

async function decodeHere(bytes: Uint8Array): Promise<FlameGraph> {
  return decodeFlameGraph(bytes);
}

/** The worker decodes the columns; the names, which are slow to hand over, are read here while it does. */
async function decodeInWorker(bytes: Uint8Array): Promise<FlameGraph> {
  const worker = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<TreeColumns>();
    worker.onmessage = ({ data }: MessageEvent<DecodeReply>) => {
      if (data.ok) resolve(data.columns);
      else reject(new Error(data.message));
    };
    worker.onerror = (event) => reject(new Error(event.message || "The decoder could not be started."));
    const copy = bytes.slice();
    worker.postMessage(copy, [copy.buffer]);
    const names = decodeNames(bytes);
    return joinFlameGraph(names, await promise);
  } finally {
    worker.terminate();
  }
}
