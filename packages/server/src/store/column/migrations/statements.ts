import { readSqlFiles, type SqlFile, toStatements } from "#store/sql-files.ts";

/** The migrations of the column store, in their order. */
export function columnMigrations(): SqlFile[] {
  return readSqlFiles(new URL("./", import.meta.url));
}

/** The statements of a migration for one server, or as all servers of a cluster run them, with tables that they replicate. */
export function statementsOf({ sql }: Pick<SqlFile, "sql">, cluster: string | undefined): string[] {
  return toStatements(sql).map((statement) => fill(statement, cluster));
}

/** The table that lists the migrations that were run. */
export function listingTable(cluster: string | undefined): string {
  return fill(
    `CREATE TABLE IF NOT EXISTS schema_migrations {on_cluster}
(number UInt32, name String, checksum String, applied_at DateTime DEFAULT now())
ENGINE = {engine}MergeTree ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60`,
    cluster,
  );
}

function fill(sql: string, cluster: string | undefined): string {
  return sql
    .replaceAll("{on_cluster}", cluster ? `ON CLUSTER \`${cluster.replaceAll("`", "")}\`` : "")
    .replaceAll("{engine}", cluster ? "Replicated" : "");
}
