import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { sql } from "kysely";
import type { ColumnStoreConfig } from "#store/column/column-store.ts";
import type { StoreLog } from "#store/log.ts";
import type { RowStore, RowStoreConfig } from "#store/row/row-store.ts";
import { sharedPostgres } from "./postgres.ts";
import { copyColumnStore, copyRowStore, postgresTemplate } from "./templates.ts";

/** A database for tests: creates an empty store and removes it again. */
export interface Backend<Config> {
  readonly name: string;
  create(): Promise<{ readonly config: Config; remove(): Promise<void> }>;
}

export const quietLog: StoreLog = { debug() {}, info() {}, warn() {}, error() {} };

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

/** A log that collects its lines. */
export function keepingLog(): StoreLog & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine["level"]) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "flamekeep-store-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A temporary folder with an empty column store. */
export async function columnStoreFolder(): Promise<ReturnType<typeof temporaryFolder>> {
  const folder = temporaryFolder();
  await copyColumnStore(folder.path);
  return folder;
}

/** chDB always; a ClickHouse server too when CLICKHOUSE_TEST_URL names one. */
export function columnBackends(): Backend<ColumnStoreConfig>[] {
  const backends: Backend<ColumnStoreConfig>[] = [
    {
      name: "chDB",
      create: async () => {
        const folder = await columnStoreFolder();
        return { config: { kind: "embedded", dataDir: folder.path }, remove: async () => folder.remove() };
      },
    },
  ];
  const url = process.env.CLICKHOUSE_TEST_URL;
  if (!url) console.info("CLICKHOUSE_TEST_URL is not set: column store tests run on chDB only");
  else backends.push(clickHouseBackend(url));
  return backends;
}

function clickHouseBackend(url: string): Backend<ColumnStoreConfig> {
  return {
    name: "ClickHouse",
    create: async () => {
      const database = `flamekeep_test_${randomBytes(6).toString("hex")}`;
      const admin = createClient({ url });
      await admin.command({ query: `CREATE DATABASE ${database}` });
      const own = new URL(url);
      own.pathname = `/${database}`;
      return {
        config: { kind: "url", url: own.href },
        remove: async () => {
          await admin.command({ query: `DROP DATABASE ${database} SYNC` });
          await admin.close();
        },
      };
    },
  };
}

/** Turns off the syncs of SQLite, which matter only if the machine itself stops. They take most of the time of a small write. */
export async function writeWithoutSync(rows: RowStore): Promise<void> {
  await sql`PRAGMA synchronous = OFF`.execute(rows);
}

/** A database whose stores have all their tables: running every migration takes longer than most tests. */
export interface RowBackend extends Backend<RowStoreConfig> {
  /** As a first start finds it, for tests of the migrations. */
  createWithoutTables: Backend<RowStoreConfig>["create"];
}

/**
 * SQLite always; PostgreSQL too where the machine has its programs.
 * @param areAll whether tests run on SQLite also where there is PostgreSQL: not those of calls that browser tests make on SQLite
 */
export async function rowBackends(areAll = true): Promise<RowBackend[]> {
  const createFile = async () => {
    const folder = temporaryFolder();
    const config = { kind: "sqlite" as const, file: join(folder.path, "rows.sqlite") };
    return { config, remove: async () => folder.remove() };
  };
  const sqlite: RowBackend = {
    name: "SQLite",
    createWithoutTables: createFile,
    create: async () => {
      const place = await createFile();
      await copyRowStore(place.config.file);
      return place;
    },
  };
  const postgres = await sharedPostgres();
  if (!postgres) {
    console.info(
      "PostgreSQL is not installed (Debian: apt-get install postgresql): rows are tested on SQLite only",
    );
    return [sqlite];
  }
  const placeAt = (url: string) => ({ config: { kind: "postgres" as const, url }, remove: async () => {} });
  const postgresBackend: RowBackend = {
    name: "PostgreSQL",
    createWithoutTables: async () => placeAt(await postgres.createDatabase()),
    create: async () => placeAt(await postgres.createDatabase(await postgresTemplate(postgres))),
  };
  return areAll ? [sqlite, postgresBackend] : [postgresBackend];
}
