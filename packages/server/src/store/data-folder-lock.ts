import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { openAt, prepareDataFolder } from "./data-folder.ts";
import type { StoreLog } from "./log.ts";
import { storageFaultOf } from "./storage-fault.ts";
import { StoreRefused } from "./unavailable.ts";

const lockFile = "server.lock";
/** A server that stops takes as long to finish its work. */
const waitMsDefault = 30_000;
const againMs = 200;
/** Another process may be reading who has the lock. */
const busyMsMax = 1_000;

/** A database that is collected as garbage would give up its lock. */
const held = new Set<DatabaseSync>();

interface LockOptions {
  readonly waitMs?: number;
  /** Ends the wait. */
  readonly stopped?: AbortSignal;
}

/**
 * Locks the data folder for this process until it ends, or the lock is disposed of. Waits for a server that is stopping. Throws a StoreRefused
 * that names the process that has it. The lock is that of an SQLite file, as the one of backups: the system ends it with the process, and
 * it holds between containers and, where the file system has locks, between machines.
 */
export async function lockDataFolder(
  dataDir: string,
  log: StoreLog,
  { waitMs = waitMsDefault, stopped }: LockOptions = {},
): Promise<Disposable> {
  await prepareDataFolder(dataDir);
  const path = join(dataDir, lockFile);
  const database = await openAt(path, "file", () => new DatabaseSync(path, { timeout: busyMsMax }));
  const untilMs = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    if (await openAt(path, "file", () => tryLock(database))) break;
    const holder = holderIn(database);
    if (performance.now() >= untilMs || stopped?.aborted) {
      database.close();
      throw new StoreRefused(
        `The data folder ${dataDir} is in use by ${holder}. Stop it, or set DATA_DIR to another folder: each server needs its own.`,
      );
    }
    if (isFirst) log.warn({ dataDir, holder }, "waiting for another server that has the data folder");
    await sleep(againMs, undefined, { signal: stopped }).catch(() => undefined);
  }
  held.add(database);
  return {
    [Symbol.dispose]() {
      held.delete(database);
      database.close();
    },
  };
}

/** Others can read who has the lock, because nothing is written while it is held. */
function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN IMMEDIATE");
    database.exec("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT)");
    database.exec("DELETE FROM holder");
    const insertion = database.prepare("INSERT INTO holder VALUES (?, ?, ?)");
    insertion.run(process.pid, hostname(), new Date().toISOString());
    database.exec("COMMIT");
    database.exec("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    if (storageFaultOf(error) !== "busy") throw error;
    return false;
  }
}

/** A new file has no table yet. */
function holderIn(database: DatabaseSync): string {
  try {
    const holder = database.prepare("SELECT pid, host, since FROM holder").get();
    if (holder === undefined) return "another process";
    return `process ${holder["pid"]} on ${holder["host"]} since ${holder["since"]}`;
  } catch {
    return "another process";
  }
}
