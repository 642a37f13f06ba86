import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { JobLog } from "#store/job-log.ts";
import type { StoreLog } from "#store/log.ts";
import { Turns } from "#store/turns.ts";
import type { ColumnClient, RowsToInsert } from "./client/client.ts";
import { type ColumnStoreConfig, type ColumnStoreHealth, embedded, remote } from "./client/client-source.ts";
import { type DamagedPart, DamagedParts } from "./client/damage.ts";
import { OpenOperations } from "./client/operations.ts";
import type { ReadLimits } from "./engine/protocol.ts";
import { Removal, type Removed, type ServiceOf } from "./maintenance/removal.ts";
import { rollUpHttp } from "./maintenance/roll-up-http.ts";
import { lastWholeHour, rollUpProfiles } from "./maintenance/roll-up-profiles.ts";
import { rollUpStacks } from "./maintenance/roll-up-stacks.ts";
import { migrateColumns } from "./migrations/migrate.ts";
import type { BytesQuery, Query } from "./query.ts";
import { reachClickHouse } from "./reach-clickhouse.ts";
import { ProfileTotals, type TotalsRange } from "./read/profile-totals.ts";
import type { TotalsRow } from "./read/profile-totals-queries.ts";
import type { SeriesHour } from "./write/hour-journal.ts";

/** Rows of a table that views roll up. */
interface RolledUpRows extends RowsToInsert {
  readonly table: "profiles" | "http_requests";
  /** The hours that the rows belong to: an interrupted insert leaves them to be counted again. */
  readonly hours: readonly SeriesHour[];
}

interface OtherRows extends RowsToInsert {
  readonly table: "frames" | "stacks" | "payloads";
  readonly hours?: never;
}

export type InsertBatch = RolledUpRows | OtherRows;
export type { ColumnStoreConfig } from "./client/client-source.ts";
export type { TotalsRow } from "./read/profile-totals-queries.ts";
export type { SeriesHour } from "./write/hour-journal.ts";

export interface ColumnStore {
  /** Runs read-only with bound parameters. Throws StoreUnavailable (try again) or QueryTooExpensive. */
  query<P, R>(query: Query<P, R>, params: P): Promise<R[]>;
  /** As `query`, but returns RowBinary; read it with RowBinaryReader. */
  queryBytes<P>(query: BytesQuery<P>, params: P): Promise<Buffer>;
  /** Resolves when the rows and their roll-ups are on disk. Throws StoreUnavailable: send again, same token. */
  insert(batch: InsertBatch): Promise<void>;
  /** What profiles come to, from the roll-ups as far as they are right, else from the profiles. */
  profileTotals(range: TotalsRange): Promise<TotalsRow[]>;
  /**
   * Counts the roll-ups of these hours again from their rows. Nothing may be inserted meanwhile. Does nothing where a URL
   * is used.
   */
  recount(hours: readonly SeriesHour[]): Promise<void>;
  /** Hours with rows that roll-ups may lack: those of failed inserts, and those marked. They are due for `recount`. */
  doubtfulHours(): readonly SeriesHour[];
  /** Resolves when this is on disk: the next start counts the hours again if nothing else does before. */
  markDoubtful(hours: readonly SeriesHour[]): Promise<void>;
  /** Brings the hourly roll-ups up to date; returns how many hours of stacks it wrote. Runs by itself too. */
  rollUp(now: Date): Promise<number>;
  /**
   * Drops whole days before `before` (YYYY-MM-DD) from all tables; returns how many partitions. Once `stopped` is
   * aborted it ends after the step it is at, as `removeDays` and `purge`: the same call goes on from there.
   */
  dropDays(before: string, stopped?: AbortSignal): Promise<number>;
  /** Removes one organization's days before `before` from all tables. */
  removeDays(orgId: string, before: string, stopped?: AbortSignal): Promise<Removed>;
  /** Removes all of a service but names of functions that it may share. Nothing of it may be inserted meanwhile. */
  removeService(service: ServiceOf): Promise<Removed>;
  /** Another number each time a removal begins or ends here: what was read before may be gone. */
  removals(): number;
  /** Takes the bytes of removed rows off the disk; returns how many partitions it rewrote parts of. */
  purge(stopped?: AbortSignal): Promise<number>;
  /** Answers within two seconds. */
  isReady(): Promise<boolean>;
  /** Names of folders in the data folder with a store that was moved aside: its rows are missing from every answer. */
  quarantined(): Promise<readonly string[]>;
  health(): ColumnStoreHealth;
  /** Parts that reads found damaged since the start. */
  damagedParts(): readonly DamagedPart[];
  /** Waits for running operations, then stops the engine. */
  [Symbol.asyncDispose](): Promise<void>;
}

