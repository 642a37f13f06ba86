import { mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "#config";
import { diskIsFull, ignoreMissing, makeFolder } from "#store/data-folder.ts";
import { restoringFolder } from "#store/hidden-data.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";
import type { BackupSource } from "./backup-target.ts";
import { type Copied, forEachFile, listTree, syncTree } from "./file-trees.ts";
import { lockFolder } from "./folder-lock.ts";
import { type ListedFile, type Manifest, markOfSecret } from "./manifest.ts";

/** In the folder `restoring`: the files. Its lock stays outside. */
const copiedFolder = "files";
/** An empty ext4 disk has it. */
const ofFileSystem = "lost+found";

/** Reads every file of the backup. Throws StoreRefused that names the first one that is missing or differs. */
export async function checkBackup(backup: BackupSource): Promise<Manifest> {
  const manifest = await backup.manifest();
  await forEachFile(manifest.files, (file) => compare(backup, file), backup.atOnce);
  return manifest;
}

/**
 * Copies the backup into the data folder, which must be empty or missing, and checks each file. Throws StoreRefused; then the data folder
 * is empty.
 */
export async function restoreBackup(
  backup: BackupSource,
  config: Pick<Config, "dataDir" | "columns" | "rows" | "authSecret">,
): Promise<Manifest> {
  const manifest = await backup.manifest();
  const { dataDir } = config;
  refuseOtherSettings(manifest, config);
  await refuseFilled(dataDir);
  const unfinished = join(dataDir, restoringFolder);
  await makeFolder(unfinished);
  using _lock = lockFolder(unfinished, "restore");
  const copied = join(unfinished, copiedFolder);
  try {
    // A killed restore has left files.
    await rm(copied, { recursive: true, force: true });
    await mkdir(copied, { mode: 0o700 });
    await copyAll(backup, copied, manifest);
    // A server may have started meanwhile.
    await refuseFilled(dataDir);
    for (const name of await readdir(copied)) await rename(join(copied, name), join(dataDir, name));
    await syncFolder(dataDir);
    return manifest;
  } catch (cause) {
    throw storageFaultOf(cause) === "full" ? new StoreRefused(diskIsFull(dataDir), { cause }) : cause;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function copyAll(backup: BackupSource, to: string, { files, symbolicLinks }: Manifest): Promise<void> {
  const parents = new Set([...files, ...symbolicLinks].map(({ path }) => dirname(path)));
  for (const parent of parents) await mkdir(join(to, parent), { recursive: true, mode: 0o700 });
  await forEachFile(files, (file) => compare(backup, file, join(to, file.path)), backup.atOnce);
  for (const { path, target } of symbolicLinks) await symlink(target, join(to, path));
  await syncTree(to, await listTree(to));
}

async function refuseFilled(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir).catch(ignoreMissing)) ?? [];
  if (names.every((name) => name === ofFileSystem || name === restoringFolder)) return;
  throw new StoreRefused(
    `${dataDir} is not empty: a backup is restored into an empty folder. Move the data away, or set DATA_DIR to another folder.`,
  );
}

/** With other settings, a start would not show the data, or could not decrypt it. */
function refuseOtherSettings(
  { columns, rows, isSecretInSettings, secretMark }: Manifest,
  config: Pick<Config, "columns" | "rows" | "authSecret">,
): void {
  const { authSecret } = config;
  const isOtherSecret = authSecret !== undefined && markOfSecret(authSecret) !== secretMark;
  const faults = [
    ...storeFaults("CLICKHOUSE_URL", columns === "url", config.columns.kind === "url"),
    ...storeFaults("DATABASE_URL", rows === "postgres", config.rows.kind === "postgres"),
    ...(isSecretInSettings && authSecret === undefined
      ? ["AUTH_SECRET was set where the backup was made: set it to the same value"]
      : []),
    ...(isOtherSecret
      ? ["AUTH_SECRET differs from the secret of the backup: set the same one, or none if the backup has it"]
      : []),
  ];
  if (faults.length > 0) throw new StoreRefused(`${faults.join(".\n")}.`);
}

function storeFaults(setting: string, wasSet: boolean, isSet: boolean): string[] {
  if (wasSet === isSet) return [];
  return wasSet
    ? [
        `${setting} was set where the backup was made, and that database is not in it: restore the database, and set ${setting}`,
      ]
    : [`${setting} is set, but the backup is of a server with the built-in store: remove ${setting}`];
}

function compare(backup: BackupSource, file: ListedFile, to?: string): Promise<void> {
  const named = { path: backup.nameOf(file), sha256: file.sha256 };
  return compareFile(`The backup ${backup.place}`, named, backup.read(file, to));
}

/** Throws StoreRefused if the file is missing or not the one that was listed, with `whole` as the subject of the sentence. */
export async function compareFile(
  whole: string,
  file: Pick<ListedFile, "path" | "sha256">,
  reading: Promise<Copied | undefined>,
): Promise<void> {
  const found = await reading;
  if (found?.sha256 === file.sha256) return;
  const fault = found === undefined ? "is missing" : "is not what was written";
  throw new StoreRefused(`${whole} is damaged: ${file.path} ${fault}. Use another one.`);
}
