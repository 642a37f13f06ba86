import { setTimeout as sleep } from "node:timers/promises";
import { listQuarantined, warnOfQuarantined } from "#store/column/engine/opening/quarantine.ts";
import type { ReadLimits } from "#store/column/engine/protocol.ts";
import { type Engine, type EngineAddress, startEngine } from "#store/column/engine/supervisor.ts";
import { engineTimingDefault } from "#store/column/engine/timing.ts";
import { recountHours } from "#store/column/maintenance/recount-hours.ts";
import { DoubtfulHours, formerDoubtfulHours, removeFormerHours } from "#store/column/write/doubtful-hours.ts";
import type { StoreLog } from "#store/log.ts";
import { StoreFull, StoreNotResponding, StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import { type ColumnClient, connectColumns, type QueryObserver } from "./client.ts";
import type { ClientSource, ColumnStoreConfig, ColumnStoreHealth } from "./client-source.ts";
import { Interruptible } from "./interruptible.ts";

const engineMemoryBytesMax = 500_000_000;

export async function openEmbeddedSource(
  config: ColumnStoreConfig & { kind: "embedded" },
  limits: ReadLimits,
  log: StoreLog,
  observe?: QueryObserver,
): Promise<ClientSource> {
  const { dataDir, memoryBytesMax = engineMemoryBytesMax, freeDiskBytesMin, timing = {} } = config;
  const room = freeDiskBytesMin === undefined ? {} : { freeDiskBytesMin };
  const reads = new Interruptible();
  const engine = await startEngine({ dataDir, memoryBytesMax, ...room, limits, timing }, log, () =>
    reads.interrupt(new StoreNotResponding("The column store's engine does not respond.")),
  );
  const former = await formerDoubtfulHours(dataDir).catch(async (cause: unknown) => {
    await engine.stop();
    throw cause;
  });
  const doubtful = new DoubtfulHours(former);
  await warnOfQuarantined(dataDir, log);
  const { current, disconnect } = connectTo(engine, limits, observe);
  return {
    current,
    insert: (client, batch) =>
      batch.hours === undefined
        ? client.insert(batch)
        : doubtful.during(batch.hours, () => client.insert(batch)),
    reading: (read) => reads.run(read),
    isReady: () => engine.check(),
    quarantined: () => listQuarantined(dataDir),
    prepare: (step) =>
      repeatedWhileRestarting(engine, step, timing.openMax ?? engineTimingDefault.openMax, log),
    recount: async (hours, stopped) => {
      await recountHours(current(), hours, stopped);
      doubtful.settle(hours);
      if (doubtful.list().length === 0) await removeFormerHours(dataDir);
    },
    markDoubtful: (hours) => doubtful.mark(hours),
    doubtfulHours: () => doubtful.list(),
    health: () => healthOf(engine),
    interrupt: disconnect,
    close: async () => {
      await engine.stop();
      await disconnect();
    },
  };
}

/** The client of the running engine process. Each restart gives the engine another address. */
function connectTo(engine: Engine, limits: ReadLimits, observe: QueryObserver | undefined) {
  let connected: { address: EngineAddress; client: ColumnClient } | undefined;
  const tryCurrent = (): ColumnClient | undefined => {
    const address = engine.address();
    if (address && connected?.address !== address) {
      void connected?.client.close();
      connected = { address, client: connectColumns({ ...toLogins(address), limits }, observe) };
    }
    return address ? connected?.client : undefined;
  };
  return {
    /** Throws StoreUnavailable while the engine restarts or does not respond. */
    current(): ColumnClient {
      const outage = engine.outage();
      const client = tryCurrent();
      if (!client) throw new StoreUnavailable(`The column store ${outage ?? "is restarting"}.`);
      if (outage !== undefined) throw new StoreNotResponding(`The column store ${outage}.`);
      return client;
    },
    disconnect: async () => connected?.client.close(),
  };
}

export function toLogins({ url, readerPassword, writerPassword }: EngineAddress) {
  return {
    kind: "engine" as const,
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

const repeatsMax = 5;
const pollMs = 20;

interface Restartable {
  /** Why the store does not respond; undefined while it does. */
  outage(): string | undefined;
  outageCause(): string | undefined;
}

/**
 * Runs a step of the start that can be repeated. If the engine stops meanwhile, the step is repeated once the engine is
 * back. Throws a StoreRefused after several restarts, or after one outage longer than `msMax`. The time
 * that the step itself takes is not limited: a migration may take longer than a restart.
 */
export async function repeatedWhileRestarting(
  store: Restartable,
  step: () => Promise<void>,
  msMax: number,
  log: StoreLog,
): Promise<void> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await step();
    } catch (error) {
      // A full disk does not become empty: `openAt` says how much room is needed.
      if (!(error instanceof StoreUnavailable) || error instanceof StoreFull) throw error;
      if (repeats >= repeatsMax) throw refusal(`it stopped ${repeats + 1} times`, error);
      log.warn({ err: error }, "the column store's engine stopped during the start; repeating the step");
      const giveUpAt = performance.now() + msMax;
      await sleep(pollMs);
      for (let outage = store.outage(); outage !== undefined; outage = store.outage()) {
        if (performance.now() >= giveUpAt) {
          throw refusal(store.outageCause() ?? outage.replace(/\.$/, ""), error);
        }
        await sleep(pollMs);
      }
    }
  }
}

function refusal(reason: string, cause: Error): StoreRefused {
  const words = `The column store's engine did not stay up during the start: ${reason}. Nothing that was stored is lost. Correct the cause and start again.`;
  return new StoreRefused(words, { cause });
}
