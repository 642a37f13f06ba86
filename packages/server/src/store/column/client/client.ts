import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import type { z } from "zod";
import type { ReadFormat, ReadLimits } from "#store/column/engine/protocol.ts";
import type { BytesStatement, RowsStatement } from "#store/column/query.ts";
import {
  QueryTooExpensive,
  StoreDamaged,
  StoreFull,
  StoreOutOfMemory,
  StoreUnavailable,
} from "#store/unavailable.ts";
import { damagedPartOf } from "./damage.ts";
import { type Reads, readsFromEngine, readsFromServer } from "./reads.ts";

interface ServerLogin {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

export type ColumnLogins = { readonly limits: ReadLimits } & (
  | {
      readonly kind: "server";
      readonly reader: ServerLogin;
      readonly writer: ServerLogin;
      /** Whether other servers have the same tables, and may answer the next request. */
      readonly isReplicated?: boolean;
    }
  | { readonly kind: "engine"; readonly reader: Required<ServerLogin>; readonly writer: ServerLogin }
);

export interface RowsToInsert {
  readonly table: string;
  readonly columns: readonly string[];
  /** Default JSONCompactEachRow: one JSON array per line. */
  readonly format?: "JSONCompactEachRow" | "RowBinary";
  readonly rows: Buffer | string;
  /** A second insert with the same token adds nothing, neither to the table nor to its roll-ups. */
  readonly dedupToken: string;
  /** Called before each try: the insert fails with what it throws. */
  readonly beforeTry?: () => void;
}

/** The same client for both backends: a ClickHouse server and our engine process use the same protocol. */
export interface ColumnClient {
  query<P, R>(query: RowsStatement<P, R>, params: P): Promise<R[]>;
  queryBytes<P>(query: BytesStatement<P>, params: P): Promise<Buffer>;
  /** The result as the store sends it. */
  read<P>(query: BytesStatement<P>, params: P, format: ReadFormat): Promise<Buffer>;
  insert(batch: RowsToInsert): Promise<void>;
  /** Runs one statement that defines or derives data. */
  command(sql: string, params?: Record<string, unknown>): Promise<void>;
  /** Whether the store answers within two seconds. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

type QueryKind = "read" | "insert" | "command";

/** Called with the time of each query that ended, whether it succeeded or not. */
export type QueryObserver = (kind: QueryKind, seconds: number) => void;

export function connectColumns(logins: ColumnLogins, observe: QueryObserver = () => undefined): ColumnClient {
  const { reader, writer } = logins;
  const reads = connectReads(logins);
  // Its own connections, so that long reads do not delay a ping.
  const probing = createClient({ ...reader, log, request_timeout: pingMsMax, max_open_connections: 2 });
  const isReplicated = logins.kind === "server" && logins.isReplicated === true;
  const writing = createClient({
    ...writer,
    log,
    request_timeout: 110_000,
    max_open_connections: 16,
    clickhouse_settings: isReplicated ? { ...quorumSettings, ...consistentReads } : {},
  });
  const run = async <T>(kind: QueryKind, name: string, operation: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    try {
      return await translated(name, operation);
    } finally {
      observe(kind, (performance.now() - startMs) / 1000);
    }
  };
  const read: ColumnClient["read"] = (statement, params, format) => {
    const { name, sql, params: schema, hasWideRows = false } = statement;
    return run("read", name, () =>
      whileReplicating(() => reads.run({ sql, params: toQueryParams(schema, params), format, hasWideRows })),
    );
  };
  return {
    query: async (statement, params) => toRows(statement, await read(statement, params, "JSONEachRow")),
    queryBytes: (statement, params) => read(statement, params, "RowBinary"),
    read,
    insert: (batch) =>
      run("insert", `insert.${batch.table}`, async () => {
        const rows = typeof batch.rows === "string" ? Buffer.from(batch.rows) : batch.rows;
        const query = `INSERT INTO ${batch.table} (${batch.columns.join(", ")}) FORMAT ${batch.format ?? "JSONCompactEachRow"}`;
        const clickhouse_settings = insertSettings(batch.dedupToken);
        const result = await whileReplicating(() => {
          batch.beforeTry?.();
          // An iterable of one chunk: the buffer is sent without a copy.
          const values = Readable.from([rows], { objectMode: false });
          return writing.exec({ query, values, clickhouse_settings });
        });
        result.stream.resume();
      }),
    command: async (query, query_params = {}) => {
      await run("command", "command", () => writing.command({ query, query_params }));
    },
    ping: async () => {
      const { success } = await probing.ping({ select: true, abort_signal: AbortSignal.timeout(pingMsMax) });
      return success;
    },
    close: async () => {
      await Promise.all([reads.close(), writing.close(), probing.close()]);
    },
  };
}

/** The rows of a result in JSONEachRow. */
export function toRows<P, R>({ row }: RowsStatement<P, R>, bytes: Buffer): R[] {
  const lines = bytes.toString("utf8").split("\n").slice(0, -1);
  return lines.map((line) => row.parse(JSON.parse(line)));
}

const pingMsMax = 2_000;
// Errors are thrown; the client's own log would only repeat them on the console.
const log = { level: ClickHouseLogLevel.OFF };

function connectReads(logins: ColumnLogins): Reads {
  const { limits } = logins;
  // Includes the wait for a free session.
  const msMax = (limits.executionSecondsMax + 40) * 1000;
  if (logins.kind === "engine") return readsFromEngine(logins.reader, msMax);
  return readsFromServer(
    createClient({
      ...logins.reader,
      log,
      request_timeout: msMax,
      max_open_connections: 16,
      use_multipart_params_auto: true,
      clickhouse_settings: { ...readSettings(limits), ...(logins.isReplicated && consistentReads) },
    }),
  );
}

function toQueryParams<P>(schema: z.ZodType<P>, params: P): Record<string, unknown> {
  return schema.parse(params) as Record<string, unknown>;
}

function readSettings(limits: ReadLimits): ClickHouseSettings {
  return {
    readonly: "1",
    max_execution_time: limits.executionSecondsMax,
    max_memory_usage: String(limits.memoryBytesMax),
    max_result_rows: String(limits.resultRowsMax),
    max_result_bytes: String(limits.resultBytesMax),
    output_format_json_quote_64bit_integers: 1,
    // The server sends the status of the whole query: an error within a result would be taken for its bytes.
    wait_end_of_query: 1,
  };
}

function insertSettings(token: string): ClickHouseSettings {
  return {
    insert_deduplication_token: token,
    // Roll-ups check the token too: without this a repeated batch is counted twice there.
    deduplicate_blocks_in_dependent_materialized_views: 1,
    // A batch may hold rows of more than a hundred days, from a sender that was offline.
    max_partitions_per_insert_block: "0",
    async_insert: 0,
  };
}

/**
 * An insert is acknowledged once most replicas have it, one insert of a table after the other: ClickHouse knows which inserts a replica
 * must have before it answers a consistent read only if they are in one order.
 */
const quorumSettings: ClickHouseSettings = { insert_quorum: "auto", insert_quorum_parallel: 0 };
/** Without it, a replica that lags behind would not find the rows that another has acknowledged. */
const consistentReads: ClickHouseSettings = { select_sequential_consistency: "1" };

/** Another insert is on its way to the replicas, or this one lacks an acknowledged insert: both end within a moment. */
const replicatingCodes = new Set(["286", "289"]);
const replicatingTriesMax = 50;

/** Not for commands: a part of their rows may be stored. An insert has a token, so that its rows are stored once. */
async function whileReplicating<T>(operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      const isPassing = error instanceof ClickHouseError && replicatingCodes.has(error.code);
      if (!isPassing || attempt === replicatingTriesMax) throw error;
      await sleep(50 + Math.random() * 150);
    }
  }
}

