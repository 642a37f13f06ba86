import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createClient } from "@clickhouse/client";
import { sql } from "kysely";
import type { ColumnStoreConfig } from "#store/column/column-store.ts";
import { type Engine, startEngine } from "#store/column/engine/supervisor.ts";
import type { StoreLog } from "#store/log.ts";
import type { RowStore, RowStoreConfig } from "#store/row/row-store.ts";
import { sharedPostgres } from "./postgres.ts";
import { copyColumnStore } from "./templates.ts";

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

/** SQLite always; PostgreSQL too where the machine has its programs. */
export async function rowBackends(): Promise<Backend<RowStoreConfig>[]> {
  const sqlite: Backend<RowStoreConfig> = {
    name: "SQLite",
    create: async () => {
      const folder = temporaryFolder();
      const config = { kind: "sqlite" as const, file: join(folder.path, "rows.sqlite") };
      return { config, remove: async () => folder.remove() };
    },
  };
  const postgres = await sharedPostgres();
  if (!postgres) {
    console.info(
      "PostgreSQL is not installed (Debian: apt-get install postgresql): rows are tested on SQLite only",
    );
    return [sqlite];
  }
  const postgresBackend: Backend<RowStoreConfig> = {
    name: "PostgreSQL",
    create: async () => ({
      config: { kind: "postgres", url: await postgres.createDatabase() },
      remove: async () => {},
    }),
  };
  return [sqlite, postgresBackend];
}

/** An address of a ClickHouse server. */
export interface ServerEndpoint {
  readonly url: string;
  /** Closes it: connections are refused, as while a server is away. */
  away(): Promise<void>;
  back(): Promise<void>;
}

const engineLimits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 5_000_000,
  resultBytesMax: 500_000_000,
  threadsMax: 2,
};

/** A server that speaks as much of ClickHouse's protocol as the app uses, on chDB. Each endpoint can be closed alone. */
export async function startClickHouse(): Promise<{
  openEndpoint(): Promise<ServerEndpoint>;
  stop(): Promise<void>;
}> {
  const folder = await columnStoreFolder();
  const engine = await startEngine(
    { dataDir: folder.path, memoryBytesMax: 500_000_000, limits: engineLimits },
    quietLog,
  );
  const endpoints: ServerEndpoint[] = [];
  return {
    async openEndpoint() {
      const server = createServer((request, response) => void answer(engine, request, response));
      const listen = (port: number) =>
        new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      await listen(0);
      const { port } = server.address() as AddressInfo;
      const endpoint: ServerEndpoint = {
        url: `http://127.0.0.1:${port}/default`,
        async away() {
          const closed = new Promise((resolve) => server.close(resolve));
          server.closeAllConnections();
          await closed;
        },
        back: () => listen(port),
      };
      endpoints.push(endpoint);
      return endpoint;
    },
    async stop() {
      await Promise.all(endpoints.map((endpoint) => endpoint.away()));
      await engine.stop();
      folder.remove();
    },
  };
}

/** Settings that the engine takes from the address of a request. */
const forwarded =
  /^(param_.*|insert_deduplication_token|deduplicate_blocks_.*|max_partitions_.*|async_insert|query)$/;

async function answer(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? "/", "http://server");
  const { url, readerPassword, writerPassword } = engine.address()!;
  const sent = await buffer(request);
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = headers["content-type"].startsWith("multipart/")
    ? [...(await new Response(new Uint8Array(sent), { headers }).formData())].map(
        ([name, value]): [string, string] => [name, String(value)],
      )
    : [];
  const search = new URLSearchParams([...searchParams, ...form].filter(([name]) => forwarded.test(name)));
  const isRead = searchParams.get("readonly") === "1";
  const sql = search.get("query") ?? sent.toString("utf8");
  const [, statement = sql, format = "TSV"] = /^([\s\S]*?)\s+FORMAT (\w+)\s*$/.exec(sql) ?? [];
  const params = Object.fromEntries(
    [...search].flatMap(([name, value]) => (name.startsWith("param_") ? [[name.slice(6), value]] : [])),
  );
  const login = isRead ? `reader:${readerPassword}` : `writer:${writerPassword}`;
  const reply = await fetch(isRead ? `${url}/read` : `${url}/?${search}`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
    body: isRead
      ? JSON.stringify({ sql: statement, params, format })
      : new Uint8Array(form.length > 0 ? [] : sent),
  });
  const code = reply.headers.get("x-clickhouse-exception-code");
  response.writeHead(reply.status, code === null ? {} : { "x-clickhouse-exception-code": code });
  response.end(Buffer.from(await reply.arrayBuffer()));
}
