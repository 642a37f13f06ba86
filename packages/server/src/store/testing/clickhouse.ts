import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { buffer } from "node:stream/consumers";
import { type Engine, startEngine } from "#store/column/engine/supervisor.ts";
import { columnStoreFolder, quietLog } from "./backends.ts";

/** An address of a ClickHouse server. */
export interface ServerEndpoint {
  readonly url: string;
  /** Closes it: connections are refused, as while a server is away. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** Takes connections and requests and answers none, as a frozen server, until `goOn`: then it answers them. */
  hang(): void;
  goOn(): void;
}

const engineLimits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 5_000_000,
  resultBytesMax: 500_000_000,
  threadsMax: 2,
};

/** A server that speaks as much of ClickHouse's protocol as the app uses, on chDB. Each endpoint can be closed alone. */
export interface TestClickHouse {
  openEndpoint(): Promise<ServerEndpoint>;
  /** `kill -9` of the process behind all endpoints, which is started again at once. */
  kill(): void;
  stop(): Promise<void>;
}

/** @param folder of the data; by default a temporary one with all tables */
export async function startClickHouse(
  folder?: Pick<Awaited<ReturnType<typeof columnStoreFolder>>, "path" | "remove">,
): Promise<TestClickHouse> {
  folder ??= await columnStoreFolder();
  const engine = await startEngine(
    { dataDir: folder.path, memoryBytesMax: 500_000_000, limits: engineLimits },
    quietLog,
  );
  const endpoints: ServerEndpoint[] = [];
  return {
    async openEndpoint() {
      let frozen: PromiseWithResolvers<void> | undefined;
      const server = createServer({ maxHeaderSize: addressBytesMax }, async (request, response) => {
        await frozen?.promise;
        // As a server that ends: it answers nothing.
        await answer(engine, request, response).catch(() => request.socket.destroy());
      });
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
        hang() {
          frozen ??= Promise.withResolvers();
        },
        goOn() {
          frozen?.resolve();
          frozen = undefined;
        },
      };
      endpoints.push(endpoint);
      return endpoint;
    },
    kill() {
      const pid = engine.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    async stop() {
      await Promise.all(endpoints.map((endpoint) => endpoint.away()));
      await engine.stop();
      folder.remove();
    },
  };
}

/** As `http_max_uri_size` of ClickHouse: parameters of a query are in its address. */
const addressBytesMax = 1024 * 1024;

/** Settings that the engine takes from the address of a request. */
const forwarded =
  /^(param_.*|insert_deduplication_token|deduplicate_blocks_.*|max_partitions_.*|async_insert|query)$/;

async function answer(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? "/", "http://server");
  const sent = await buffer(request);
  const address = engine.address();
  if (address === undefined) throw new Error("the engine is starting");
  const { url, readerPassword, writerPassword } = address;
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
