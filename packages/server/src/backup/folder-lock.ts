import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storageFaultOf } from "#store/storage-fault.ts";
import { StoreRefused } from "#store/unavailable.ts";

const lockFile = "backup.lock";

/**
 * Locks the folder until it is disposed of or the process ends. The lock is that of an SQLite file, which the system keeps: other
 * containers see it too, and a killed process leaves none.
 */
export function lockFolder(folder: string, command: "backup" | "restore" = "backup"): Disposable {
  const database = new DatabaseSync(join(folder, lockFile), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (storageFaultOf(cause) !== "busy") throw cause;
    throw new StoreRefused(`Another ${command} uses ${folder}: wait for its end.`, { cause });
  }
  return { [Symbol.dispose]: () => database.close() };
}
