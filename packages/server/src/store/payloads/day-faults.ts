import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import type { Attempt } from "./day-files-worker.ts";
import { DayUnavailable } from "./day-unavailable.ts";
import type { DayFault } from "./payload-store.ts";

/** How long to wait for a file that another program has locked. Uploads wait while something is removed. */
const busyMsMax = { read: 2000, removed: 500 };
const busyRetryMs = 50;
const logAgainMs = minuteMs;

/** Handles the faults of one day's file, so that they do not affect other days. */
export class DayFaults {
  readonly #folder: string;
  readonly #log: StoreLog;
  readonly #loggedAt = new Map<string, number>();

  constructor(folder: string, log: StoreLog) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Logs the fault of a day at most once a minute, not for each upload. */
  add({ day, fault, reason }: DayFault): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(day) ?? Number.NEGATIVE_INFINITY) < logAgainMs) return;
    this.#loggedAt.set(day, now);
    const fields = { day, file: join(this.#folder, `${day}.sqlite`), fault, reason };
    const others = fault === "unwritable_disk" ? "the disk cannot be written" : "other days are not affected";
    this.#log.error(fields, `the payload file of a day cannot be used; ${others}`);
  }

  /** Repeats a step while another program has locked the file. Each attempt is short: all days share one thread. */
  async retryWhileBusy<T>(
    day: string,
    action: "read" | "removed",
    step: () => Promise<Attempt<T>>,
  ): Promise<T> {
    const giveUpAt = performance.now() + busyMsMax[action];
    for (;;) {
      const outcome = await step();
      if (outcome.ok) return outcome.value;
      const { fault, reason } = outcome;
      if (fault !== "busy" || performance.now() >= giveUpAt) {
        this.add({ day, fault, reason });
        throw new DayUnavailable(action, day, fault);
      }
      await sleep(busyRetryMs);
    }
  }

  /** Repeats the step of each day while it returns true. Other calls run between steps. Skips days with a fault. */
  async inSteps(
    days: readonly string[],
    step: (day: string) => Promise<Attempt<boolean>>,
    stopped: AbortSignal | undefined,
  ): Promise<void> {
    for (const day of days) {
      try {
        while (!stopped?.aborted && (await this.retryWhileBusy(day, "removed", () => step(day))));
      } catch (error) {
        if (!(error instanceof DayUnavailable)) throw error;
      }
    }
  }
}
