import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { quietLog } from "#store/testing/backends.ts";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { StoreNotResponding, StoreUnavailable } from "#store/unavailable.ts";

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

it("closing a store whose server hangs fails what runs and does not wait for its reply", async () => {
  const endpoint = await clickHouse.openEndpoint();
  const columns = await openColumnStore({ kind: "url", url: endpoint.url }, quietLog);
  expect(await columns.maintenance.query(one, {})).toEqual([{ one: 1 }]);
  endpoint.hang();
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

it("a read of a server that does not answer fails, and those that follow at once, until the server answers again", async () => {
  const endpoint = await clickHouse.openEndpoint();
  await using columns = await openColumnStore({ kind: "url", url: endpoint.url }, quietLog);
  const rows = {
    table: "frames",
    columns: ["org_id"],
    rows: `["${randomUUID()}"]`,
    dedupToken: "b",
  } as const;
  endpoint.hang();
  const inserted = columns.insert(rows);
  await expect(columns.maintenance.query(one, {})).rejects.toThrow(StoreNotResponding);
  expect(columns.health().outage).toBe("does not answer");
  await expect(columns.maintenance.query(one, {})).rejects.toThrow(StoreNotResponding);
  endpoint.goOn();
  await expect.poll(() => columns.health().outage, { timeout: 20_000 }).toBeUndefined();
  expect(await columns.maintenance.query(one, {})).toEqual([{ one: 1 }]);
  // The server had it all the time.
  await inserted;
});
