// `npm run backup` and `npm run restore`: copy the data folder of a server, which may run, and put the copy into an empty one.
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "#config";
import { segmentsElsewhere, uploadsFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import { makeBackup } from "./backup/make-backup.ts";
import type { Manifest } from "./backup/manifest.ts";
import { openBackup, openTarget } from "./backup/open-backups.ts";
import { checkBackup, restoreBackup } from "./backup/restore-backup.ts";
import { ConfigError } from "./context/environment.ts";

/** The server's requests come first. The files must be held in time; copying them takes only what the server leaves. */
const holdingPriority = 10;
const copyingPriority = 19;

const usages = {
  backup: `Usage: npm run backup -- FOLDER [--keep N]
       npm run backup -- s3://BUCKET/PREFIX [--keep N]

Copies the data folder into a new folder FOLDER/TIME, or into object storage, while the server runs. Files that the backup before
has too take no further space, and are not sent again. --keep removes all but the latest N backups. The command needs the server's
settings: set DATA_DIR to the server's data folder. Databases of CLICKHOUSE_URL and DATABASE_URL are not in it.`,
  restore: `Usage: npm run restore -- FOLDER[/TIME]
       npm run restore -- s3://BUCKET/PREFIX[/TIME]
       npm run restore -- --check FOLDER[/TIME]
       npm run restore -- --list FOLDER

Checks a backup, by default the latest, and copies it into DATA_DIR, which must be empty or missing. Start the server then. --check
only checks; --list names the backups that there are.`,
};

process.umask(0o077);
const name = process.argv[2] === "restore" ? "restore" : "backup";
try {
  await run();
} catch (error) {
  const isExpected = [StoreRefused, StoreUnavailable, ConfigError].some((kind) => error instanceof kind);
  console.error(isExpected ? (error as Error).message : `The ${name} failed: ${(error as Error).stack}`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { place, keep, isCheck, isList, isHelp } = readArguments();
  if (isHelp) return console.log(usages[name]);
  if (place === undefined) throw new StoreRefused(usages[name]);
  const config = readConfig();
  if (name === "backup") return backUp(place, keep, config);
  if (isList) return list(place, config);
  using backup = await openBackup(place, config.objectStorage);
  if (isCheck) return console.log(`${backup.place} is complete: ${describe(await checkBackup(backup))}.`);
  const manifest = await restoreBackup(backup, config);
  console.log(`${backup.place} is restored into ${config.dataDir}: ${describe(manifest)}. Start the server.`);
}

async function list(place: string, config: Config): Promise<void> {
  using target = await openTarget(place, config.objectStorage);
  const names = await target.names();
  if (names.length === 0) console.log(`${target.place} has no backup.`);
  for (const each of names) {
    const backup = target.source(each);
    console.log(`${backup.place}: ${describe(await backup.manifest())}`);
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options: {
        keep: { type: "string" },
        check: { type: "boolean" },
        list: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    const isUnclear = positionals.length > 1 || (keep !== undefined && !(Number.isInteger(keep) && keep > 0));
    if (isUnclear) throw new StoreRefused(usages[name]);
    return {
      place: positionals[0],
      keep,
      isCheck: values.check === true,
      isList: values.list === true,
      isHelp: values.help === true,
    };
  } catch (cause) {
    throw cause instanceof StoreRefused
      ? cause
      : new StoreRefused(`${(cause as Error).message}\n\n${usages[name]}`);
  }
}

async function backUp(place: string, keep: number | undefined, config: Config): Promise<void> {
  setPriority(holdingPriority);
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const onHeld = () => setPriority(copyingPriority);
  using to = await openTarget(place, config.objectStorage);
  const made = await makeBackup({ config, version, to, keep, onHeld });
  console.log(
    `${made.place} has ${made.files} files, ${megabytes(made.bytes)}, ${megabytes(made.sharedBytes)} of them shared with the backup before.`,
  );
  if (made.removed.length > 0) console.log(`Removed ${made.removed.join(", ")}.`);
  await noteOriginals(config);
}

async function noteOriginals({ dataDir, originals }: Config): Promise<void> {
  let files = 0;
  let bytes = 0;
  for await (const summary of segmentsElsewhere(join(dataDir, uploadsFolder))) {
    files++;
    bytes += summary.bytes;
  }
  if (files === 0) return;
  console.log(
    `${files} files of original bytes, ${megabytes(bytes)}, are in object storage and not in the backup: keep ${originals?.url ?? "the address of ORIGINALS_URL"}. A restored server reads them there.`,
  );
}

function describe({ files, begunAt, version }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${files.length} files, ${megabytes(bytes)}, of ${begunAt}, made by Flamekeep ${version}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
