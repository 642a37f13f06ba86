import { decodeFlameGraph, type FlameGraph } from "@flamekeep/flame";
import type { DecodeReply } from "./decode.worker.ts";

/** Above this a worker decodes, so that the page stays live; below, starting one takes longer than decoding. */
const inWorkerFrom = 256 * 1024;

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

function decodeInWorker(bytes: Uint8Array): Promise<FlameGraph> {
  const worker = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<FlameGraph>();
  worker.onmessage = ({ data }: MessageEvent<DecodeReply>) => {
    if (data.ok) resolve(data.graph);
    else reject(new Error(data.message));
  };
  worker.onerror = (event) => reject(new Error(event.message || "The decoder could not be started."));
  const copy = bytes.slice();
  worker.postMessage(copy, [copy.buffer]);
  return promise.finally(() => worker.terminate());
}
