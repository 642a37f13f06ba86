import { utimesSync } from "node:fs";
import { type StorageFault, storageFaultOf } from "#store/storage-fault.ts";

/**
 * Why a day's file cannot be used. `unwritable_disk`: the files of all days are affected. `unwritable` includes every cause that
 * the others do not name.
 */
export type FileFault = Exclude<StorageFault, "unusable"> | "unwritable" | "unwritable_disk";

export function faultOf(error: unknown): FileFault {
  const fault = storageFaultOf(error) ?? "unusable";
  return fault === "unusable" ? "unwritable" : fault;
}

/** Distinguishes a file that cannot be used from a folder on a disk that cannot be written, as after an error of that disk. */
export function faultIn(folder: string, error: unknown, touch: (folder: string) => void): FileFault {
  const fault = faultOf(error);
  if (fault !== "unwritable") return fault;
  try {
    touch(folder);
    return fault;
  } catch (cause) {
    return storageFaultOf(cause) === "unusable" ? "unwritable_disk" : fault;
  }
}

/** Fails on a file system that refuses changes, even if it is mounted as writable. */
export function setTimesToNow(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}
