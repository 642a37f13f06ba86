// `npm run restore-quarantine [folder]`: restores a column store that a start had moved aside.
import { existsSync } from "node:fs";
import process from "node:process";
import { type Config, readConfig } from "#config";
import { restoreQuarantined } from "#store/column/restore/restore-quarantined.ts";
import type { StoreLog } from "#store/log.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { latestServiceRemovals, type ServiceRemoval } from "#store/row/service-removals.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { ConfigError } from "./context/environment.ts";
import { openLog } from "./open-log.ts";

const usage = `Usage: npm run restore-quarantine [quarantine-N]

Puts a column store back that a start moved to DATA_DIR/quarantine-N, together with the profiles that came later.
Stop the server first. The command needs the server's settings: set DATA_DIR to the server's data folder.`;

process.umask(0o077);
if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
  console.log(usage);
  process.exit();
}
try {
  const config = readConfig();
  if (config.columns.kind !== "embedded") {
    throw new StoreRefused("CLICKHOUSE_URL is set: only the built-in column store can be restored here.");
  }
  const { dataDir } = config.columns;
  if (!existsSync(dataDir)) {
    throw new StoreRefused(`There is no data folder at ${dataDir}; set DATA_DIR to the server's.`);
  }
  const log = await openLog(config, process.stderr.isTTY);
  const removals = await readServiceRemovals(config, log);
  const progress = (line: string) => console.log(line);
  const restored = await restoreQuarantined(dataDir, process.argv[2], log, { removals, progress });
  const { folder, profiles, inBoth, leftover, lostParts, stored, removedServices, mixedServices } = restored;
  console.log(
    [
      `${folder} is restored: ${profiles} profiles were copied between the stores, ${inBoth} were in both.`,
      `The store has ${stored} profiles now.`,
      `What was copied from is kept as ${leftover}. Start the server, look at the profiles, then remove that folder.`,
      ...(lostParts === 0
        ? []
        : [`${lostParts} damaged parts of ${folder} could not be read: their rows are missing.`]),
      ...(removedServices === 0
        ? []
        : [`${removedServices} services that were deleted meanwhile were removed from it.`]),
      ...(mixedServices.length === 0
        ? []
        : [
            `Services with profiles from before and after their deletion may be back: ${mixedServices.join(", ")}.`,
          ]),
    ].join("\n"),
  );
} catch (error) {
  const isExpected = error instanceof StoreRefused || error instanceof ConfigError;
  console.error(isExpected ? error.message : `Restoring failed: ${(error as Error).stack}`);
  process.exitCode = 1;
}

async function readServiceRemovals({ rows }: Config, log: StoreLog): Promise<ServiceRemoval[]> {
  const store = await openRowStore(rows, log);
  try {
    return await latestServiceRemovals(store);
  } finally {
    await store.destroy();
  }
}
