import { Failure } from "#failure";
import type { FileFault } from "./file-fault.ts";

/** An operator has to look at the file. */
const unwritableRetrySeconds = 60;
const busyRetrySeconds = 5;

/** The file of one day cannot be used now; those of other days can. */
export class DayUnavailable extends Failure {
  readonly fault: FileFault;

  constructor(action: "stored" | "read" | "removed", day: string, fault: FileFault) {
    const isBusy = fault === "busy";
    const why = isBusy
      ? "another program has locked their file. Try again in a moment."
      : "their file cannot be used; the server's log says why. Profiles of other days are not affected.";
    super("unavailable", `Profiles of ${day} cannot be ${action} now: ${why}`, {
      retryAfterSeconds: isBusy ? busyRetrySeconds : unwritableRetrySeconds,
    });
    this.fault = fault;
  }
}
