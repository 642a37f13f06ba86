import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { type ClickHouseClient, parseError } from "@clickhouse/client";
import { type ReadRequest, wideBlockRows } from "#store/column/engine/protocol.ts";

interface Read extends Pick<ReadRequest, "sql" | "format" | "hasWideRows"> {
  readonly params: Readonly<Record<string, unknown>>;
}

/** Runs statements that read. */
export interface Reads {
  /** The bytes of the result. Throws a ClickHouseError, or the error of the connection. */
  run(read: Read): Promise<Buffer>;
  close(): Promise<void>;
}

/** Reads from a ClickHouse server. */
export function readsFromServer(client: ClickHouseClient): Reads {
  return {
    run: async ({ sql, params, format, hasWideRows }) => {
      const { stream } = await client.exec({
        query: `${sql}\nFORMAT ${format}`,
        query_params: { ...params },
        ...(hasWideRows && { clickhouse_settings: { max_block_size: String(wideBlockRows) } }),
      });
      return buffer(stream);
    },
    close: () => client.close(),
  };
}

interface EngineLogin {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Reads from the embedded engine, over a separate path: the streams of the client library take more CPU than a short
 * query takes the engine (decision 17).
 *
 * @param msMax how long the engine may send nothing, the wait for a free session included
 */
export function readsFromEngine({ url, username, password }: EngineLogin, msMax: number): Reads {
  // Far more than the engine runs at once: there, organizations take turns.
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 16, timeout: msMax });
  const options = {
    agent,
    method: "POST",
    path: "/read",
    auth: `${username}:${password}`,
    ...addressOf(url),
  };
  return {
    run: async ({ params, ...read }) => {
      const texts = Object.entries(params).map(([name, value]) => [name, toParamText(value)]);
      const body: ReadRequest = { ...read, params: Object.fromEntries(texts) };
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(options, resolve);
        sent.on("error", reject);
        sent.on("timeout", () => sent.destroy(noReply(msMax)));
        sent.end(JSON.stringify(body));
      });
      const bytes = await readReply(reply);
      if (reply.statusCode !== 200) throw parseError(bytes.toString("utf8"));
      return bytes;
    },
    close: async () => agent.destroy(),
  };
}

/** Has the code of a failed connection, so that it is not taken for a failed query. */
function noReply(msMax: number): Error {
  return Object.assign(new Error(`The engine did not reply within ${msMax} ms`), { code: "ETIMEDOUT" });
}

function addressOf(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port };
}

/** Most replies are one chunk, which needs no copy. */
function readReply(reply: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    reply.on("data", (chunk: Buffer) => chunks.push(chunk));
    reply.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    reply.on("error", reject);
  });
}

/**
 * A parameter as ClickHouse's HTTP interface takes it: text escaped as in TSV, arrays as literals, times as Unix seconds. Throws for
 * a value that no query has.
 */
export function toParamText(value: unknown): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escapeText(value);
  if (value instanceof Date) return toSeconds(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return toElementText(value);
  return toNumberText(value);
}

function toElementText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toElementText).join(",")}]`;
  if (typeof value === "string") return `'${escapeText(value)}'`;
  return toNumberText(value);
}

function toNumberText(value: unknown): string {
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`A query cannot have the parameter ${String(value)}`);
}

const escapes: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "'": "\\'",
  "\\": "\\\\",
};

function escapeText(text: string): string {
  return text.replace(/[\t\n\r'\\]/g, (letter) => escapes[letter]!);
}

/** At least ten digits, because fewer would be read as a year; milliseconds only where there are some, because a DateTime takes none. */
function toSeconds(time: Date): string {
  const [seconds, milliseconds] = [Math.floor(time.getTime() / 1000), time.getUTCMilliseconds()];
  const whole = String(seconds).padStart(10, "0");
  return milliseconds === 0 ? whole : `${whole}.${String(milliseconds).padStart(3, "0")}`;
}
