import { chmodSync, closeSync, openSync } from "node:fs";

/**
 * Makes the file where there is none, and lets nobody but its owner read it: SQLite gives its journals the same
 * permissions. Not while SQLite has it open, which loses its locks when another descriptor of the file is closed.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    restrict(path);
  }
}

function restrict(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    // Another user's file, or a file system without permissions: whoever arranged that decides who reads it.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}
