import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

export const suffix = ".sqlite";
/** Followed by the time, so that names differ. */
export const asideSuffix = ".damaged-";
/** https://www.sqlite.org/fileformat.html */
const header = "SQLite format 3\0";

/** Names of damaged files that this or an earlier process set aside. */
export function listSetAside(folder: string): string[] {
  const pattern = /\.sqlite\.damaged-\d+$/;
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

/**
 * Throws if a closed file certainly cannot be used. Do not call it for a file that SQLite has open in this process:
 * closing another descriptor of it releases SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export function checkClosedFile(folder: string, day: string): void {
  const path = join(folder, `${day}${suffix}`);
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error("it is not a regular file");
  accessSync(path, constants.R_OK | constants.W_OK);
  if (stats.size === 0) return;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(header.length);
    readSync(file, start, 0, header.length, 0);
    if (start.toString("latin1") !== header) throw new Error("it is not an SQLite file");
  } finally {
    closeSync(file);
  }
}
