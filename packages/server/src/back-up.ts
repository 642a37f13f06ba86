// `npm run backup` and `npm run restore`: copy the data folder of a server, which may run, and put the copy into an empty one.
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readConfig } from "#config";
import { StoreRefused } from "#store/unavailable.ts";
import { makeBackup } from "./backup/make-backup.ts";
import type { Manifest } from "./backup/manifest.ts";
import { checkBackup, restoreBackup } from "./backup/restore-backup.ts";
import { ConfigError } from "./context/environment.ts";

/** The server's requests come first. The files must be held in time; copying them takes only what the server leaves. */
const holdingPriority = 10;
const copyingPriority = 19;

const usages = {
  backup: `Usage: npm run backup -- FOLDER [--keep N]

Copies the data folder into a new folder FOLDER/TIME, while the server runs. Files that the backup before has too take no
further space. --keep removes all but the latest N backups. The command needs the server's settings: set DATA_DIR to the
server's data folder. Databases of CLICKHOUSE_URL and DATABASE_URL are not in it.`,
  restore: `Usage: npm run restore -- FOLDER/TIME
       npm run restore -- --check FOLDER/TIME

Checks a backup and copies it into DATA_DIR, which must be empty or missing. Start the server then. --check only checks.`,
};

process.umask(0o077);
const name = process.argv[2] === "restore" ? "restore" : "backup";
try {
  await run();
} catch (error) {
  const isExpected = error instanceof StoreRefused || error instanceof ConfigError;
  console.error(isExpected ? error.message : `The ${name} failed: ${(error as Error).stack}`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { folder, keep, isCheck, isHelp } = readArguments();
  if (isHelp) return console.log(usages[name]);
  if (folder === undefined) throw new StoreRefused(usages[name]);
  if (name === "backup") return backUp(folder, keep);
  if (isCheck) return console.log(`${folder} is complete: ${describe(await checkBackup(folder))}.`);
  const config = readConfig();
  const manifest = await restoreBackup(folder, config);
  console.log(`${folder} is restored into ${config.dataDir}: ${describe(manifest)}. Start the server.`);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options: {
        keep: { type: "string" },
        check: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    const isUnclear = positionals.length > 1 || (keep !== undefined && !(Number.isInteger(keep) && keep > 0));
    if (isUnclear) throw new StoreRefused(usages[name]);
    const [given] = positionals;
    return {
      folder: given && resolve(given),
      keep,
      isCheck: values.check === true,
      isHelp: values.help === true,
    };
  } catch (cause) {
    throw cause instanceof StoreRefused
      ? cause
      : new StoreRefused(`${(cause as Error).message}\n\n${usages[name]}`);
  }
}

async function backUp(to: string, keep: number | undefined): Promise<void> {
  setPriority(holdingPriority);
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const onHeld = () => setPriority(copyingPriority);
  const made = await makeBackup({ config: readConfig(), version, to, keep, onHeld });
  console.log(
    `${made.folder} has ${made.files} files, ${megabytes(made.bytes)}, ${megabytes(made.sharedBytes)} of them shared with the backup before.`,
  );
  if (made.removed.length > 0) console.log(`Removed ${made.removed.join(", ")}.`);
}

function describe({ files, begunAt, version }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${files.length} files, ${megabytes(bytes)}, of ${begunAt}, made by Flamekeep ${version}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
