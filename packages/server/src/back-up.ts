// `npm run backup` and `npm run restore`: copy the data folder of a server, which may run, and put the copy into an empty one.
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "#config";
import { segmentsElsewhere, uploadsFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { makeBackup } from "./backup/make-backup.ts";
import type { Manifest } from "./backup/manifest.ts";
import { openBackup, openTarget } from "./backup/open-backups.ts";
import { checkBackup, restoreBackup } from "./backup/restore-backup.ts";
import { runCommand } from "./operator-command.ts";

/** The server's requests come first. The files must be held in time; copying them takes only what the server leaves. */
const holdingPriority = 10;
const copyingPriority = 19;

const usage = `Usage: npm run backup -- FOLDER [--keep N]
       npm run backup -- s3://BUCKET/PREFIX [--keep N]

Copies the data folder into a new folder FOLDER/TIME, or into object storage, while the server runs. Files that the backup before
has too take no further space, and are not sent again. --keep removes all but the latest N backups. The command needs the server's
settings: set DATA_DIR to the server's data folder. Databases of CLICKHOUSE_URL and DATABASE_URL are not in it.`;

await runCommand({
  backup: {
    usage,
    count: [1, 1],
    options: { keep: { type: "string" } },
    run: ([place = ""], { keep }) =>
      backUp(place, keep === undefined ? undefined : countOf(keep), readConfig()),
  },
  restore: {
    usage: `Usage: npm run restore -- FOLDER[/TIME]
       npm run restore -- s3://BUCKET/PREFIX[/TIME]
       npm run restore -- --check FOLDER[/TIME]
       npm run restore -- --list FOLDER

Checks a backup, by default the latest, and copies it into DATA_DIR, which must be empty or missing. Start the server then. --check
only checks; --list names the backups that there are. Both take s3:// too.`,
    count: [1, 1],
    options: { check: { type: "boolean" }, list: { type: "boolean" } },
    async run([place = ""], { check: isCheck, list: isList }) {
      const config = readConfig();
      if (isList) return list(place, config);
      using backup = await openBackup(place, config.objectStorage);
      if (isCheck) return console.log(`${backup.place} is complete: ${describe(await checkBackup(backup))}.`);
      const manifest = await restoreBackup(backup, config);
      console.log(
        `${backup.place} is restored into ${config.dataDir}: ${describe(manifest)}. Start the server.`,
      );
    },
  },
});

function countOf(text: unknown): number {
  const count = Number(text);
  if (!(Number.isInteger(count) && count > 0)) throw new StoreRefused(usage);
  return count;
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
