/** The thread of the row store's SQLite: the sync of a commit, and any other wait for the disk, holds up no request. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { LruCache } from "#store/lru.ts";
import { makePrivate } from "#store/private-file.ts";
import type { BatchedStatement } from "./statement-batch.ts";

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Opened if this thread has not. Undefined in a transaction, which this thread must have begun. */
  readonly file: string | undefined;
}

export interface Batch {
  readonly statements: readonly BatchedStatement[];
  readonly file: string;
}

export interface Executed {
  readonly rows: unknown[];
  /** Undefined for a statement that returns rows. */
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}

/** An error loses its codes at the thread boundary, and storage-fault.ts needs them. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly codes: object };

const lostTransactionText = "no transaction is active: the thread that began it has ended";

let database: DatabaseSync | undefined;
/** Statements of `database`, weighted by the length of their text. SQLite itself prepares one again when the schema has changed. */
let prepared = noStatements();

export function open(file: string): Attempt<void> {
  return attempt(() => {
    database = openDatabase(file);
  });
}

export function execute({ sql, parameters, file }: Statement): Attempt<Executed> {
  return attempt(() => run(openedDatabase(file), { sql, parameters }));
}

/** Runs the statements in one transaction. Returns the place of the first one that had to change a row and did not; then nothing is changed. */
export function executeBatch({ statements, file }: Batch): Attempt<number | undefined> {
  return attempt(() => {
    const opened = openedDatabase(file);
    run(opened, { sql: "begin immediate", parameters: [] });
    try {
      const unchanged = statements.findIndex((statement) => {
        const { changes } = run(opened, statement);
        return statement.mustChange && !changes;
      });
      if (unchanged === -1) run(opened, { sql: "commit", parameters: [] });
      return unchanged === -1 ? undefined : unchanged;
    } finally {
      // After an error SQLite may have rolled back by itself.
      if (opened.isTransaction) run(opened, { sql: "rollback", parameters: [] });
    }
  });
}

function run(opened: DatabaseSync, { sql, parameters }: Pick<Statement, "sql" | "parameters">): Executed {
  const statement = prepare(opened, sql);
  const values = parameters as readonly SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...values) };
  return { rows: [], ...statement.run(...values) };
}

function prepare(opened: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const statement = opened.prepare(sql);
  prepared.set(sql, statement, sql.length);
  return statement;
}

function noStatements(): LruCache<StatementSync> {
  return new LruCache(256 * 1024);
}

export function close(): void {
  database?.close();
  prepared = noStatements();
  database = undefined;
}

function openedDatabase(file: string | undefined): DatabaseSync {
  if (database === undefined && file !== undefined) database = openDatabase(file);
  if (database === undefined) throw new Error(lostTransactionText);
  return database;
}

/** Does not wait for locks: the driver does, and runs other statements meanwhile. */
function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  makePrivate(file);
  const opened = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 });
  try {
    opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function attempt<T>(operation: () => T): Attempt<T> {
  try {
    return { ok: true, value: operation() };
  } catch (error) {
    const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
    return { ok: false, message: (error as Error).message, codes: { code, errcode } };
  }
}
