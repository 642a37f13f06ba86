import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { free, freeChunks } from "#memory/free.ts";
import type { EngineSettings } from "./protocol.ts";
import { answerRead, answerRequest } from "./requests.ts";
import type { OpenedEngine } from "./sessions.ts";

const bodyBytesMax = 256 * 1024 * 1024;
/** Parameters travel in the URL; ClickHouse's own default (http_max_uri_size) is as large. */
const urlBytesMax = 1024 * 1024;
/** Buffers of this size or more are freed at once: the garbage collector would let 64 MB of them accumulate. */
const largeBytes = 256 * 1024;

export interface EngineServer {
  readonly server: Server;
  /** The number of requests without a reply. */
  running(): number;
}

/**
 * The part of ClickHouse's HTTP interface that inserts, commands and pings of `@clickhouse/client` use, for one opened engine, and
 * `POST /read` for the app's reads.
 */
export function createEngineServer(engine: OpenedEngine, settings: EngineSettings): EngineServer {
  let running = 0;
  const server = createServer({ maxHeaderSize: urlBytesMax }, (request, response) => {
    running++;
    serve(engine, settings, request, response)
      .catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500);
        response.end(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        running--;
      });
  });
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 120_000;
  return { server, running: () => running };
}

async function serve(
  engine: OpenedEngine,
  settings: EngineSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://engine");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  const user = authenticate(request, settings);
  if (!user) {
    request.resume();
    fail(response, 401, 516, "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)");
    return;
  }
  if (url.pathname === "/probe") {
    await engine.probe();
    response.end("Ok.\n");
    return;
  }
  const body = await readBody(request);
  if (!body) {
    fail(response, 413, 307, "Code: 307. DB::Exception: The request is too large. (TOO_MANY_BYTES)");
    return;
  }
  const reply =
    url.pathname === "/read"
      ? await answerRead(engine, body)
      : await answerRequest(engine, { user, search: url.searchParams, body });
  if (body.length >= largeBytes) free(body);
  if (!reply.ok) {
    fail(response, reply.status, reply.code, reply.message);
    return;
  }
  response.setHeader("X-ClickHouse-Summary", JSON.stringify(reply.summary));
  const queryId = url.searchParams.get("query_id");
  if (queryId) response.setHeader("X-ClickHouse-Query-Id", queryId.replace(/[^\w-]/g, ""));
  await send(request, response, reply.bytes);
}

async function send(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): Promise<void> {
  const wantsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  if (!wantsGzip || bytes.length < 1024) {
    response.end(bytes);
    return;
  }
  response.setHeader("Content-Encoding", "gzip");
  response.end(await promisify(gzip)(bytes, { level: 1 }));
}

function fail(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { "X-ClickHouse-Exception-Code": String(code) });
  response.end(`${message}\n`);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  // Later, because the HTTP parser is still on the stack when it delivers the last chunk.
  if (chunks.length > 1) setImmediate(freeChunks, chunks);
  if (request.headers["content-encoding"] !== "gzip") return body;
  return promisify(gunzip)(body, { maxOutputLength: bodyBytesMax });
}

function authenticate(request: IncomingMessage, settings: EngineSettings): "reader" | "writer" | undefined {
  const { user, password } = readCredentials(request);
  if (user === "reader" && isSame(password, settings.readerPassword)) return "reader";
  if (user === "writer" && isSame(password, settings.writerPassword)) return "writer";
  return undefined;
}

function readCredentials(request: IncomingMessage): { user: string; password: string } {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic) {
    const [user = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":");
    return { user, password: rest.join(":") };
  }
  const header = (name: string) => String(request.headers[name] ?? "");
  return { user: header("x-clickhouse-user"), password: header("x-clickhouse-key") };
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
