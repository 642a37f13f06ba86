import type { LostPart, ReadLimits } from "#store/column/engine/protocol.ts";
import type { EngineTiming } from "#store/column/engine/timing.ts";
import type { SeriesHour } from "#store/column/write/doubtful-hours.ts";
import type { StoreLog } from "#store/log.ts";
import { placeOf, reach } from "#store/reach.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type ColumnClient, connectColumns, type QueryObserver, type RowsToInsert } from "./client.ts";
import { ServerWatch } from "./server-watch.ts";

export const readLimitsDefault: ReadLimits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 5_000_000,
  resultBytesMax: 500_000_000,
  threadsMax: 2,
};

export type ColumnStoreConfig = {
  readonly limits?: Partial<ReadLimits>;
} & (
  | {
      readonly kind: "embedded";
      /** The parent of the engine's folder `columns`. */
      readonly dataDir: string;
      /** Limit of the engine's memory. */
      readonly memoryBytesMax?: number;
      /** With less free disk space the engine refuses inserts. */
      readonly freeDiskBytesMin?: number;
      /** Limit of the results that are used again; 0, the default, for none. */
      readonly readCacheBytesMax?: number;
      readonly timing?: Partial<EngineTiming>;
    }
  | { readonly kind: "url"; readonly url: string; readonly cluster?: string }
);

/** State of the embedded engine, for operators. All zero and empty if a ClickHouse server is used. */
export interface ColumnStoreHealth {
  /** Process id of the engine; undefined while it restarts. */
  readonly enginePid: number | undefined;
  readonly restarts: number;
  /** How often an engine was killed because it did not respond. */
  readonly hangs: number;
  /** Why nothing can be stored or read now; completes "The column store ...". Undefined while the engine responds. */
  readonly outage: string | undefined;
  /** Why the engine does not start again. May name files. */
  readonly outageCause: string | undefined;
  /** Damaged parts that the engine set aside at its start. */
  readonly lostParts: readonly LostPart[];
}

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

/** Provides the client of the running store: of the embedded engine, or of a ClickHouse server. */
export interface ClientSource {
  /** Throws StoreUnavailable while the engine restarts or does not respond. */
  current(): ColumnClient;
  insert(client: ColumnClient, batch: InsertBatch): Promise<void>;
  /** Runs a read; throws StoreUnavailable as soon as the engine stops responding. */
  reading<T>(read: () => Promise<T>): Promise<T>;
  isReady(): Promise<boolean>;
  quarantined(): Promise<readonly string[]>;
  /** Runs a step of the start, and repeats it if the engine stopped meanwhile. */
  prepare(step: () => Promise<void>): Promise<void>;
  recount(hours: readonly SeriesHour[], stopped?: AbortSignal): Promise<void>;
  markDoubtful(hours: readonly SeriesHour[]): void;
  doubtfulHours(): readonly SeriesHour[];
  health(): ColumnStoreHealth;
  /** Ends running requests: they fail. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

export function openServerSource(
  { url, cluster }: { readonly url: string; readonly cluster?: string },
  limits: ReadLimits,
  log: StoreLog,
  observe?: QueryObserver,
): ClientSource {
  const isReplicated = cluster !== undefined;
  const client = connectColumns(
    { kind: "server", reader: { url }, writer: { url }, limits, isReplicated },
    observe,
  );
  const watch = new ServerWatch(client.ping, log);
  const close = () => {
    watch.close();
    return client.close();
  };
  return {
    current: () => {
      watch.requireAnswers();
      return client;
    },
    insert: (to, batch) => watch.during(() => to.insert(batch)),
    reading: (read) => watch.reading(read),
    isReady: () => client.ping(),
    quarantined: async () => [],
    prepare: (step) => step(),
    // A ClickHouse server completes an insert even if its sender has gone.
    recount: async () => {},
    markDoubtful: () => {},
    doubtfulHours: () => [],
    health: () => ({
      enginePid: undefined,
      restarts: 0,
      hangs: 0,
      outage: watch.isSilent ? "does not answer" : undefined,
      outageCause: undefined,
      lostParts: [],
    }),
    interrupt: close,
    close,
  };
}

/** Waits for a ClickHouse server that is starting; throws a StoreRefused if it stays unreachable or refuses the login. */
export function reachClickHouse(
  client: ColumnClient,
  url: string,
  log: StoreLog,
  stopped?: AbortSignal,
): Promise<void> {
  const name = `ClickHouse at ${placeOf(url)}`;
  const probe = () => client.command("SELECT 1");
  const isUnreachable = (error: unknown) => error instanceof StoreUnavailable;
  return reach({ name, setting: "CLICKHOUSE_URL", probe, isUnreachable }, log, { stopped });
}
