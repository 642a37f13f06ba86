import { isMarkedAsUntransferable } from "node:worker_threads";

/**
 * Frees the memory behind `view` at once; no view of that memory may be used afterwards. Ingestion allocates tens of
 * megabytes a second. Left to the garbage collector, they make it run so often that it costs more than decoding (V8
 * collects the whole heap for every 64 MB outside it). Do not use it for memory that a socket may still write.
 */
export function free(view: Uint8Array): void {
  const { buffer } = view;
  // The pool that all small buffers share is untransferable.
  const isOurs = buffer instanceof ArrayBuffer && !buffer.detached && !isMarkedAsUntransferable(buffer);
  if (isOurs) buffer.transfer(0);
}

/** Frees the chunks of a body. Call it once nothing can read them any more: see `setImmediate` at its users. */
export function freeChunks(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) if (chunk.length === chunk.buffer.byteLength) free(chunk);
}
