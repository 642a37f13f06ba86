// `npm run restore-quarantine [folder]`, `npm run rebuild-columns` and `npm run recount`: they repair the column store while no server runs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { liveAddresses } from "#cluster/heartbeats.ts";
import { type Config, readConfig } from "#config";
import { openColumnStore } from "#store/column/column-store.ts";
import { listQuarantined } from "#store/column/engine/opening/quarantine.ts";
import type { RecountedDay } from "#store/column/maintenance/recount-hours.ts";
import { type Restored, restoreQuarantined, setAside } from "#store/column/restore/restore-quarantined.ts";
import { lockDataFolder } from "#store/data-folder-lock.ts";
import type { StoreLog } from "#store/log.ts";
import { openOriginals } from "#store/payloads/open-originals.ts";
import { forgetIndexes, uploadsFolder } from "#store/payloads/segment-file.ts";
import { ownerKey } from "#store/payloads/segment-objects.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { latestServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { noSchemaLock, openSchemaLock } from "#store/schema-lock.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { openLog } from "./open-log.ts";
import { runCommand } from "./operator-command.ts";
import { openSettled } from "./settled-context.ts";

const stopFirst =
  "Stop the server first. The command needs the server's settings: set DATA_DIR to the server's data folder.";

/** Sums of a day of all services. */
const recountLimits = { executionSecondsMax: 600, memoryBytesMax: 4_000_000_000 };

await runCommand({
  "restore-quarantine": {
    usage: `Usage: npm run restore-quarantine [quarantine-N]

Puts a column store back that a start moved to DATA_DIR/quarantine-N, together with the profiles that came later.
${stopFirst}`,
    count: [0, 1],
    async run([folder]) {
      const { config, dataDir, log } = await openTask();
      const removals = await readServiceRemovals(config, log);
      const options = { removals, progress: print, openOriginals: () => openOriginals(config) };
      const restored = await restoreQuarantined(dataDir, folder, log, options);
      print(describe(restored));
    },
  },
  recount: {
    usage: `Usage: npm run recount

Compares the totals of all days with the stored profiles and HTTP requests, and counts the days that differ again.
Stop all servers of the installation first. The command needs the settings of one of them.`,
    count: [0, 0],
    run: recount,
  },
  "rebuild-columns": {
    usage: `Usage: npm run rebuild-columns

Makes the column store again from the original bytes of the uploads in DATA_DIR/uploads. The former store is moved aside, and
rows that only it has are copied from it: HTTP metrics, and profiles of versions that kept nothing but their bytes.
${stopFirst}`,
    count: [0, 0],
    async run() {
      const { config, dataDir, log } = await openTask();
      await refuseUnreachable(config);
      print("Moving the column store aside");
      await setAside(dataDir, log);
      await forgetIndexes(join(dataDir, uploadsFolder));
      print("Making the rows of all uploads again");
      {
        await using _ = await openSettled(config, log);
      }
      const removals = await readServiceRemovals(config, log);
      const options = {
        removals,
        progress: print,
        isIntoCurrent: true,
        openOriginals: () => openOriginals(config),
      };
      const unread: string[] = [];
      // An interrupted rebuild has left one too.
      for (const aside of await listQuarantined(dataDir)) {
        try {
          print(describe(await restoreQuarantined(dataDir, aside, log, options)));
        } catch (error) {
          if (!(error instanceof StoreRefused)) throw error;
          unread.push(error.message);
        }
      }
      if (unread.length === 0) return;
      throw new StoreRefused(
        `The store was made again from the uploads. Rows that only a former one has are missing, because it cannot be read:\n${unread.join("\n")}`,
      );
    },
  },
});

async function recount(): Promise<void> {
  const config = readConfig();
  const log = await openLog(config, process.stderr.isTTY);
  using _ = await lockDataFolder(config.dataDir, log);
  const { columns, rows, cluster } = config;
  await using opened = new AsyncDisposableStack();
  const isShared = cluster !== undefined && rows.kind === "postgres";
  const lock = isShared ? openSchemaLock(rows.url, "column store", log) : noSchemaLock;
  let requireNoServer = async () => {};
  if (isShared) {
    const store = opened.adopt(await openRowStore(rows, log), (each) => each.destroy());
    requireNoServer = async () => {
      const addresses = await liveAddresses(store, cluster.deadMs);
      if (addresses.length === 0) return;
      throw new StoreRefused(
        `Servers of this installation run at ${addresses.join(" and ")}. Stop all of them, then run npm run recount again. One that was killed counts as running for ${cluster.deadMs / 1000} s.`,
      );
    };
  }
  await requireNoServer();
  const store = opened.use(
    await openColumnStore({ ...columns, limits: recountLimits }, log, undefined, lock),
  );
  let [days, differing] = [0, 0];
  await lock(async (check) => {
    const before = async () => {
      check();
      await requireNoServer();
    };
    const after = (day: RecountedDay) => {
      days++;
      const lines = linesOf(day);
      if (lines.length > 0) differing++;
      for (const line of lines) print(line);
    };
    await store.maintenance.recountStore({ before, after });
    // One that started during the last day may have stored profiles that were counted twice.
    await before();
  });
  print(
    `${days} days were compared, ${differing} of them differed${differing > 0 ? " and are right now" : ""}.`,
  );
}

function linesOf({ day, requestsRemoved, corrected }: RecountedDay): readonly string[] {
  return [
    ...corrected.map(
      ({ table, before, after }) => `${day}: ${table} counted ${before}, and counts ${after} now.`,
    ),
    ...(requestsRemoved > 0
      ? [`${day}: ${requestsRemoved} HTTP requests without their upload were removed.`]
      : []),
  ];
}

async function openTask() {
  const config = readConfig();
  if (config.columns.kind !== "embedded") {
    throw new StoreRefused("CLICKHOUSE_URL is set: only the built-in column store can be repaired here.");
  }
  const { dataDir } = config.columns;
  if (!existsSync(dataDir)) {
    throw new StoreRefused(`There is no data folder at ${dataDir}; set DATA_DIR to the server's.`);
  }
  return { config, dataDir, log: await openLog(config, process.stderr.isTTY) };
}

/** Without the objects their rows would be missing. */
async function refuseUnreachable(config: Config): Promise<void> {
  using store = (await openOriginals(config))?.store;
  await store?.head(ownerKey).catch((cause: Error) => {
    throw new StoreRefused(`${cause.message} Nothing was changed.`, { cause });
  });
}

function print(line: string): void {
  console.log(line);
}

function describe({ lostParts, removedServices, mixedServices, ...restored }: Restored): string {
  const { folder, profiles, inBoth, leftover, stored } = restored;
  return [
    `${folder} is restored: ${profiles} profiles were copied between the stores, ${inBoth} were in both.`,
    `The store has ${stored} profiles now.`,
    `The copied store is kept as ${leftover}. Start the server, check the profiles, then remove that folder.`,
    ...(lostParts === 0
      ? []
      : [`${lostParts} damaged parts of ${folder} could not be read: their rows are missing.`]),
    ...(removedServices === 0
      ? []
      : [`${removedServices} services deleted since then were removed from it.`]),
    ...(mixedServices.length === 0
      ? []
      : [
          `Services with profiles from before and after their deletion may be back: ${mixedServices.join(", ")}.`,
        ]),
  ].join("\n");
}

async function readServiceRemovals({ rows }: Config, log: StoreLog): Promise<ServiceRemoval[]> {
  const store = await openRowStore(rows, log);
  try {
    return await latestServiceRemovals(store);
  } finally {
    await store.destroy();
  }
}
