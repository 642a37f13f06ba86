/** The thread of the row store's SQLite: the sync of a commit, and any other wait for the disk, holds up no request. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { LruCache } from "#store/lru.ts";
import { makePrivate } from "#store/private-file.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import type { BatchedStatement } from "./statement-batch.ts";

export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface Statement extends Query {
  /** Opened if this thread has not. Undefined in a transaction, which this thread must have begun. */
  readonly file: string | undefined;
}

/** Statements that are stored together or not at all. */
export type Batch = readonly BatchedStatement[];

export interface Group {
  readonly batches: readonly Batch[];
  readonly file: string;
}

export interface Reads {
  readonly queries: readonly Query[];
  readonly file: string;
}

export interface ExecutedBatch {
  /** Index of the first statement that had to change a row and did not: the batch was undone. */
  readonly unchangedAt?: number;
  /** The result of the last statement; absent if the batch was undone or is empty. */
  readonly last?: Executed;
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

/** Each succeeds or fails alone. */
export function executeReads({ queries, file }: Reads): Attempt<Attempt<Executed>[]> {
  return attempt(() => {
    const opened = openedDatabase(file);
    return queries.map((query) => attempt(() => run(opened, query)));
  });
}

/**
 * Commits the batches with one sync. Each succeeds or fails alone, as if it had a separate transaction. All fail if the transaction
 * cannot begin, because the database is locked, or cannot be committed. On a full disk each gets a separate transaction.
 */
export function executeGroup({ batches, file }: Group): Attempt<Attempt<ExecutedBatch>[]> {
  return attempt(() => {
    const opened = openedDatabase(file);
    const results = batches.length > 1 ? executeTogether(opened, batches) : undefined;
    return results ?? batches.map((batch) => attempt(() => executeAlone(opened, batch)));
  });
}

/** Undefined if SQLite undid all batches, as on a full disk: each may still succeed alone. */
function executeTogether(
  opened: DatabaseSync,
  batches: readonly Batch[],
): Attempt<ExecutedBatch>[] | undefined {
  const results: Attempt<ExecutedBatch>[] = [];
  run(opened, { sql: "begin immediate", parameters: [] });
  try {
    for (const batch of batches) {
      results.push(attempt(() => executeInSavepoint(opened, batch)));
      // After some errors of the disk, SQLite rolls back the whole transaction.
      if (!opened.isTransaction) return undefined;
    }
    run(opened, { sql: "commit", parameters: [] });
    return results;
  } catch (error) {
    if (storageFaultOf(error) === "full") return undefined;
    throw error;
  } finally {
    rollBack(opened);
  }
}

function executeInSavepoint(opened: DatabaseSync, batch: Batch): ExecutedBatch {
  // SQLite undoes a failed statement: one needs no savepoint.
  if (batch.length === 1) return executeEach(opened, batch);
  run(opened, { sql: "savepoint batch", parameters: [] });
  let isDone = false;
  try {
    const executed = executeEach(opened, batch);
    isDone = executed.unchangedAt === undefined;
    return executed;
  } finally {
    if (!isDone) undoBatch(opened);
    if (opened.isTransaction) run(opened, { sql: "release batch", parameters: [] });
  }
}

/** Undoes the whole group if the batch alone cannot be undone: its changes must not be committed with the others. */
function undoBatch(opened: DatabaseSync): void {
  if (!opened.isTransaction) return;
  try {
    run(opened, { sql: "rollback to batch", parameters: [] });
  } catch (error) {
    rollBack(opened);
    throw error;
  }
}

function executeAlone(opened: DatabaseSync, batch: Batch): ExecutedBatch {
  if (batch.length === 1) return executeEach(opened, batch);
  run(opened, { sql: "begin immediate", parameters: [] });
  try {
    const executed = executeEach(opened, batch);
    if (executed.unchangedAt === undefined) run(opened, { sql: "commit", parameters: [] });
    return executed;
  } finally {
    rollBack(opened);
  }
}

function executeEach(opened: DatabaseSync, batch: Batch): ExecutedBatch {
  let last: Executed | undefined;
  for (const [at, statement] of batch.entries()) {
    last = run(opened, statement);
    if (statement.mustChange && !last.changes) return { unchangedAt: at };
  }
  return last === undefined ? {} : { last };
}

function rollBack(opened: DatabaseSync): void {
  // SQLite has rolled back already after some errors.
  if (opened.isTransaction) run(opened, { sql: "rollback", parameters: [] });
}

function run(opened: DatabaseSync, { sql, parameters }: Query): Executed {
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
