import { statfsSync } from "node:fs";
import { deepestCause } from "./deepest-cause.ts";
import { storageFaultOf } from "./storage-fault.ts";
import { StoreFull } from "./unavailable.ts";

/** The disk that holds the data folder. */
export interface DiskSpace {
  freeBytes(): number;
  /** What uploads leave free: merges, the removal of old days, sign-ins and logs need it. */
  readonly reserveBytes: number;
}

export function openDiskSpace(folder: string, reserveBytes: number): DiskSpace {
  return {
    reserveBytes,
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
  };
}

/** @param bytes that are about to be written */
export function isFull({ freeBytes, reserveBytes }: DiskSpace, bytes = 0): boolean {
  return freeBytes() - bytes < reserveBytes;
}

/** Whether an operation failed because a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreFull || storageFaultOf(deepestCause(error)) === "full";
}
