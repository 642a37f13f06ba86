import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StoreLog } from "#store/log.ts";

const prefix = "quarantine-";

/** Names of folders that hold a store which was moved aside, whichever process moved it. */
export async function listQuarantined(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(({ name }) => name)
    .sort();
}

/** The journal of open hours (open-hours.ts): it says which hours of the store must be counted again. */
const journalName = "columns-open";

/**
 * Moves the store aside, whole and with its journal, and makes an empty folder in its place. Returns the name of the
 * new folder.
 */
export function moveToQuarantine(path: string, dataDir: string): string {
  const taken = readdirSync(dataDir).filter((name) => /^quarantine-\d+$/.test(name));
  const number = Math.max(0, ...taken.map((name) => Number(name.slice(prefix.length)))) + 1;
  const name = `${prefix}${number}`;
  renameSync(path, join(dataDir, name));
  const journal = join(dataDir, journalName);
  if (existsSync(journal)) renameSync(journal, join(dataDir, name, journalName));
  mkdirSync(path);
  return name;
}

export async function warnOfQuarantined(dataDir: string, log: StoreLog): Promise<void> {
  const folders = await listQuarantined(dataDir);
  if (folders.length === 0) return;
  log.error(
    { dataDir, folders },
    "PROFILES ARE MISSING: a column store that did not open was moved aside earlier, and its profiles are missing from all results. Stop the server and run `npm run restore-quarantine`, or remove the folder.",
  );
}
