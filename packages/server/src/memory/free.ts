import { isMarkedAsUntransferable } from "node:worker_threads";

/**
 * Gives the memory behind `view` back at once; neither it nor any other view of that memory may be used again.
 * Left to the garbage collector, the tens of megabytes a second that pass through ingestion make it run so often that it
 * costs more than decoding (V8 collects the whole heap for every 64 MB outside of it). Never for memory that a socket
 * may still be writing.
 */
export function free(view: Uint8Array): void {
  const { buffer } = view;
  // The pool that all small buffers share is marked so.
  const isOurs = buffer instanceof ArrayBuffer && !buffer.detached && !isMarkedAsUntransferable(buffer);
  if (isOurs) buffer.transfer(0);
}

/** Of a body that was joined from chunks. Call it once nobody can still be reading them: see `setImmediate` at its users. */
export function freeChunks(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) if (chunk.length === chunk.buffer.byteLength) free(chunk);
}
