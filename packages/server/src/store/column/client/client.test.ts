import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
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
