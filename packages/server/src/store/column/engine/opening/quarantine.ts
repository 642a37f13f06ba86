import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StoreLog } from "#store/log.ts";

const prefix = "quarantine-";

/** Names of folders with a store that was moved aside, by this or an earlier process. */
export async function listQuarantined(dataDir: string): Promise<string[]> {
  const folders = await listQuarantineFolders(dataDir);
  const holding = await Promise.all(folders.map((folder) => holdsStore(join(dataDir, folder))));
  return folders.filter((_, index) => holding[index]);
}

/** Names of folders with the prefix of such stores, whatever their content. */
export async function listQuarantineFolders(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(({ name }) => name)
    .sort();
}

/** The engine keeps its tables in a folder of this name. */
async function holdsStore(path: string): Promise<boolean> {
  const entries = await readdir(join(path, "store")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  return entries.length > 0;
}

/**
 * Moves the store aside, whole, and makes an empty folder in its place. Returns the name of the new folder.
 */
export function moveToQuarantine(path: string, dataDir: string): string {
  const taken = readdirSync(dataDir).filter((name) => /^quarantine-\d+$/.test(name));
  const number = Math.max(0, ...taken.map((name) => Number(name.slice(prefix.length)))) + 1;
  const name = `${prefix}${number}`;
  renameSync(path, join(dataDir, name));
  mkdirSync(path);
  return name;
}

export async function warnOfQuarantined(dataDir: string, log: StoreLog): Promise<void> {
  const folders = await listQuarantined(dataDir);
  if (folders.length === 0) return;
  log.error(
    { dataDir, folders },
    "PROFILES ARE MISSING: a column store that did not open was moved aside earlier, and its profiles are missing from all results. Stop the server and run `npm run restore-quarantine` with the server's settings (DATA_DIR), or remove the folder.",
  );
}
