import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ColumnStoreConfig } from "./column/column-store.ts";
import type { RowStoreConfig } from "./row/row-store.ts";

interface Stores {
  readonly dataDir: string;
  readonly columns: ColumnStoreConfig;
  readonly rows: RowStoreConfig;
}

/**
 * The data of built-in stores that a start with these stores would hide, a sentence each: people would see an empty product and
 * believe that their data is lost. Nothing moves data from the built-in stores to servers yet.
 *
 * @param demoOrgId an organization whose profiles are made again at each start
 */
export async function hiddenData({ dataDir, columns, rows }: Stores, demoOrgId: string): Promise<string[]> {
  const found: string[] = [];
  const accounts = accountsIn(join(dataDir, "flamekeep.sqlite"), demoOrgId);
  if (rows.kind === "postgres" && accounts !== undefined && accounts.people > 0)
    found.push(sentence("DATABASE_URL", dataDir, "accounts"));
  const hasProfiles = accounts?.organizations !== 0 && (await holdsFiles(join(dataDir, "columns")));
  if (columns.kind !== "embedded" && hasProfiles) found.push(sentence("CLICKHOUSE_URL", dataDir, "profiles"));
  return found;
}

function sentence(setting: string, dataDir: string, what: string): string {
  return `${setting} is set, but ${dataDir} holds ${what} in a built-in store, which would not be shown: start without ${setting} to use them, or set DATA_DIR to an empty folder`;
}

/** Undefined where there is no database of accounts. */
function accountsIn(
  file: string,
  demoOrgId: string,
): { readonly people: number; readonly organizations: number } | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const count = (sql: string, ...values: string[]) =>
      Number(Object.values(database?.prepare(sql).get(...values) ?? {})[0]);
    return {
      people: count("SELECT count(*) FROM users"),
      organizations: count("SELECT count(*) FROM organizations WHERE id <> ?", demoOrgId),
    };
  } catch {
    // No file, or not one of ours: the start itself says what is wrong with it.
    return undefined;
  } finally {
    database?.close();
  }
}

async function holdsFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
