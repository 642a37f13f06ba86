import type { RawInsertFormat, Session } from "chdb";
import { LruCache } from "#store/lru.ts";
import {
  type Bound,
  bindParams,
  bindPlaceholders,
  type FoundPlaceholders,
  findPlaceholders,
} from "./bind.ts";
import type { ReadRequest } from "./protocol.ts";
import type { OpenedEngine } from "./sessions.ts";
import { TooManyWaiting } from "./sessions.ts";
import { allowsRead, allowsWrite, readInsertTarget } from "./statement.ts";

export interface EngineRequest {
  readonly user: "reader" | "writer";
  /** The query of the URL: statement, parameters and settings, named as in ClickHouse's HTTP interface. */
  readonly search: URLSearchParams;
  readonly body: Buffer;
}

export type EngineReply =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly summary: Record<string, string> }
  | { readonly ok: false; readonly status: number; readonly code: number; readonly message: string };

/** Parameters of the URL that are not settings. */
const notSettings = new Set([
  "query",
  "query_id",
  "database",
  "default_format",
  "session_id",
  "wait_end_of_query",
]);
/** Settings that a writer may send; they are copied to the SETTINGS clause of the INSERT. */
const insertSettings = new Set([
  "insert_deduplication_token",
  "deduplicate_blocks_in_dependent_materialized_views",
  "max_partitions_per_insert_block",
  "async_insert",
]);
/** A reader has the settings of its session. */
const noSettings: ReadonlySet<string> = new Set();

export async function answerRequest(engine: OpenedEngine, request: EngineRequest): Promise<EngineReply> {
  const { search, user } = request;
  const unknown = unknownSetting(search, user === "reader" ? noSettings : insertSettings);
  if (unknown) return failed(400, 115, `Setting ${unknown} is not accepted by the embedded engine`);
  if (!["", "default"].includes(search.get("database") ?? "")) {
    return failed(404, 81, "The embedded engine has one database: default");
  }
  try {
    return await run(engine, request);
  } catch (error) {
    return toFailure(error);
  }
}

/** Answers `POST /read`: `body` is a ReadRequest as JSON. */
export async function answerRead(engine: OpenedEngine, body: Buffer): Promise<EngineReply> {
  try {
    const { sql, params, format, hasWideRows } = JSON.parse(body.toString("utf8")) as ReadRequest;
    const pool = hasWideRows ? engine.wideReaders : engine.readers;
    return await read(pool, { sql, params: new Map(Object.entries(params)), format });
  } catch (error) {
    return toFailure(error);
  }
}

async function run(engine: OpenedEngine, request: EngineRequest): Promise<EngineReply> {
  const { search, body, user } = request;
  const inUrl = search.get("query");
  if (user === "writer" && inUrl !== null && body.length > 0) return insert(engine, inUrl, request);
  const statement = {
    sql: inUrl ?? body.toString("utf8"),
    params: readParams(search),
    format: search.get("default_format") ?? "TabSeparated",
  };
  return user === "reader" ? read(engine.readers, statement) : write(engine, statement);
}

interface Statement {
  readonly sql: string;
  readonly params: ReadonlyMap<string, string>;
  readonly format: string;
}

async function read(pool: OpenedEngine["readers"], { sql, params, format }: Statement): Promise<EngineReply> {
  const checked = checkRead(sql);
  if (!checked.ok) return refused(checked.reason);
  return runBound(pool, bindPlaceholders(sql, checked.placeholders, params), format, params.get("orgId"));
}

async function write(engine: OpenedEngine, { sql, params, format }: Statement): Promise<EngineReply> {
  const verdict = allowsWrite(sql);
  if (!verdict.ok) return refused(verdict.reason);
  return runBound(engine.writers, bindParams(sql, params), format).finally(() =>
    engine.binaryInserts.forget(),
  );
}

/** @param orgId undefined for jobs and writes */
async function runBound(
  pool: OpenedEngine["readers"],
  bound: Bound,
  format: string,
  orgId?: string,
): Promise<EngineReply> {
  if (!bound.ok) return failed(400, 456, bound.reason);
  const result = await pool.run((session: Session) => session.queryAsync(bound.sql, { format }), orgId);
  const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
  return { ok: true, bytes: result.bytes(), summary };
}

/**
 * Results by statement, weighted by its length: checking one takes as long as a short query. The app has about a hundred statements
 * that read.
 */
const checkedReads = new LruCache<FoundPlaceholders>(1024 * 1024);

function checkRead(sql: string): FoundPlaceholders {
  const known = checkedReads.get(sql);
  if (known !== undefined) return known;
  const verdict = allowsRead(sql);
  const checked = verdict.ok ? findPlaceholders(sql) : verdict;
  checkedReads.set(sql, checked, sql.length);
  return checked;
}

function refused(reason: string): EngineReply {
  return failed(403, 164, `Refused: ${reason}. (READONLY)`);
}

async function insert(engine: OpenedEngine, sql: string, request: EngineRequest): Promise<EngineReply> {
  const target = readInsertTarget(sql);
  if (!target)
    return failed(400, 62, "Expected INSERT INTO table (columns) FORMAT name, with rows in the body");
  const settings = Object.fromEntries([...request.search].filter(([name]) => insertSettings.has(name)));
  if (target.format === "RowBinary") {
    const { writers, binaryInserts } = engine;
    await writers.run((session) => binaryInserts.insert(session, target, settings, request.body));
    return { ok: true, bytes: new Uint8Array(), summary: {} };
  }
  const written = await engine.writers.run((session) =>
    session.insert({
      table: target.table,
      ...(target.columns ? { columns: target.columns } : {}),
      values: request.body,
      // The library checks the name against its list and throws its own error.
      format: target.format as RawInsertFormat,
      settings,
    }),
  );
  const summary = { written_rows: String(written.rowsWritten), written_bytes: String(written.bytesWritten) };
  return { ok: true, bytes: new Uint8Array(), summary };
}

function readParams(search: URLSearchParams): Map<string, string> {
  const named = [...search].filter(([name]) => name.startsWith("param_"));
  return new Map(named.map(([name, value]) => [name.slice("param_".length), value]));
}

function unknownSetting(search: URLSearchParams, accepted: ReadonlySet<string>): string | undefined {
  return [...search.keys()].find(
    (name) => !notSettings.has(name) && !name.startsWith("param_") && !accepted.has(name),
  );
}

function toFailure(error: unknown): EngineReply {
  if (error instanceof TooManyWaiting)
    return failed(503, 202, `${error.message}. (TOO_MANY_SIMULTANEOUS_QUERIES)`);
  const message = error instanceof Error ? error.message : String(error);
  const code = Number(/Code: (\d+)/.exec(message)?.[1] ?? 1001);
  return failed(500, code, message);
}

function failed(status: number, code: number, text: string): EngineReply {
  const message = text.includes("DB::Exception") ? text : `Code: ${code}. DB::Exception: ${text}`;
  return { ok: false, status, code, message };
}
