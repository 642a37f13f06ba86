import { statfsSync } from "node:fs";
import { deepestCause } from "./deepest-cause.ts";
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

const fullCodes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const sqliteFull = 13;

/** Whether an operation failed because a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof StoreFull) return true;
  const { code = "", errcode = 0 } = Object(deepestCause(error)) as { code?: string; errcode?: number };
  return fullCodes.has(code) || (errcode & 0xff) === sqliteFull;
}
