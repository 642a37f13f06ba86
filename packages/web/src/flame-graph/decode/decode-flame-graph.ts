import {
  decodeFlameGraph,
  decodeNames,
  decodePreview,
  type FlameGraph,
  joinFlameGraph,
  type TreeColumns,
} from "@flamekeep/flame";
import type { DecodeReply } from "./decode.worker.ts";
import workerUrl from "./decode.worker.ts?worker&url";
import { startWorker } from "./start-worker.ts";

/**
 * Larger graphs are decoded in a worker, so that the page stays responsive. Smaller ones are decoded faster than a worker starts:
 * with two cores a worker takes 150 ms or more during page load, the 200,000 nodes of two megabytes take 30 ms.
 */
const inWorkerFrom = 2 * 1024 * 1024;

const decoded = new WeakMap<Uint8Array, Promise<FlameGraph>>();

/**
 * The preview of a large graph. Undefined for a small one, and for one that is decoded or being decoded.
 *
 * @throws FlameGraphFormatError if the bytes are damaged
 */
export function previewOf(bytes: Uint8Array): FlameGraph | undefined {
  return decoded.has(bytes) ? undefined : decodePreview(bytes);
}

/**
 * Decodes the bytes once, as long as they are referenced. Rejects malformed bytes with an Error that says what is wrong.
 *
 * @param hasPreview whether a preview is on screen: a worker then decodes, so that the preview stays usable
 */
export function decodeOnce(bytes: Uint8Array, hasPreview = false): Promise<FlameGraph> {
  let graph = decoded.get(bytes);
  if (graph === undefined) {
    graph = hasPreview || bytes.length >= inWorkerFrom ? decodeInWorker(bytes) : decodeHere(bytes);
    decoded.set(bytes, graph);
  }
  return graph;
}

async function decodeHere(bytes: Uint8Array): Promise<FlameGraph> {
  return decodeFlameGraph(bytes);
}

/** The worker decodes the columns. The names, which are slow to transfer, are decoded here in the meantime. */
async function decodeInWorker(bytes: Uint8Array): Promise<FlameGraph> {
  const worker = startWorker(workerUrl);
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
