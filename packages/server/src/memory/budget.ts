/** How much memory the parts of the server may take where a container limits it. Only `memoryLimit` reads the machine. */
import { totalmem } from "node:os";
import process from "node:process";

const MiB = 2 ** 20;

/**
 * Measured with four heap profiles of 33,000 samples at once and their flame graphs: with 512 MiB and the demo, the system killed the
 * engine; with 640 MiB all is well. The server takes about 340 MB without work, npm's process included.
 */
export const memoryBytesMin = 640 * MiB;
/** From here on nothing is limited. */
const ampleBytes = 1024 * MiB;

export interface MemoryBudget {
  /** Bytes of uploads that wait. */
  readonly queueBytesMax: number;
  readonly readCacheBytesMax: number;
  /** Threads that decode uploads: each takes up to 100 MB for a large one. Undefined: as many as the cores are worth. */
  readonly encodingThreadsMax: number | undefined;
  /** Limit of the column store's engine. Undefined: its usual one. */
  readonly engineBytesMax: number | undefined;
}

/** The least of the machine's memory and the limits of the control groups that hold the process (a container's). */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  // Without a limit, this is 0 or more than any machine has.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The defaults of settings; what somebody sets is used as it is. */
export function memoryBudget(limitBytes: number): MemoryBudget {
  const isAmple = limitBytes >= ampleBytes;
  const share = (part: number) => (isAmple ? Number.POSITIVE_INFINITY : Math.floor(limitBytes * part));
  return {
    queueBytesMax: share(1 / 16),
    readCacheBytesMax: share(1 / 64),
    encodingThreadsMax: isAmple ? undefined : 1,
    engineBytesMax: isAmple ? undefined : share(0.45),
  };
}

/** Why a server cannot run with this limit; undefined if it can. */
export function tooLittleMemory(limitBytes: number): string | undefined {
  const inMiB = (bytes: number) => `${Math.floor(bytes / MiB)} MiB`;
  return limitBytes >= memoryBytesMin
    ? undefined
    : `The memory of this container or machine is limited to ${inMiB(limitBytes)}, and Flamekeep needs at least ${inMiB(memoryBytesMin)}: raise the limit`;
}
