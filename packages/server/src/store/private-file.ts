import { chmodSync, closeSync, openSync } from "node:fs";

/**
 * Creates the file if it is missing, and lets only its owner read it: SQLite gives its journals the same permissions. Do
 * not call it while SQLite has the file open: closing another descriptor of the file releases SQLite's locks.
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
    // Another user's file, or a file system without permissions: the operator's set-up decides who reads it.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}