/** The store is busy, short of memory, disk or parts, or cannot say whether it stored the rows. */
const retryableCodes = new Set([
  "202",
  "203",
  "209",
  "210",
  "242",
  "252",
  "285",
  "286",
  "289",
  "319",
  "425",
  "999",
]);
const notEnoughSpaceCode = "243";
/** Time, rows, bytes or memory of one query. */
const tooExpensiveCodes = new Set(["158", "159", "160", "307", "396"]);

async function translated<T>(name: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ClickHouseError) throw failureOf(name, error) ?? error;
    if (isConnectionError(error)) {
      throw new StoreUnavailable(`${name}: the column store cannot be reached.`, { cause: error });
    }
    throw error;
  }
}

/** The failure that replaces an error of the engine; undefined if nothing expects it. */
function failureOf(name: string, error: ClickHouseError): Error | undefined {
  const message = `${name}: ${error.message}`;
  // The same code for the memory limit of a query and for the limit of the whole engine: only the text distinguishes them.
  const isMemory = error.code === "241";
  const isQueryMemory = isMemory && /query memory limit/i.test(error.message);
  if (isQueryMemory || tooExpensiveCodes.has(error.code))
    return new QueryTooExpensive(message, { cause: error });
  if (isMemory) return new StoreOutOfMemory(message, { cause: error });
  if (error.code === notEnoughSpaceCode) return new StoreFull(message, { cause: error });
  if (retryableCodes.has(error.code)) return new StoreUnavailable(message, { cause: error });
  const damage = damagedPartOf(Number(error.code), error.message);
  return damage && new StoreDamaged(message, damage, error);
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return (
    /^(ECONN|EPIPE|ENOTFOUND|EAI_|EHOST|ENETUNREACH|ETIMEDOUT|UND_ERR)/.test(code) ||
    /socket hang up|timeout error/i.test(error.message)
  );
}
