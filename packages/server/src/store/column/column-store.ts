import type { StoreLog } from "#store/log.ts";
import { noSchemaLock, type SchemaLock } from "#store/schema-lock.ts";
import { traceQuery } from "#telemetry/trace-context.ts";
import { AwaitedRows } from "./awaited-rows.ts";
import { type ColumnClient, type QueryObserver, toRows } from "./client/client.ts";
import {
  type ClientSource,
  type ColumnStoreConfig,
  type ColumnStoreHealth,
  type InsertBatch,
  openServerSource,
  reachClickHouse,
  readLimitsDefault,
} from "./client/client-source.ts";
import { checkCluster } from "./client/cluster.ts";
import { type DamagedPart, DamagedParts } from "./client/damage.ts";
import { openEmbeddedSource } from "./client/embedded-source.ts";
import { OpenOperations } from "./client/open-operations.ts";
import type { ReadFormat } from "./engine/protocol.ts";
import { type ColumnMaintenance, openMaintenance } from "./maintenance/column-maintenance.ts";
import { migrateColumns } from "./migrations/migrate.ts";
import type { BytesStatement, ColumnReader } from "./query.ts";
import { totalsOf } from "./read/open-days.ts";
import { PartCache } from "./read/part-cache.ts";
import { ProfileTotals } from "./read/profile-totals.ts";
import type { TotalsRange, TotalsRow } from "./read/profile-totals-queries.ts";
import type { StackTotals, StackTotalsRange } from "./read/stack-sums.ts";
import { type HoursOfRange, readStackTotals } from "./read/stack-totals.ts";
import { Changes } from "./read-cache/changes.ts";
import { ReadCache } from "./read-cache/read-cache.ts";
import { TotalsCache } from "./read-cache/totals-cache.ts";

export type { ColumnStoreConfig, InsertBatch } from "./client/client-source.ts";
export type { ColumnMaintenance } from "./maintenance/column-maintenance.ts";
export type { Profiles, TotalsRow } from "./read/profile-totals-queries.ts";
export type { SeriesHour } from "./write/doubtful-hours.ts";

/** Reads and writes rows of organizations. */
export interface ColumnStore extends ColumnReader {
  /** Resolves when the rows and their roll-ups are on disk. Throws StoreUnavailable: send again with the same token. */
  insert(batch: InsertBatch): Promise<void>;
  /** Sums over profiles: from the roll-ups where they are complete, else from the profiles. */
  profileTotals(range: TotalsRange): Promise<readonly TotalsRow[]>;
  /** Totals of stacks: from the roll-ups where they are complete, else from the profiles, and from `hours` those that waited. */
  stackTotals(range: StackTotalsRange, hours: HoursOfRange): Promise<StackTotals>;
  /** Sums over the profiles of minutes and of five minutes, which are used again. */
  readonly parts: Pick<PartCache, "read" | "isOn">;
  /** Reads without rows that wait to be inserted: for what inserts them. */
  readonly direct: ColumnReader;
  readonly awaitedRows: AwaitedRows;
  /** Changes each time a removal begins or ends in this store: rows read before may be gone. */
  removalVersion(): number;
  /** Calls when a removal here begins or ends. Returns the function to call when one in another process did. */
  shareRemovals(announce: () => void): () => void;
  /** Answers within two seconds. */
  isReady(): Promise<boolean>;
  /** Names of folders in the data folder with a store that was moved aside: its rows are missing from every result. */
  quarantined(): Promise<readonly string[]>;
  health(): ColumnStoreHealth;
  /** Calls with the seconds of each read that no cache answered, and its feature: the first part of the statement's name. */
  watchReads(observe: ReadObserver): void;
  /** Calls with the kind and the seconds of each query that the store answers: reads of jobs, inserts and commands too. */
  watchQueries(observe: QueryObserver): void;
  /** Parts that reads found damaged since the start. */
  damagedParts(): readonly DamagedPart[];
  readonly maintenance: ColumnMaintenance;
  /** After this time running operations fail and new ones are refused: a stopping server does not wait for a store that hangs. */
  endWithin(ms: number): void;
  /** Waits for running operations, then stops the engine. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the store and brings its schema up to date; an embedded engine is started as a child process.
 *
 * @param stopped ends the wait for a ClickHouse server that cannot be reached
 * @param schemaLock of servers that share a ClickHouse
 */
export async function openColumnStore(
  config: ColumnStoreConfig,
  log: StoreLog,
  stopped?: AbortSignal,
  schemaLock: SchemaLock = noSchemaLock,
): Promise<ColumnStore> {
  let observeQuery: QueryObserver = () => undefined;
  const observe: QueryObserver = (...query) => observeQuery(...query);
  const source = await openSource(config, log, { stopped, schemaLock, observe });
  const operations = new OpenOperations();
  const damaged = new DamagedParts(log);
  const withClient = <T>(operation: (client: ColumnClient) => Promise<T>): Promise<T> =>
    operations.run(() => damaged.recording(() => operation(source.current())));
  const restarts = () => source.health().restarts;
  const changes = new Changes(restarts);
  const cacheBytesMax = cacheBytesOf(config);
  const cache = cacheBytesMax === 0 ? undefined : new ReadCache(changes, cacheBytesMax / 2);
  const watch = new ReadWatch();
  const reader = readerOf({ source, withClient, cache, watch });
  const removals = new Removals(() => {
    totals.forget();
    parts.forget();
  });
  const writing = { source, operations, withClient, changes, onRemoval: removals.noteHere };
  const { stop, ...maintenance } = openMaintenance({ ...writing, cluster: clusterOf(config), log });
  const totals = new ProfileTotals(reader, maintenance);
  const parts = new PartCache(restarts, cacheBytesMax / 2);
  const totalsReader = cache === undefined ? totals : new TotalsCache(changes, totals);
  const awaitedRows = new AwaitedRows();
  return {
    ...awaitedRows.reader(reader),
    direct: reader,
    awaitedRows,
    insert: (batch) =>
      changes.during(batch.hours ?? [], () => withClient((client) => source.insert(client, batch))),
    profileTotals: (range) => readProfileTotals(awaitedRows, totalsReader, range),
    stackTotals: (range, hours) => readStackTotals(reader, parts, range, hours),
    parts,
    removalVersion: () => removals.version,
    shareRemovals: (announce) => removals.share(announce),
    isReady: source.isReady,
    quarantined: source.quarantined,
    health: source.health,
    watchReads: (observe) => watch.begin(observe),
    watchQueries: (observe) => {
      observeQuery = observe;
    },
    damagedParts: () => damaged.list(),
    maintenance: awaitedRows.maintenance(maintenance),
    endWithin: (ms) => void setTimeout(() => interrupt(operations, source, log), ms).unref(),
    async [Symbol.asyncDispose]() {
      stop();
      await operations.finish();
      await source.close();
    },
  };
}

function readProfileTotals(
  awaitedRows: AwaitedRows,
  totals: Pick<TotalsCache, "read">,
  range: TotalsRange,
): Promise<readonly TotalsRow[]> {
  return awaitedRows.withWaiting(
    range,
    () => totals.read(range),
    (rows, waiting) => [...rows, ...totalsOf(waiting, range)],
  );
}

function interrupt(operations: OpenOperations, source: ClientSource, log: StoreLog): void {
  operations.refuseNew();
  source.interrupt().catch((error: unknown) => log.warn({ err: error }, "column store not disconnected"));
}

/** Counts the beginnings and ends of removals, which make cached rows wrong. */
class Removals {
  readonly #forget: () => void;
  #announce: (() => void) | undefined;
  version = 0;

