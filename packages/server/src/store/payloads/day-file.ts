import { statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { profileTypes } from "@flamekeep/contract";
import { makePrivate } from "#store/private-file.ts";
import { faultOf } from "./file-fault.ts";
import type { Payload, StoredPayload } from "./payload-store.ts";

/** A payload is a few of these, read and written whole. */
const pageBytes = 16_384;
const cacheKiB = 4096;
/**
 * All days share one thread, which must not wait for a file that another program has locked: the caller tries again
 * later.
 */
const busyMsMax = 10;
/** Size to which SQLite truncates the write-ahead log after a long read has let it grow. */
const logBytesMax = 32 * 1024 * 1024;
/** About 64 MB: other calls run between the steps of a purge. */
const pagesPerStep = 4096;
/** The journal contains the rows that a transaction removes, and a full disk may have no room for the rows of a whole day. */
export const rowsPerStep = 1000;

const byProfile = "WHERE seconds = ? AND profile_id = ? AND org_id = ?";
const schema = `
  CREATE TABLE IF NOT EXISTS payloads (
    seconds    INTEGER NOT NULL,
    profile_id TEXT NOT NULL,
    org_id     TEXT NOT NULL,
    bytes      BLOB NOT NULL,
    type       TEXT
  );
  CREATE UNIQUE INDEX IF NOT EXISTS by_profile ON payloads (seconds, profile_id, org_id);`;

/**
 * The payloads of one day in one SQLite file. A commit is on disk when it returns: with `synchronous = FULL` the
 * write-ahead log is synced before the commit is over. The log lets other programs read the file, a backup for
 * instance, without delaying a commit (docs/decisions/0013). The index begins with the second in which a profile
 * began, so that new entries are adjacent, at its end.
 */
export class DayFile {
  readonly #path: string;
  readonly #identity: string | undefined;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #remove: StatementSync;
  /** Whether this is the first file of its day: then a payload that is not in it was never stored. */
  readonly #isOnlyFile: boolean;
  /** Files from versions without types do not get the column: copies of them stay valid. */
  readonly #hasTypes: boolean;
  /** False for a file of an earlier version that another program reads: it can only be converted while unused. */
  readonly hasWriteAheadLog: boolean;

  /** `hasPredecessor`: another file of the same day was set aside before. This is noted in the file. */
  constructor(path: string, { hasPredecessor }: { readonly hasPredecessor: boolean }) {
    makePrivate(path);
    this.#path = path;
    this.#database = new DatabaseSync(path, { timeout: busyMsMax });
    try {
      // Each of these statements writes to an existing file, which may be locked or read-only.
      if (this.#isEmpty()) {
        this.#database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL`);
      }
      this.#database.exec(
        `PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -${cacheKiB}`,
      );
      this.hasWriteAheadLog = this.#startLog();
      this.#isOnlyFile =
        this.#database.prepare("PRAGMA user_version").get()?.user_version === 0 && !hasPredecessor;
      if (hasPredecessor) this.#database.exec("PRAGMA user_version = 1");
      this.#database.exec(schema);
      const names = this.#database.prepare("PRAGMA table_info(payloads)").all();
      this.#hasTypes = names.some(({ name }) => name === "type");
      const [column, place] = this.#hasTypes ? [", type", ", ?"] : ["", ""];
      this.#insert = this.#database.prepare(
        `INSERT OR IGNORE INTO payloads (seconds, profile_id, org_id, bytes${column}) VALUES (?, ?, ?, ?${place})`,
      );
      this.#find = this.#database.prepare(`SELECT bytes${column} FROM payloads ${byProfile}`);
      this.#remove = this.#database.prepare(`DELETE FROM payloads ${byProfile}`);
      this.#identity = identityOf(path);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Whether its path still names this very file. */
  isInPlace(): boolean {
    return this.#identity !== undefined && identityOf(this.#path) === this.#identity;
  }

  /** Throws if nothing can be written. */
  probe(): void {
    this.#transaction(() => undefined);
  }

  /** Stores all or none; returns for each whether it may have existed before. */
  put(payloads: readonly Payload[]): boolean[] {
    return this.#transaction(() =>
      payloads.map(({ orgId, profileId, type, bytes }) => {
        const more = this.#hasTypes ? [type] : [];
        const { changes } = this.#insert.run(secondsOf(profileId), profileId, orgId, bytes, ...more);
        return changes === 0 || !this.#isOnlyFile;
      }),
    );
  }

  read(orgId: string, profileId: string): StoredPayload | undefined {
    return toStored(this.#find.get(secondsOf(profileId), profileId, orgId));
  }

  /** At most `rowsPerStep`. */
  remove(orgId: string, profileIds: readonly string[]): void {
    this.#transaction(() => {
      for (const profileId of profileIds) this.#remove.run(secondsOf(profileId), profileId, orgId);
    });
    this.#emptyLog();
  }

  /** Removes some payloads of an organization; returns whether there may be more. */
  removeSomeOf(orgId: string): boolean {
    const some = "SELECT rowid FROM payloads WHERE org_id = ? LIMIT ?";
    const remove = this.#database.prepare(`DELETE FROM payloads WHERE rowid IN (${some})`);
    const { changes } = remove.run(orgId, rowsPerStep);
    this.#emptyLog();
    return Number(changes) === rowsPerStep;
  }

  /** Returns some free pages to the file system; returns whether there are more. */
  shrink(): boolean {
    const before = this.#freePages();
    this.#database.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`);
    const after = this.#freePages();
    this.#emptyLog();
    // Otherwise a file that cannot shrink would be tried without end.
    return after > 0 && after < before;
  }

  close(): void {
    this.#database.close();
  }

  #isEmpty(): boolean {
    return this.#database.prepare("PRAGMA page_count").get()?.page_count === 0;
  }

  #startLog(): boolean {
    this.#database.exec(`PRAGMA journal_size_limit = ${logBytesMax}`);
    try {
      const mode = this.#database.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
      if (mode === "wal") return true;
    } catch (error) {
      if (!staysReadable(error)) throw error;
    }
    this.#database.exec("PRAGMA journal_mode = TRUNCATE");
    return false;
  }

  /**
   * Copies the log into the file, so that neither contains removed bytes. That is impossible while another program reads
   * an earlier state: then a later commit does it.
   */
  #emptyLog(): void {
    this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  }

  #freePages(): number {
    return Number(this.#database.prepare("PRAGMA freelist_count").get()?.freelist_count ?? 0);
  }

  #transaction<T>(operation: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = operation();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}

/**
 * Reads a file without a log, and does not create the log's index, for which a full disk has no room. Must not be used
 * while the file is written.
 */
export function readWithoutLog(path: string, orgId: string, profileId: string): StoredPayload | undefined {
  const url = pathToFileURL(path);
  // https://www.sqlite.org/uri.html
  url.searchParams.set("immutable", "1");
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    return toStored(
      database.prepare(`SELECT * FROM payloads ${byProfile}`).get(secondsOf(profileId), profileId, orgId),
    );
  } finally {
    database.close();
  }
}

/** Device and inode; undefined if nothing is there. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function toStored(row: Record<string, unknown> | undefined): StoredPayload | undefined {
  if (row === undefined) return undefined;
  return { bytes: row.bytes as Uint8Array, type: profileTypes.find((type) => type === row.type) };
}

/** A file that is locked or read-only cannot be converted, but can be read. */
function staysReadable(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === "busy" || fault === "unwritable";
}

/** The last eight digits of a valid id. */
function secondsOf(profileId: string): number {
  return Number.parseInt(profileId.slice(-8), 16);
}
