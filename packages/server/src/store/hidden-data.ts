import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { ColumnStoreConfig } from "./column/column-store.ts";
import type { RowStoreConfig } from "./row/row-store.ts";

interface Stores {
  readonly dataDir: string;
  readonly columns: ColumnStoreConfig;
  readonly rows: RowStoreConfig;
}

/** In a data folder: what a restore has copied, until all of it is there. */
export const restoringFolder = "restoring";
/** The kinds of stores that hold the data of the folder's server, where they are not built in. */
const storesFile = "stores.json";

const ServersInUse = z.strictObject({
  columns: z.literal("url").optional(),
  rows: z.literal("postgres").optional(),
});
type ServersInUse = z.output<typeof ServersInUse>;

/**
 * The data that a start with these stores would hide, a sentence each: people would see an empty product and believe that their
 * data is lost. It is in built-in stores that would not be opened, or in servers that are not set any more. `npm run move` moves data
 * between the two.
 *
 * @param demoOrgId an organization whose profiles are made again at each start
 */
export async function hiddenData({ dataDir, columns, rows }: Stores, demoOrgId: string): Promise<string[]> {
  const found: string[] = [];
  if (await holdsFiles(join(dataDir, restoringFolder)))
    found.push(
      `a restore into ${dataDir} did not end, and its files would not be shown: run \`npm run restore\` again, or remove ${join(dataDir, restoringFolder)}`,
    );
  const accounts = accountsIn(join(dataDir, "flamekeep.sqlite"), demoOrgId);
  if (rows.kind === "postgres" && accounts !== undefined && accounts.people > 0)
    found.push(inBuiltIn("DATABASE_URL", dataDir, "accounts"));
  const isOnlyDemo = accounts?.organizations === 0;
  if (columns.kind !== "embedded" && !isOnlyDemo && (await holdsFiles(join(dataDir, "columns"))))
    found.push(inBuiltIn("CLICKHOUSE_URL", dataDir, "profiles"));
  const used = await serversInUse(dataDir);
  if (used === undefined) return [...found, unreadable(dataDir)];
  if (rows.kind === "sqlite" && used.rows === "postgres")
    found.push(inServer("DATABASE_URL", dataDir, "accounts", "PostgreSQL"));
  // Only the organizations of the same accounts say that there is nothing but the demo.
  if (columns.kind === "embedded" && used.columns === "url" && !(rows.kind === "sqlite" && isOnlyDemo))
    found.push(inServer("CLICKHOUSE_URL", dataDir, "profiles", "a ClickHouse server"));
  return found;
}

/** Notes which servers hold the data, for the starts after this one. Never their addresses: those have passwords. */
export async function noteServersInUse({ dataDir, columns, rows }: Stores): Promise<void> {
  const used: ServersInUse = {
    ...(columns.kind === "url" ? { columns: "url" } : {}),
    ...(rows.kind === "postgres" ? { rows: "postgres" } : {}),
  };
  const before = await serversInUse(dataDir);
  if (before?.columns === used.columns && before?.rows === used.rows) return;
  const file = join(dataDir, storesFile);
  await writeFile(`${file}.new`, `${JSON.stringify(used)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

/** Undefined where the file is damaged or of a later version. */
async function serversInUse(dataDir: string): Promise<ServersInUse | undefined> {
  try {
    return ServersInUse.safeParse(JSON.parse(await readFile(join(dataDir, storesFile), "utf8"))).data;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
  }
}

function unreadable(dataDir: string): string {
  return `${join(dataDir, storesFile)} cannot be read as what this version writes. It says whether the data is in PostgreSQL or ClickHouse: restore it, or remove it and set DATABASE_URL and CLICKHOUSE_URL as before`;
}

function inBuiltIn(setting: string, dataDir: string, what: string): string {
  return `${setting} is set, but ${dataDir} holds ${what} in a built-in store, which would not be shown: start without ${setting} to use them, move them with \`npm run move\`, or set DATA_DIR to an empty folder`;
}

function inServer(setting: string, dataDir: string, what: string, where: string): string {
  return `${setting} is not set, but the ${what} of ${dataDir} are in ${where}, and would not be shown: set ${setting} as before to use them, or set DATA_DIR to an empty folder`;
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
