/** How much memory the parts of the server may take where a container limits it. Only `memoryLimit` reads the machine. */
import { totalmem } from "node:os";
import process from "node:process";

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/**
 * Measured with four heap profiles of 33,000 samples at once and their flame graphs. With the engine and 512 MiB, the system killed the
 * engine; with 640 MiB and the demo the processes took 477 MiB at most. Without the engine, the system killed the server with 256 MiB;
 * with 384 MiB it took 331 MiB.
 */
const memoryBytesMin = { embedded: 640 * MiB, url: 384 * MiB } as const;
type Columns = keyof typeof memoryBytesMin;

/** Taken without any work: npm, the main thread, the thread of SQLite, memory of threads outside their heaps. */
const idleBytes = 170 * MiB;

/** The most that a part takes, however much memory there is. */
const most = {
  engine: 500_000_000,
  queue: 128 * MiB,
  readCache: 32 * MiB,
  definitions: 83 * MiB,
  encodingHeap: 512 * MiB,
  decodingHeap: GiB,
} as const;

export interface MemoryBudget {
  /** Bytes of uploads that wait. */
  readonly queueBytesMax: number;
  readonly readCacheBytesMax: number;
  /** Limit of the column store's engine, its caches included; 0 with a ClickHouse server. */
  readonly engineBytesMax: number;
  readonly threads: ThreadBudget;
}

export interface ThreadBudget {
  /** Threads that decode uploads, at most as many as the cores are worth. */
  readonly encodingMax: number;
  readonly encodingHeapBytesMax: number;
  readonly decodingHeapBytesMax: number;
  /** Whether analyses wait for the thread that opens profiles, instead of having one. */
  readonly isDecodingShared: boolean;
}

/** The least of the machine's memory and the limits of the control groups that hold the process (a container's). */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  // Without a limit, this is 0 or more than any machine has.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Memory of a thread that decodes uploads, outside of its heap, for ids of stacks and frames that it has written. */
export function definitionBytesMax(limitBytes: number): number {
  return Math.min(most.definitions, Math.floor(limitBytes / 48));
}

/**
 * The defaults of settings, which fit into the limit together; what somebody sets is used as it is. Threads share what the other parts
 * leave, those that open profiles and ranges twice as much as those that take uploads.
 */
export function memoryBudget(limitBytes: number, columns: Columns): MemoryBudget {
  const share = (part: number, bytesMax: number) => Math.min(bytesMax, Math.floor(limitBytes * part));
  const queueBytesMax = share(1 / 16, most.queue);
  const readCacheBytesMax = share(1 / 64, most.readCache);
  const engineBytesMax = columns === "embedded" ? share(0.4, most.engine) : 0;
  const isDecodingShared = limitBytes < GiB;
  const encodingMax = limitBytes < GiB ? 1 : limitBytes < 2 * GiB ? 2 : 4;
  const outsideHeaps =
    queueBytesMax + readCacheBytesMax + engineBytesMax + encodingMax * definitionBytesMax(limitBytes);
  const left = Math.max(0, limitBytes - idleBytes - outsideHeaps);
  const heap = left / (encodingMax + 2 * (isDecodingShared ? 1 : 2));
  const threads = {
    encodingMax,
    encodingHeapBytesMax: Math.min(most.encodingHeap, Math.floor(heap)),
    decodingHeapBytesMax: Math.min(most.decodingHeap, Math.floor(2 * heap)),
    isDecodingShared,
  };
  return { queueBytesMax, readCacheBytesMax, engineBytesMax, threads };
}

/** Why a server cannot run with this limit; undefined if it can. */
export function tooLittleMemory(limitBytes: number, columns: Columns): string | undefined {
  const inMiB = (bytes: number) => `${Math.floor(bytes / MiB)} MiB`;
  const least = memoryBytesMin[columns];
  return limitBytes >= least
    ? undefined
    : `The memory of this container or machine is limited to ${inMiB(limitBytes)}, and Flamekeep needs at least ${inMiB(least)}${columns === "url" ? " with CLICKHOUSE_URL" : ""}: raise the limit`;
}
