import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { quietLog } from "#store/testing/backends.ts";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

const one = maintenanceQuery({
  name: "test.one",
  sql: "SELECT 1 AS one",
  params: z.object({}),
  row: z.object({ one: z.int() }),
});

let clickHouse: Awaited<ReturnType<typeof startClickHouse>>;
beforeAll(async () => {
  clickHouse = await startClickHouse();
});
afterAll(() => clickHouse.stop());

/** Accepts connections for the server, and passes nothing on while it hangs. */
async function hangableProxy(url: string) {
  let isHanging = false;
  const { hostname, port } = new URL(url);
  const server = createServer((socket) => {
    const passed = connect(Number(port), hostname);
    socket.on("data", (bytes) => isHanging || passed.write(bytes));
    passed.on("data", (bytes) => socket.write(bytes));
    for (const [each, other] of [
      [socket, passed],
      [passed, socket],
    ] as const)
      each.on("error", () => undefined).on("close", () => other.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang: () => {
      isHanging = true;
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

it("closing a store whose server hangs fails what runs and does not wait for its reply", async () => {
  const { url } = await clickHouse.openEndpoint();
  using proxy = await hangableProxy(url);
  const columns = await openColumnStore({ kind: "url", url: proxy.url }, quietLog);
  expect(await columns.maintenance.query(one, {})).toEqual([{ one: 1 }]);
  proxy.hang();
  const hanging = Promise.allSettled([
    columns.maintenance.query(one, {}),
    columns.insert({ table: "frames", columns: ["org_id"], rows: "[]", dedupToken: "a" }),
  ]);
  columns.endWithin(50);
  const outcomes = await hanging;
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  for (const outcome of outcomes)
    expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StoreUnavailable);
  await expect(columns.maintenance.query(one, {})).rejects.toThrow("The column store is closing.");
  await columns[Symbol.asyncDispose]();
});
