import { utimesSync } from "node:fs";
import { Failure } from "#failure";
import { storageFaultOf } from "#store/storage-fault.ts";
import { ObjectsAway } from "./segment-objects.ts";

/**
 * Why the files of a day cannot be used. `unwritable_disk`: the files of all days are affected. `away`: they are in object storage, which
 * cannot be used. `unwritable` includes every cause that the others do not name.
 */
export type FileFault = "full" | "damaged" | "unwritable" | "unwritable_disk" | "away";

/** Distinguishes a file that cannot be used from a folder on a disk that cannot be written, as after an error of that disk. */
export function faultIn(folder: string, error: unknown, touch = setTimesToNow): FileFault {
  if (error instanceof ObjectsAway) return "away";
  const fault = storageFaultOf(error);
  if (fault === "full" || fault === "damaged") return fault;
  try {
    touch(folder);
    return "unwritable";
  } catch (cause) {
    return storageFaultOf(cause) === "unusable" ? "unwritable_disk" : "unwritable";
  }
}

/** Fails on a file system that refuses changes, even if it is mounted as writable. */
function setTimesToNow(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

const unusable =
  "their files cannot be used; the server's log has the cause. Profiles of other days are not affected.";
const reasons: Readonly<Record<FileFault, string>> = {
  full: "the disk is full. Try again later, and contact the operator of this server.",
  damaged: unusable,
  unwritable: unusable,
  away: "their original bytes are in object storage, which does not answer the server. Try again later, and contact the operator of this server. Uploads, lists, timelines and the flame graphs of services work.",
  unwritable_disk:
    "the disk of the server cannot be written. Try again later, and contact the operator of this server.",
};
const retryAfterSeconds = 60;

/** The files of one day cannot be used now; those of other days can. */
export class DayUnavailable extends Failure {
  readonly fault: FileFault;

  constructor(action: "stored" | "read" | "removed", day: string, fault: FileFault) {
    super(
      fault === "full" ? "disk_full" : "unavailable",
      `Profiles of ${day} cannot be ${action} now: ${reasons[fault]}`,
      { retryAfterSeconds },
    );
    this.fault = fault;
  }
}
