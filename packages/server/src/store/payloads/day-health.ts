import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

export const suffix = ".sqlite";
/** Followed by the time, so that one file does not take the place of another. */
export const asideSuffix = ".damaged-";
/** https://www.sqlite.org/fileformat.html */
const header = "SQLite format 3\0";

/** Names of damaged files that were set aside, by whichever process. */
export function listSetAside(folder: string): string[] {
  const pattern = /\.sqlite\.damaged-\d+$/;
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

/**
 * Throws if a closed file can certainly not be used. Not for a file that SQLite has open in this process: closing
 * another descriptor of it would end SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
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
