import { statfs } from "node:fs/promises";
import { deepestCause } from "./deepest-cause.ts";
import { storageFaultOf } from "./storage-fault.ts";
import { StoreFull } from "./unavailable.ts";

/** The disk that holds the data folder. */
export interface DiskSpace {
  /** At most about a second old. It stays pending while the file system does not answer. */
  freeBytes(): Promise<number>;
  /** What uploads leave free: merges, the removal of old days, sign-ins and logs need it. */
  readonly reserveBytes: number;
}

const ageMsMax = 1_000;

/**
 * Reads the free space in the background, at most once a second and only on demand: a mount that hangs must not stop the
 * thread that serves requests.
 */
export function openDiskSpace(folder: string, reserveBytes: number, read = freeBytesOf): DiskSpace {
  let latest: { readonly bytes: number; readonly readAtMs: number } | undefined;
  let reading: Promise<number> | undefined;
  const refresh = async () => {
    const bytes = await read(folder);
    latest = { bytes, readAtMs: performance.now() };
    return bytes;
  };
  return {
    reserveBytes,
    async freeBytes() {
      if (latest !== undefined && performance.now() - latest.readAtMs < ageMsMax) return latest.bytes;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What uploads may still take; negative where they have reached into the reserve. */
export async function roomBytes({ freeBytes, reserveBytes }: DiskSpace): Promise<number> {
  return (await freeBytes()) - reserveBytes;
}

/** @param bytes that are about to be written */
export async function isFull(disk: DiskSpace, bytes = 0): Promise<boolean> {
  return (await roomBytes(disk)) < bytes;
}

/** Whether an operation failed because a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreFull || storageFaultOf(deepestCause(error)) === "full";
}
