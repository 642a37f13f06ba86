import { setTimeout as sleep } from "node:timers/promises";
import type { JobLog } from "#store/job-log.ts";
import type { RowStore } from "./row-store.ts";

/** Kinds of cached rows that a change in another process makes wrong. */
export type ChangeTopic = "keys" | "sessions" | "removals";

/** Half of the second within which other processes hear of a change. */
const pollMs = 500;
/** A stop does not wait longer for a database that hangs. */
const stopMsMax = 5_000;

interface ChangeOptions {
  /** Whether other processes may use the same stores. */
  readonly isShared: boolean;
  readonly jobLog: JobLog;
}

/**
 * Counts changes in the database, and looks for those of other processes. A counter says only that something changed: caches of the topic
 * are emptied.
 */
export class SharedChanges implements AsyncDisposable {
  readonly #rows: RowStore;
  readonly #jobLog: JobLog;
  readonly #isShared: boolean;
  readonly #listeners = new Map<string, () => void>();
  readonly #seen = new Map<string, number>();
  /** Topics of changes here that are not counted yet. */
  readonly #uncounted = new Set<ChangeTopic>();
  readonly #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(rows: RowStore, { isShared, jobLog }: ChangeOptions) {
    this.#rows = rows;
    this.#jobLog = jobLog;
    this.#isShared = isShared;
    if (isShared) this.#timer = setInterval(() => void this.exchange(), pollMs).unref();
  }

  /** Calls after changes of the topic in other processes. */
  on(topic: ChangeTopic, forget: () => void): void {
    this.#listeners.set(topic, forget);
  }

  /** To be called after a change here. */
  note(topic: ChangeTopic): void {
    if (!this.#isShared) return;
    this.#uncounted.add(topic);
    void this.exchange();
  }

  /** Counts the changes here, and calls the listeners of those elsewhere. */
  async exchange(): Promise<void> {
    // One that runs may have read before this change.
    await this.#running;
    this.#running ??= this.#exchange().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    if (this.#uncounted.size > 0)
      await Promise.race([this.exchange(), sleep(stopMsMax, undefined, { ref: false })]);
  }

  async #exchange(): Promise<void> {
    try {
      for (const topic of this.#uncounted) await this.#count(topic);
      await this.#read();
      this.#jobLog.succeeded();
    } catch (error) {
      this.#jobLog.failed(error);
    }
  }

  /** A change that comes meanwhile is counted again: another process may have read in between. */
  async #count(topic: ChangeTopic): Promise<void> {
    this.#uncounted.delete(topic);
    const value = await this.#add(topic).catch((error: unknown) => {
      this.#uncounted.add(topic);
      throw error;
    });
    // Otherwise somebody else has counted too, and the next read finds that.
    if (value === (this.#seen.get(topic) ?? 0) + 1) this.#seen.set(topic, value);
  }

  async #add(topic: ChangeTopic): Promise<number> {
    const { value } = await this.#rows
      .insertInto("changeCounters")
      .values({ name: topic, value: 1 })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet((eb) => ({ value: eb("changeCounters.value", "+", 1) })),
      )
      .returning("value")
      .executeTakeFirstOrThrow();
    return value;
  }

  async #read(): Promise<void> {
    const counters = await this.#rows.selectFrom("changeCounters").selectAll().execute();
    for (const { name, value } of counters) {
      const isNew = value !== (this.#seen.get(name) ?? 0);
      this.#seen.set(name, value);
      if (isNew) this.#listeners.get(name)?.();
    }
  }
}
