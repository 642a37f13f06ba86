import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#context";
import type { RowsSource, WaitingDefinitions, WaitingProfiles } from "#store/column/awaited-rows.ts";
import type { ColumnStoreHealth } from "#store/column/client/client-source.ts";
import type { ColumnMaintenance } from "#store/column/column-store.ts";
import { isHourIn, type ReadScope } from "#store/column/read-cache/changes.ts";
import { JobLog } from "#store/job-log.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { Committer } from "./committer.ts";
import { stopping } from "./rejections.ts";

const checkMs = 15_000;
/** How long a read waits for a recount. */
const readWaitMs = 5_000;
/**
 * No rows are stored while hours are counted. After this many hours, those that wait are stored first. A turn of one hour takes a
 * third of the time of 500.
 */
export const hoursPerTurnMax = 500;

interface Dependencies {
  readonly store: Pick<ColumnMaintenance, "doubtfulHours" | "recount">;
  readonly committer: Pick<Committer, "runBetweenRows">;
  readonly log: Pick<Log, "info" | "warn">;
  /** A full disk refuses the inserts of a recount too. */
  readonly isDiskFull: () => Promise<boolean>;
  /** Ends a recount after its present step: the remaining hours are counted after the next start. */
  readonly stopped?: AbortSignal;
}

/**
 * Recounts the hours whose roll-ups may lack rows: an insert failed, on a full disk for instance, or the engine ended
 * between rows and roll-ups.
 */
export async function recountDoubtful(
  { store, committer, log, isDiskFull, stopped }: Dependencies,
  jobLog = new JobLog(log, "the recount of hours whose inserts failed"),
): Promise<void> {
  try {
    while (store.doubtfulHours().length > 0 && stopped?.aborted !== true) {
      if (await isDiskFull()) return;
      await committer.runBetweenRows(async () => {
        const hours = store.doubtfulHours().slice(0, hoursPerTurnMax);
        if (hours.length === 0) return;
        await store.recount(hours, stopped);
        log.info({ hours: hours.length }, "recounted hours whose inserts had failed");
      });
    }
    jobLog.succeeded();
  } catch (error) {
    if (stopped?.aborted !== true) jobLog.failed(error);
  }
}

interface ReadDependencies extends Dependencies {
  readonly committer: Pick<Committer, "runBetweenRows" | "isStoreFull"> & RowsSource;
  readonly health: () => Pick<ColumnStoreHealth, "restarts" | "outage">;
  readonly readWaitMs?: number;
}

/**
 * Recounts doubtful hours regularly, and at once where a read needs them: their roll-ups have too little, and nothing while they are
 * counted. So reads wait for them as they wait for rows.
 */
export class Recounts implements RowsSource {
  readonly #dependencies: ReadDependencies;
  readonly #jobLog: JobLog;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #begun = 0;
  /** The engine's restarts before a recount that left hours: another one would leave them too. */
  #failedAt: number | undefined;

  constructor(dependencies: ReadDependencies) {
    this.#dependencies = dependencies;
    this.#jobLog = new JobLog(dependencies.log, "the recount of hours whose inserts failed");
    this.#timer = setInterval(() => this.#run(), checkMs).unref();
  }

  async settle(scope: ReadScope | undefined): Promise<void> {
    do await this.#dependencies.committer.settle(scope);
    while (await this.#hasRecounted(scope));
  }

  async waiting(scope: ReadScope | undefined): Promise<WaitingProfiles> {
    let waiting: WaitingProfiles;
    do waiting = await this.#dependencies.committer.waiting(scope);
    while (await this.#hasRecounted(scope));
    const begun = this.#begun;
    return {
      profiles: waiting.profiles,
      isCurrent: () => waiting.isCurrent() && this.#begun === begun && !this.#isNeeded(scope),
    };
  }

  recounts(): number {
    return this.#begun;
  }

  waitingDefinitions(orgId: string, stackIds: BigUint64Array): WaitingDefinitions {
    return this.#dependencies.committer.waitingDefinitions(orgId, stackIds);
  }

  /** Waits for a recount that runs. Abort the signal first: it then ends after its present step. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Resolves with whether it recounted hours of the scope. Throws StoreUnavailable if that takes long, or the server stops. */
  async #hasRecounted(scope: ReadScope | undefined): Promise<boolean> {
    if (!this.#isNeeded(scope)) return false;
    if (this.#isStopped) throw stopping();
    const late = sleep(this.#dependencies.readWaitMs ?? readWaitMs, "late", { ref: false });
    const outcome = await Promise.race([this.#run(), late]);
    if (outcome === "late" && this.#isNeeded(scope)) {
      throw new StoreUnavailable("The totals of this time are being counted again.");
    }
    return true;
  }

  #isNeeded(scope: ReadScope | undefined): boolean {
    const { store, committer, health } = this.#dependencies;
    const { restarts, outage } = health();
    if (scope === undefined || restarts === this.#failedAt) return false;
    // Reads fail while it is away, and go on while the disk is full.
    if (outage !== undefined || committer.isStoreFull) return false;
    return store.doubtfulHours().some((hour) => isHourIn(scope, hour));
  }

  #run(): Promise<void> {
    this.#running ??= this.#recount().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #recount(): Promise<void> {
    const { store, health } = this.#dependencies;
    const { restarts } = health();
    if (store.doubtfulHours().length > 0) this.#begun++;
    await recountDoubtful(this.#dependencies, this.#jobLog);
    const hasFailed = store.doubtfulHours().length > 0 && !this.#isStopped;
    this.#failedAt = hasFailed ? restarts : undefined;
  }

  get #isStopped(): boolean {
    return this.#dependencies.stopped?.aborted === true;
  }
}
