import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

/** Kysely's SQLite dialect over Node's own SQLite: acknowledged means on disk (WAL, synchronous=FULL). */
export function sqliteDialect(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  return new SqliteDialect({ database: toKyselyDatabase(database) });
}

function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (sql): SqliteStatement => {
      const statement = database.prepare(sql);
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}
