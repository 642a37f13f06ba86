import { statfs } from "node:fs/promises";
import { deepestCause } from "./deepest-cause.ts";
import { storageFaultOf } from "./storage-fault.ts";
import { StoreFull } from "./unavailable.ts";

/** The disk that holds the data folder. */
export interface DiskSpace {
  /**
   * As measured at most about a second ago, less the bytes written since. Stays pending while the file system does not answer.
   */
  freeBytes(): Promise<number>;
  /** Call it before writing bytes; call the result when the bytes are on the disk or the write was given up. */
  startWrite(bytes: number): () => void;
  /** Space that uploads must leave free for merges, the removal of old days, sign-ins and logs. */
  readonly reserveBytes: number;
}

const ageMsMax = 1_000;

/**
 * Reads the free space in the background, at most once a second and only on demand: a mount that hangs must not stop the
 * thread that serves requests.
 */
export function openDiskSpace(
  folder: string,
  reserveBytes: number,
  read = freeBytesOf,
  elapsedMs = () => performance.now(),
): DiskSpace {
  let latest: Measurement | undefined;
  let reading: Promise<Measurement> | undefined;
  let writingBytes = 0;
  let writtenBytes = 0;
  const measure = async () => {
    const before = { writtenBytes };
    const bytes = await read(folder);
    latest = { bytes, readAtMs: elapsedMs(), ...before };
    return latest;
  };
  const recent = async () => {
    if (latest !== undefined && elapsedMs() - latest.readAtMs < ageMsMax) return latest;
    reading ??= measure().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    reserveBytes,
    async freeBytes() {
      const measured = await recent();
      return measured.bytes - writingBytes - (writtenBytes - measured.writtenBytes);
    },
    startWrite(bytes) {
      let isWriting = true;
      writingBytes += bytes;
      return () => {
        if (!isWriting) return;
        isWriting = false;
        writingBytes -= bytes;
        writtenBytes += bytes;
      };
    },
  };
}

interface Measurement {
  readonly bytes: number;
  readonly readAtMs: number;
  /** The total of writes that finished before the measurement began, which therefore includes them. */
  readonly writtenBytes: number;
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Space left for uploads; negative if they have used a part of the reserve. */
export async function roomBytes({ freeBytes, reserveBytes }: DiskSpace): Promise<number> {
  return (await freeBytes()) - reserveBytes;
}

/** @param bytes size of the write that is about to begin */
export async function isFull(disk: DiskSpace, bytes = 0): Promise<boolean> {
  return (await roomBytes(disk)) < bytes;
}

/** Whether an operation failed because a disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreFull || storageFaultOf(deepestCause(error)) === "full";
}
