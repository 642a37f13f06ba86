import { join } from "node:path";
import { CompiledQuery, InsertQueryNode, SelectQueryNode, TableNode } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { Turns } from "#store/turns.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { GroupedReads } from "./sqlite-driver.ts";

let folder: ReturnType<typeof temporaryFolder>;
let connection: SqliteConnection;
let reads: GroupedReads;
beforeEach(async () => {
  folder = temporaryFolder();
  connection = new SqliteConnection(join(folder.path, "rows.sqlite"));
  await connection.open();
  reads = new GroupedReads(connection, new Turns());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await connection.close();
  folder.remove();
});

const read = (sql: string, parameters: unknown[] = []) => reads.run(CompiledQuery.raw(sql, parameters));

it("reads that wait at the same time are one message, and each gets its rows", async () => {
  const sent = vi.spyOn(connection, "executeReads");
  const results = await Promise.all(Array.from({ length: 20 }, (_, x) => read("SELECT ? AS x", [x])));
  expect(results.map(({ rows }) => rows)).toEqual(Array.from({ length: 20 }, (_, x) => [{ x }]));
  expect(sent.mock.calls.map(([queries]) => queries.length)).toEqual([8, 8, 4]);
});

it("one that fails leaves the others of its group", async () => {
  const settled = await Promise.allSettled([
    read("SELECT 1 AS x"),
    read("SELECT x FROM missing"),
    read("SELECT 2 AS x"),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: { message: expect.stringContaining("no such table") } });
});

it("takes selects only", () => {
  const queryOf = (query: CompiledQuery["query"]) => ({ ...CompiledQuery.raw(""), query });
  expect(GroupedReads.canRun(queryOf(SelectQueryNode.create()))).toBe(true);
  expect(GroupedReads.canRun(queryOf(InsertQueryNode.create(TableNode.create("t"))))).toBe(false);
  expect(GroupedReads.canRun(CompiledQuery.raw("PRAGMA user_version"))).toBe(false);
});
