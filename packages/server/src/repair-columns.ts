// `npm run restore-quarantine [folder]` and `npm run rebuild-columns`: they repair the built-in column store while no server runs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Config, readConfig } from "#config";
import { listQuarantined } from "#store/column/engine/opening/quarantine.ts";
import { type Restored, restoreQuarantined, setAside } from "#store/column/restore/restore-quarantined.ts";
import type { StoreLog } from "#store/log.ts";
import { openOriginals } from "#store/payloads/open-originals.ts";
import { forgetIndexes, uploadsFolder } from "#store/payloads/segment-file.ts";
import { ownerKey } from "#store/payloads/segment-objects.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { latestServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { openLog } from "./open-log.ts";
import { runCommand } from "./operator-command.ts";
import { openSettled } from "./settled-context.ts";

const stopFirst =
  "Stop the server first. The command needs the server's settings: set DATA_DIR to the server's data folder.";

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
