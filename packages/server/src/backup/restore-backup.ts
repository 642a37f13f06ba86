import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "#config";
import { diskIsFull } from "#store/data-folder.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { copyFile, forEachFile, ignoreMissing, readAll } from "./file-trees.ts";
import { type BackedUpFile, type Manifest, readManifest } from "./manifest.ts";

/** Reads every file of the backup. Throws StoreRefused that names the first one that is missing or differs. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await forEachFile(manifest.files, (file) => checked(folder, file, () => readAll(join(folder, file.path))));
  return manifest;
}

/**
 * Copies the backup into the data folder, which must be empty or missing, and checks each file. Throws StoreRefused; then the data folder
 * is as before.
 */
export async function restoreBackup(
  folder: string,
  config: Pick<Config, "dataDir" | "columns" | "rows" | "authSecret">,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { dataDir } = config;
  refuseOtherStores(manifest, config);
  if (((await readdir(dataDir).catch(ignoreMissing)) ?? []).length > 0)
    throw new StoreRefused(
      `${dataDir} is not empty: a backup is restored into an empty folder. Move the data away, or set DATA_DIR to another folder.`,
    );
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await forEachFile(manifest.files, (file) =>
      checked(folder, file, () => copyFile(join(folder, file.path), join(dataDir, file.path))),
    );
    for (const { path, target } of manifest.links) {
      await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
      await symlink(target, join(dataDir, path));
    }
    await syncFolder(dataDir);
    return manifest;
  } catch (cause) {
    for (const name of (await readdir(dataDir).catch(ignoreMissing)) ?? [])
      await rm(join(dataDir, name), { recursive: true, force: true });
    throw storageFaultOf(cause) === "full" ? new StoreRefused(diskIsFull(dataDir), { cause }) : cause;
  }
}

/** A start with other stores would not show the data. */
function refuseOtherStores(
  manifest: Manifest,
  config: Pick<Config, "columns" | "rows" | "authSecret">,
): void {
  const faults = [
    ...unlike("CLICKHOUSE_URL", manifest.columns === "url", config.columns.kind === "url"),
    ...unlike("DATABASE_URL", manifest.rows === "postgres", config.rows.kind === "postgres"),
    ...(manifest.isSecretInSettings && config.authSecret === undefined
      ? ["AUTH_SECRET was set where the backup was made: set it to the same value"]
      : []),
  ];
  if (faults.length > 0) throw new StoreRefused(`${faults.join(".\n")}.`);
}

function unlike(setting: string, wasSet: boolean, isSet: boolean): string[] {
  if (wasSet === isSet) return [];
  return wasSet
    ? [
        `${setting} was set where the backup was made, and that database is not in it: restore the database, and set ${setting}`,
      ]
    : [`${setting} is set, but the backup is of a server with the built-in store: remove ${setting}`];
}

async function checked(
  folder: string,
  file: BackedUpFile,
  read: () => ReturnType<typeof readAll>,
): Promise<void> {
  const found = await read().catch(ignoreMissing);
  if (found?.sha256 === file.sha256) return;
  const fault = found === undefined ? "is missing" : "is not what was backed up";
  throw new StoreRefused(`The backup ${folder} is damaged: ${file.path} ${fault}. Use another backup.`);
}
