import { toStatements } from "#store/sql-files.ts";

/** Statements of all three databases after which a program that does not know them reads and writes as before. */
const additions: readonly RegExp[] = [
  /^CREATE TABLE /,
  /^CREATE MATERIALIZED VIEW /,
  /^CREATE INDEX /,
  // In ClickHouse every column has a default.
  /^ALTER TABLE \w+ \{on_cluster\} (?:ADD (?:COLUMN|INDEX|PROJECTION) IF NOT EXISTS|MODIFY SETTING) /,
];

const columnAdded = /^ALTER TABLE \w+ ADD COLUMN [^,]+$/;

/** Whether rows that lack the column can be inserted. */
function addsOptionalColumn(text: string): boolean {
  return columnAdded.test(text) && (!text.includes("NOT NULL") || / DEFAULT /.test(text));
}

/** Changes of tables and indexes that the same migration has made, which no other program uses yet. */
const onNewTables: readonly RegExp[] = [
  /^INSERT INTO (?<table>\w+) /,
  /^CREATE UNIQUE INDEX \w+ ON (?<table>\w+)\b/,
  /^TRUNCATE TABLE (?<table>\w+)\b/,
  /^DROP VIEW IF EXISTS (?<table>\w+)\b/,
];

const made = /^CREATE (?:TABLE|MATERIALIZED VIEW) (?:IF NOT EXISTS )?(?<name>\w+)/;

/**
 * Statements of a migration that can break a server of the version before, which continues to work while servers are upgraded one by one:
 * whatever removes, renames or rewrites what it uses, and whatever refuses the rows that it writes. All that is not known to be harmless
 * is one.
 */
export function breakingStatements(sql: string): string[] {
  const statements = toStatements(sql).map((text) =>
    text
      .replace(/--.*$/gm, "")
      .replace(/'[^']*'/g, "''")
      .replace(/\s+/g, " ")
      .trim(),
  );
  const names = new Set(statements.flatMap((text) => made.exec(text)?.groups?.["name"] ?? []));
  const isHarmless = (text: string) =>
    addsOptionalColumn(text) ||
    additions.some((pattern) => pattern.test(text)) ||
    onNewTables.some((pattern) => names.has(pattern.exec(text)?.groups?.["table"] ?? ""));
  return statements.filter((text) => !isHarmless(text));
}
