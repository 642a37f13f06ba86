import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { columnMigrations, listingTable, statementsOf } from "./statements.ts";

/** A statement of a migration, as a server with this cluster sends it. */
export interface PlannedStatement {
  readonly migration: string;
  readonly sql: string;
}

export function toPlan(cluster: string): PlannedStatement[] {
  if (!/^[A-Za-z_]\w*$/.test(cluster)) throw new StoreRefused(`${cluster} is not the name of a cluster.`);
  return [
    { migration: "schema_migrations", sql: listingTable(cluster) },
    ...columnMigrations().flatMap((migration) =>
      statementsOf(migration, cluster).map((sql) => ({ migration: migration.name, sql: sql.trim() })),
    ),
  ];
}

const formatted = maintenanceQuery({
  name: "plan.formatted",
  sql: "SELECT formatQuerySingleLine({sql:String}) AS sql, version() AS version",
  params: z.object({ sql: z.string() }),
  row: z.object({ sql: z.string(), version: z.string() }),
});

const storedTables = maintenanceQuery({
  name: "plan.tables",
  sql: `SELECT name FROM system.tables
        WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
  params: z.object({}),
  row: z.object({ name: z.string() }),
});

/**
 * Checks each statement: its syntax, that it runs on the whole cluster where it defines something, and that a table is replicated.
 *
 * @param columns an up-to-date store on one server: the plan must make each of its tables
 */
export async function checkPlan(
  { maintenance }: Pick<ColumnStore, "maintenance">,
  cluster: string,
  plan: readonly PlannedStatement[],
): Promise<{ readonly problems: readonly string[]; readonly summary: string }> {
  const problems: string[] = [];
  const replicated = new Set<string>();
  let engine = "";
  for (const { migration, sql } of plan) {
    try {
      const [row] = await maintenance.query(formatted, { sql });
      engine = row!.version;
      const problem = problemOf({ migration, sql: row!.sql }, cluster);
      if (problem !== undefined) problems.push(problem);
      const table = /^CREATE TABLE IF NOT EXISTS (\w+) .*ENGINE = Replicated/.exec(row!.sql)?.[1];
      if (table !== undefined) replicated.add(table);
    } catch (error) {
      problems.push(`${migration}: ${(error as Error).message}`);
    }
  }
  for (const { name } of await maintenance.query(storedTables, {})) {
    if (!replicated.has(name)) problems.push(`The table ${name} is not replicated.`);
  }
  return {
    problems,
    summary: `${plan.length} statements for the cluster ${cluster}: ClickHouse ${engine} takes each of them, and all ${replicated.size} tables are replicated.`,
  };
}

/** Rows that a statement inserts on one server are replicated; a table that one server alone makes or changes is not. */
function problemOf({ migration, sql }: PlannedStatement, cluster: string): string | undefined {
  const isOnAll = new RegExp(` ON CLUSTER ${cluster}\\b`).test(sql);
  if (isOnAll || sql.startsWith("INSERT INTO ")) return undefined;
  return `${migration}: only one server of the cluster would run ${sql.slice(0, 60)}`;
}
