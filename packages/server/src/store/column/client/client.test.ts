import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { ClickHouseError } from "@clickhouse/client";
import { expect, it } from "vitest";
import { z } from "zod";
import { maintenanceQuery } from "#store/column/query.ts";
import { QueryTooExpensive, StoreFull, StoreOutOfMemory, StoreUnavailable } from "#store/unavailable.ts";
import { connectColumns } from "./client.ts";

const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 200_000_000,
  resultRowsMax: 1_000_000,
  resultBytesMax: 100_000_000,
  threadsMax: 2,
};

it("gives up a ping that a ClickHouse server does not answer", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const client = connectColumns({ kind: "server", reader: { url }, writer: { url }, limits });
  expect(await client.ping()).toBe(false);
  expect(sockets.size).toBe(1);
  await client.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it("lets a ClickHouse server finish a read before it replies", async () => {
  const received: URLSearchParams[] = [];
  const server = createHttpServer((request, response) => {
    received.push(new URL(request.url!, "http://server").searchParams);
    request.resume().on("end", () => response.end('{"one":1}\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connectColumns({ kind: "server", reader: { url }, writer: { url }, limits });
  const row = z.object({ one: z.int() });
  const one = maintenanceQuery({ name: "test.one", sql: "SELECT 1 AS one", params: z.object({}), row });
  expect(await client.query(one, {})).toEqual([{ one: 1 }]);
  expect(received.map((search) => search.get("wait_end_of_query"))).toEqual(["1"]);
  await client.close();
  server.close();
});

it.each([
  [243, "Cannot reserve 1.00 MiB, not enough space.", StoreFull],
  [202, "Too many simultaneous queries.", StoreUnavailable],
  [159, "Timeout exceeded.", QueryTooExpensive],
  [241, "Query memory limit exceeded.", QueryTooExpensive],
  [241, "(total) memory limit exceeded.", StoreOutOfMemory],
  [62, "Syntax error.", ClickHouseError],
])("error %i of the engine, %s, has its own failure", async (code, text, failure) => {
  const server = createHttpServer((request, response) => {
    const headers = { "x-clickhouse-exception-code": String(code) };
    request
      .resume()
      .on("end", () =>
        response.writeHead(500, headers).end(`Code: ${code}. DB::Exception: ${text} (SOME_ERROR)`),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connectColumns({ kind: "server", reader: { url }, writer: { url }, limits });
  const refused = await client.command("SELECT 1").catch((error: unknown) => error);
  expect((refused as Error).constructor).toBe(failure);
  await client.close();
  server.close();
});