const LIMITS: ReadLimits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 5_000_000,
  resultBytesMax: 500_000_000,
  threadsMax: 2,
};
/** Profiles arrive a little after they were taken; an hour is rolled up when they should all be there. */
const ROLL_UP_GRACE_SECONDS = 300;
const ROLL_UP_EVERY_MS = 5 * minuteMs;
/** Longer than profiles are kept by default, so that what arrives late is found. */
const ROLL_UP_BACK_MS = 31 * dayMs;

/**
 * Opens the store and brings its schema up to date; an embedded engine is started as a child process.
 *
 * @param stopped ends the wait for a ClickHouse that is away
 */
export async function openColumnStore(
  config: ColumnStoreConfig,
  log: StoreLog,
  stopped?: AbortSignal,
): Promise<ColumnStore> {
  const limits = { ...LIMITS, ...config.limits };
  const source =
    config.kind === "embedded" ? await embedded(config, limits, log) : remote(config.url, limits);
  const cluster = config.kind === "url" ? config.cluster : undefined;
  try {
    if (config.kind === "url") await reachClickHouse(source.current(), config.url, log, stopped);
    await source.prepare(async () => {
      await migrateColumns(source.current(), { cluster, isShared: config.kind === "url" }, log);
      await source.repair();
    });
  } catch (error) {
    await source.close();
    throw error;
  }
  const operations = new OpenOperations();
  const damaged = new DamagedParts(log);
  const withClient = <T>(operation: (client: ColumnClient) => Promise<T>): Promise<T> =>
    operations.run(() => damaged.noting(() => operation(source.current())));
  // A roll-up that read before a removal must not write after it.
  const turns = new Turns();
  const rollUp = (now: Date) =>
    turns.run(() =>
      withClient(async (client) => {
        const untilSeconds = lastWholeHour(now, ROLL_UP_GRACE_SECONDS);
        const shouldStop = () => operations.isFinishing || turns.isWaitedFor;
        await rollUpProfiles(client, untilSeconds, shouldStop);
        await rollUpHttp(client, untilSeconds, shouldStop);
        const from = new Date(now.getTime() - ROLL_UP_BACK_MS);
        return rollUpStacks(client, { from, untilSeconds, now }, shouldStop);
      }),
    );
  const query: ColumnStore["query"] = (definition, params) =>
    withClient((client) => source.reading(() => client.query(definition, params)));
  const queryBytes: ColumnStore["queryBytes"] = (definition, params) =>
    withClient((client) => source.reading(() => client.queryBytes(definition, params)));
  const totals = new ProfileTotals({ query, queryBytes });
  let removals = 0;
  const forget = (): void => {
    removals++;
    totals.forget();
  };
  const remove = async <T>(removal: (removal: Removal) => Promise<T>, stopped?: AbortSignal): Promise<T> => {
    forget();
    try {
      return await turns.run(() => withClient((client) => removal(new Removal(client, cluster, stopped))));
    } finally {
      forget();
    }
  };
  const rollUpLog = new JobLog(log, "the hourly roll-up");
  const timer = setInterval(() => {
    rollUp(new Date()).then(
      () => rollUpLog.succeeded(),
      (error: unknown) => rollUpLog.failed(error),
    );
  }, ROLL_UP_EVERY_MS);
  timer.unref();
  return {
    rollUp,
    query,
    profileTotals: (range) => totals.read(range),
    queryBytes,
    insert: (batch) => withClient((client) => source.insert(client, batch)),
    recount: (hours) => operations.run(() => turns.run(() => source.recount(hours))),
    doubtfulHours: source.doubtfulHours,
    markDoubtful: source.markDoubtful,
    dropDays: (before, stopped) => remove((removal) => removal.dropDays(before), stopped),
    removeDays: (orgId, before, stopped) => remove((removal) => removal.removeDays(orgId, before), stopped),
    removeService: (service) => remove((removal) => removal.removeService(service)),
    removals: () => removals,
    purge: (stopped) => remove((removal) => removal.purge(), stopped),
    isReady: source.isReady,
    quarantined: source.quarantined,
    health: source.health,
    damagedParts: () => damaged.list(),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await operations.finish();
      await source.close();
    },
  };
}
