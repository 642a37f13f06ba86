import { type Kysely, sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";
import { readSqlFiles, type SqlFile, toStatements } from "#store/sql-files.ts";
import * as deliveryTargets from "./migrations/0008-delivery-targets.ts";
import * as audit from "./migrations/0016-audit.ts";
import * as mutes from "./migrations/0028-mutes.ts";

/** Migrations that compute rows, or differ between the two databases. */
const inCode: Readonly<Record<string, Migration>> = {
  "0008-delivery-targets": deliveryTargets,
  "0016-audit": audit,
  "0028-mutes": mutes,
};

/** Forward only, one file per feature. Kysely runs them in the order of their names. Applied files never change. */
export const rowMigrations: MigrationProvider = {
  getMigrations() {
    const files = readSqlFiles(new URL("./migrations/", import.meta.url));
    return Promise.resolve({
      ...Object.fromEntries(files.map((file) => [file.name, inSql(file)])),
      ...inCode,
    });
  },
};

function inSql(file: SqlFile): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of toStatements(file.sql)) await sql.raw(statement).execute(db);
    },
  };
}
