import { DatabaseSync, type StatementSync } from "node:sqlite";
import { profileTypes } from "@flamekeep/profile";
import { makePrivate } from "#store/private-file.ts";
import type { Payload, StoredPayload } from "./payload-store.ts";

/** A payload is a few of these, read and written whole. */
const pageBytes = 16_384;
const cacheKiB = 4096;
/** Somebody may be copying the file. */
const busyMsMax = 5000;
/** About 64 MB: a purge lets others in between. */
const pagesPerStep = 4096;
/** The journal holds what a transaction removes, and a disk may have no room left for a whole day of it. */
export const rowsPerStep = 1000;

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
 * journal is synced before the file is written, and its end before the commit is over. A journal instead of a
 * write-ahead log, because new pages then are written once. The index begins with the second a profile began, so
 * that new entries stand together at its end.
 */
export class DayFile {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #remove: StatementSync;
  /** Of its day no file was ever set aside: what is not here was never stored. */
  readonly #isWhole: boolean;
  /** Files that were begun before types were stored stay without: whoever copies them finds them as they were. */
  readonly #hasTypes: boolean;

  /** `followsAnother`: a file of the same day was set aside. It is noted in the file. */
  constructor(path: string, { followsAnother }: { readonly followsAnother: boolean }) {
    makePrivate(path);
    this.#database = new DatabaseSync(path, { timeout: busyMsMax });
    try {
      this.#database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
        PRAGMA cache_size = -${cacheKiB};`);
      this.#isWhole =
        this.#database.prepare("PRAGMA user_version").get()?.user_version === 0 && !followsAnother;
      if (followsAnother) this.#database.exec("PRAGMA user_version = 1");
      this.#database.exec(schema);
      const names = this.#database.prepare("PRAGMA table_info(payloads)").all();
      this.#hasTypes = names.some(({ name }) => name === "type");
      const [column, place] = this.#hasTypes ? [", type", ", ?"] : ["", ""];
      this.#insert = this.#database.prepare(
        `INSERT OR IGNORE INTO payloads (seconds, profile_id, org_id, bytes${column}) VALUES (?, ?, ?, ?${place})`,
      );
      const where = "WHERE seconds = ? AND profile_id = ? AND org_id = ?";
      this.#find = this.#database.prepare(`SELECT bytes${column} FROM payloads ${where}`);
      this.#remove = this.#database.prepare(`DELETE FROM payloads ${where}`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** All or none; tells for each whether it may have been there before. */
  put(payloads: readonly Payload[]): boolean[] {
    return this.#transaction(() =>
      payloads.map(({ orgId, profileId, type, bytes }) => {
        const more = this.#hasTypes ? [type] : [];
        const { changes } = this.#insert.run(secondsOf(profileId), profileId, orgId, bytes, ...more);
        return changes === 0 || !this.#isWhole;
      }),
    );
  }

  read(orgId: string, profileId: string): StoredPayload | undefined {
    const row = this.#find.get(secondsOf(profileId), profileId, orgId);
    if (row === undefined) return undefined;
    return { bytes: row.bytes as Uint8Array, type: profileTypes.find((type) => type === row.type) };
  }

  /** At most `rowsPerStep`. */
  remove(orgId: string, profileIds: readonly string[]): void {
    this.#transaction(() => {
      for (const profileId of profileIds) this.#remove.run(secondsOf(profileId), profileId, orgId);
    });
  }

  /** Removes some of an organization's; tells whether there may be more. */
  removeSomeOf(orgId: string): boolean {
    const some = "SELECT rowid FROM payloads WHERE org_id = ? LIMIT ?";
    const remove = this.#database.prepare(`DELETE FROM payloads WHERE rowid IN (${some})`);
    return Number(remove.run(orgId, rowsPerStep).changes) === rowsPerStep;
  }

  /** Gives some free pages back to the file system; tells whether there are more. */
  shrink(): boolean {
    const before = this.#freePages();
    this.#database.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`);
    const after = this.#freePages();
    // A file that gives nothing back would be asked for ever.
    return after > 0 && after < before;
  }

  close(): void {
    this.#database.close();
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

/** Of an id that was checked: its last eight digits. */
function secondsOf(profileId: string): number {
  return Number.parseInt(profileId.slice(-8), 16);
}
