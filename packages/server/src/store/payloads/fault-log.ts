import { join } from "node:path";
import { minuteMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import { type FileFault, faultIn } from "./day-unavailable.ts";
import type { DayFault, SegmentProblem } from "./payload-store.ts";

const logAgainMs = minuteMs;

const scopes: Partial<Record<FileFault, string>> = {
  away: "object storage cannot be used",
  unwritable_disk: "the disk cannot be written",
};

/** Logs what is wrong with files of uploads. */
export class FaultLog {
  readonly #folder: string;
  readonly #log: StoreLog;
  readonly #loggedAt = new Map<string, number>();
  /** Days that could not be written at the last attempt. */
  readonly unwritable = new Map<string, DayFault>();

  constructor(folder: string, log: StoreLog) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Logs the fault of a day at most once a minute, not for each upload. */
  faultOf(day: string, error: unknown): FileFault {
    const fault = faultIn(this.#folder, error);
    const reason = error instanceof Error ? error.message : String(error);
    if (fault === "unwritable") this.unwritable.set(day, { day, fault, reason });
    const now = performance.now();
    if (now - (this.#loggedAt.get(day) ?? Number.NEGATIVE_INFINITY) < logAgainMs) return fault;
    this.#loggedAt.set(day, now);
    const fields = { day, folder: join(this.#folder, day), fault, reason };
    const scope = scopes[fault] ?? "other days are not affected";
    this.#log.error(fields, `the uploads of a day cannot be used; ${scope}`);
    return fault;
  }

  note({ file, damagedBytes, reason }: SegmentProblem): void {
    if (reason === undefined) {
      this.#log.warn(
        { file, bytes: damagedBytes },
        "bytes in a file of uploads belong to no complete upload: usually one that was being written when the server ended, and was not acknowledged",
      );
    } else {
      this.#log.error(
        { file, reason },
        "ORIGINAL BYTES OF PROFILES CANNOT BE READ: a file of uploads cannot be used",
      );
    }
  }
}
