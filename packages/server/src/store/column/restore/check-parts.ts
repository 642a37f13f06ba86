import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";

/** A part of a table whose bytes changed after they were written. */
export interface DamagedPartFolder {
  readonly table: string;
  readonly part: string;
  /** Folder of the part. */
  readonly path: string;
}

/** Reads every file of every table and compares the checksums. Changes nothing. */
export async function findDamagedParts(client: ColumnClient): Promise<DamagedPartFolder[]> {
  const parts = await client.query(activeParts, {});
  const damaged: DamagedPartFolder[] = [];
  for (const table of new Set(parts.map((part) => part.table))) {
    const failed = (await client.query(tableCheck(table), {})).filter(({ isPassed }) => isPassed === 0);
    for (const { part } of failed) {
      const path = parts.find((each) => each.table === table && each.part === part)?.path ?? "";
      damaged.push({ table, part, path });
    }
  }
  return damaged;
}

const activeParts = maintenanceQuery({
  name: "restore.parts",
  sql: `SELECT table, name AS part, path FROM system.parts
        WHERE database = currentDatabase() AND active ORDER BY table, name`,
  params: z.object({}),
  row: z.object({ table: z.string().regex(/^\w+$/), part: z.string(), path: z.string() }),
});

/** A table's name cannot be a parameter of CHECK TABLE. */
function tableCheck(table: string) {
  return maintenanceQuery({
    name: `restore.check.${table}`,
    sql: `CHECK TABLE ${table}`,
    params: z.object({}),
    row: z
      .object({ part_path: z.string(), is_passed: z.int() })
      .transform(({ part_path, is_passed }) => ({ part: part_path, isPassed: is_passed })),
  });
}