  constructor(forget: () => void) {
    this.#forget = forget;
  }

  readonly noteHere = (): void => {
    this.#note();
    this.#announce?.();
  };

  share(announce: () => void): () => void {
    this.#announce = announce;
    return () => this.#note();
  }

  #note(): void {
    this.version++;
    this.#forget();
  }
}

type ReadObserver = (feature: string, seconds: number) => void;

class ReadWatch {
  #observe: ReadObserver = () => {};

  begin(observe: ReadObserver): void {
    this.#observe = observe;
  }

  async timed<T>(statement: string, read: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    let hasFailed = true;
    try {
      const result = await read();
      hasFailed = false;
      return result;
    } finally {
      traceQuery(statement, startMs, hasFailed);
      const [feature = ""] = statement.split(".", 1);
      this.#observe(feature, (performance.now() - startMs) / 1000);
    }
  }
}

interface ReaderParts {
  readonly source: ClientSource;
  readonly withClient: <T>(operation: (client: ColumnClient) => Promise<T>) => Promise<T>;
  readonly cache: ReadCache | undefined;
  readonly watch: ReadWatch;
}

function readerOf({ source, withClient, cache, watch }: ReaderParts): ColumnReader {
  const read = <P>(statement: BytesStatement<P>, params: P, format: ReadFormat) => {
    const run = () =>
      watch.timed(statement.name, () =>
        withClient((client) => source.reading(() => client.read(statement, params, format))),
      );
    return statement.isCacheable && cache !== undefined ? cache.read(statement, params, format, run) : run();
  };
  return {
    query: async (statement, params) => toRows(statement, await read(statement, params, "JSONEachRow")),
    queryBytes: (statement, params) => read(statement, params, "RowBinary"),
  };
}

/** 0 for no cache: other servers may write to a ClickHouse server. */
function cacheBytesOf(config: ColumnStoreConfig): number {
  return config.kind === "embedded" ? (config.readCacheBytesMax ?? 0) : 0;
}

interface SourceOptions {
  readonly stopped: AbortSignal | undefined;
  readonly schemaLock: SchemaLock;
  readonly observe: QueryObserver;
}

async function openSource(
  config: ColumnStoreConfig,
  log: StoreLog,
  { stopped, schemaLock, observe }: SourceOptions,
): Promise<ClientSource> {
  const limits = { ...readLimitsDefault, ...config.limits };
  const source =
    config.kind === "embedded"
      ? await openEmbeddedSource(config, limits, log, observe)
      : openServerSource(config, limits, log, observe);
  try {
    if (config.kind === "url") {
      await reachClickHouse(source.current(), config.url, log, stopped);
      await checkCluster(source.current(), config);
    }
    const target = { cluster: clusterOf(config), lock: schemaLock };
    await source.prepare(() => migrateColumns(source.current(), target, log));
    // Again: the tables are new at the first start.
    if (config.kind === "url" && config.cluster !== undefined) await checkCluster(source.current(), config);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

function clusterOf(config: ColumnStoreConfig): string | undefined {
  return config.kind === "url" ? config.cluster : undefined;
}
