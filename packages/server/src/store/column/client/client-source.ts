import { join } from "node:path";
import type { InsertBatch } from "#store/column/column-store.ts";
import { listQuarantined, warnOfQuarantined } from "#store/column/engine/opening/quarantine.ts";
import type { LostPart, ReadLimits } from "#store/column/engine/protocol.ts";
import {
  columnsFolder,
  type Engine,
  type EngineAddress,
  startEngine,
} from "#store/column/engine/supervisor.ts";
import { type EngineTiming, engineTimingDefault } from "#store/column/engine/timing.ts";
import { recountHours } from "#store/column/maintenance/recount-hours.ts";
import { HourJournal, type SeriesHour } from "#store/column/write/hour-journal.ts";
import type { StoreLog } from "#store/log.ts";
import { StoreNotResponding, StoreUnavailable } from "#store/unavailable.ts";
import { type ColumnClient, connectColumns } from "./client.ts";
import { Interruptible } from "./operations.ts";
import { repeatedWhileRestarting } from "./while-restarting.ts";

export type ColumnStoreConfig = {
  readonly limits?: Partial<ReadLimits>;
} & (
  | {
      readonly kind: "embedded";
      /** The engine keeps its folder `columns` in here. */
      readonly dataDir: string;
      /** Cap over the engine's memory. */
      readonly memoryBytesMax?: number;
      /** With less free on its disk the engine takes nothing in. */
      readonly freeDiskBytesMin?: number;
      readonly timing?: Partial<EngineTiming>;
    }
  | { readonly kind: "url"; readonly url: string; readonly cluster?: string }
);

/** What an operator must know about the embedded engine. All zero and empty when a URL is used. */
export interface ColumnStoreHealth {
  /** Process id of the engine; undefined while it restarts. */
  readonly enginePid: number | undefined;
  readonly restarts: number;
  /** How often an engine that did not respond was ended. */
  readonly hangs: number;
  /** Why nothing can be stored or read now; completes "The column store ...". Undefined while the engine responds. */
  readonly outage: string | undefined;
  /** Why the engine does not start again. May name files. */
  readonly outageCause: string | undefined;
  /** Damaged parts the engine set aside at start. */
  readonly lostParts: readonly LostPart[];
}

const ENGINE_MEMORY_BYTES_MAX = 500_000_000;

/** Where the client of the running store comes from: our own engine, or a ClickHouse server. */
export interface ClientSource {
  /** Throws StoreUnavailable while the engine restarts or does not respond. */
  current(): ColumnClient;
  insert(client: ColumnClient, batch: InsertBatch): Promise<void>;
  /** Runs a read; throws StoreUnavailable as soon as the engine stops responding. */
  reading<T>(read: () => Promise<T>): Promise<T>;
  isReady(): Promise<boolean>;
  quarantined(): Promise<readonly string[]>;
  /** Runs a step of the start, again when the engine ended meanwhile. */
  prepare(step: () => Promise<void>): Promise<void>;
  /** After an end that was no orderly one. */
  repair(): Promise<void>;
  recount(hours: readonly SeriesHour[]): Promise<void>;
  markDoubtful(hours: readonly SeriesHour[]): Promise<void>;
  doubtfulHours(): readonly SeriesHour[];
  health(): ColumnStoreHealth;
  close(): Promise<void>;
}

export function remote(url: string, limits: ReadLimits): ClientSource {
  const client = connectColumns({ reader: { url }, writer: { url }, limits });
  return {
    current: () => client,
    insert: (to, batch) => to.insert(batch),
    reading: (read) => read(),
    isReady: () => client.ping(),
    quarantined: async () => [],
    prepare: (step) => step(),
    // A server of its own finishes an insert that its sender no longer waits for.
    repair: async () => {},
    recount: async () => {},
    markDoubtful: async () => {},
    doubtfulHours: () => [],
    health: () => ({
      enginePid: undefined,
      restarts: 0,
      hangs: 0,
      outage: undefined,
      outageCause: undefined,
      lostParts: [],
    }),
    close: () => client.close(),
  };
}

export async function embedded(
  config: ColumnStoreConfig & { kind: "embedded" },
  limits: ReadLimits,
  log: StoreLog,
): Promise<ClientSource> {
  const { dataDir, memoryBytesMax = ENGINE_MEMORY_BYTES_MAX, freeDiskBytesMin, timing = {} } = config;
  const room = freeDiskBytesMin === undefined ? {} : { freeDiskBytesMin };
  const reads = new Interruptible();
  const engine = await startEngine({ dataDir, memoryBytesMax, ...room, limits, timing }, log, () =>
    reads.interrupt(new StoreNotResponding("The column store's engine does not respond.")),
  );
  // After the engine, which locks the folder: another server's file must not be touched.
  const openHours = await HourJournal.open(dataDir, join(dataDir, columnsFolder)).catch(
    async (cause: unknown) => {
      await engine.stop();
      throw cause;
    },
  );
  await warnOfQuarantined(dataDir, log);
  let known: { address: EngineAddress; client: ColumnClient } | undefined;
  const tryCurrent = (): ColumnClient | undefined => {
    const address = engine.address();
    if (address && known?.address !== address) {
      void known?.client.close();
      known = { address, client: connectColumns({ ...toLogins(address), limits }) };
    }
    return address ? known?.client : undefined;
  };
  const current = (): ColumnClient => {
    const outage = engine.outage();
    const client = tryCurrent();
    if (!client) throw new StoreUnavailable(`The column store ${outage ?? "is restarting"}.`);
    if (outage !== undefined) throw new StoreNotResponding(`The column store ${outage}.`);
    return client;
  };
  return {
    current,
    insert: (client, batch) =>
      batch.hours === undefined
        ? client.insert(batch)
        : openHours.during(batch.hours, () => client.insert(batch)),
    reading: (read) => reads.run(read),
    isReady: () => engine.check(),
    quarantined: () => listQuarantined(dataDir),
    prepare: (step) =>
      repeatedWhileRestarting(engine, step, timing.openMax ?? engineTimingDefault.openMax, log),
    repair: async () => {
      const hours = openHours.doubtful();
      if (hours.length === 0) return;
      await recountHours(current(), hours);
      openHours.settle(hours);
      log.info(
        { hours: hours.length },
        "the last stop was a crash: recounted the hours that were being written",
      );
    },
    recount: async (hours) => {
      await recountHours(current(), hours);
      openHours.settle(hours);
    },
    markDoubtful: (hours) => openHours.markDoubtful(hours),
    doubtfulHours: () => openHours.doubtful(),
    health: () => healthOf(engine),
    close: async () => {
      await engine.stop();
      await openHours.close();
      await known?.client.close();
    },
  };
}

export function toLogins({ url, readerPassword, writerPassword }: EngineAddress) {
  return {
    reader: { url, username: "reader", password: readerPassword },
    writer: { url, username: "writer", password: writerPassword },
  };
}

function healthOf(engine: Engine): ColumnStoreHealth {
  return {
    enginePid: engine.pid(),
    restarts: engine.restarts(),
    hangs: engine.hangs(),
    outage: engine.outage(),
    outageCause: engine.outageCause(),
    lostParts: engine.lostParts(),
  };
}
