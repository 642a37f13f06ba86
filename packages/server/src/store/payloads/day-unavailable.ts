import { Failure } from "#failure";
import type { FileFault } from "./file-fault.ts";

const unusable =
  "their files cannot be used; the server's log says why. Profiles of other days are not affected.";
const reasons: Readonly<Record<FileFault, string>> = {
  full: "the disk is full. Try again later, and tell the operator of this server.",
  damaged: unusable,
  unwritable: unusable,
  unwritable_disk:
    "the disk of the server cannot be written. Try again later, and tell the operator of this server.",
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
