import { join } from "node:path";
import { CompiledQuery, DeleteQueryNode, InsertQueryNode, TableNode } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { Turns } from "#store/turns.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { GroupedWrites } from "./sqlite-driver.ts";
import { StatementBatch } from "./statement-batch.ts";

let folder: ReturnType<typeof temporaryFolder>;
let connection: SqliteConnection;
let writes: GroupedWrites;
beforeEach(async () => {
  folder = temporaryFolder();
  connection = new SqliteConnection(join(folder.path, "rows.sqlite"));
  await connection.open();
  await connection.executeQuery(CompiledQuery.raw("CREATE TABLE t (x INTEGER PRIMARY KEY, pages BLOB)"));
  writes = new GroupedWrites(connection, new Turns());
});
afterEach(async () => {
  vi.restoreAllMocks();
  await connection.close();
  folder.remove();
});

const insert = (x: number) => writes.run(CompiledQuery.raw("INSERT INTO t (x) VALUES (?)", [x]));
const batch = (...statements: readonly [sql: string, mustChange?: boolean][]) =>
  writes.run(
    new StatementBatch(statements.map(([sql, mustChange = false]) => ({ sql, parameters: [], mustChange }))),
  );
const stored = async () => {
  const { rows } = await connection.executeQuery<{ x: number }>(
    CompiledQuery.raw("SELECT x FROM t ORDER BY x"),
  );
  return rows.map(({ x }) => x);
};

it("writes that wait at the same time are one message, and all are stored", async () => {
  const sent = vi.spyOn(connection, "executeGroup");
  const results = await Promise.all(Array.from({ length: 100 }, (_, x) => insert(x)));
  expect(results.every(({ numAffectedRows }) => numAffectedRows === 1n)).toBe(true);
  expect(await stored()).toHaveLength(100);
  expect(sent.mock.calls.map(([batches]) => batches.length)).toEqual([64, 36]);
});

it("one that fails, or changes nothing although it must, leaves the others of its group", async () => {
  const sent = vi.spyOn(connection, "executeGroup");
  const settled = await Promise.allSettled([
    insert(1),
    insert(1),
    batch(["INSERT INTO t (x) VALUES (2)"], ["INSERT INTO t (x) VALUES (1)"]),
    batch(["INSERT INTO t (x) VALUES (3)"], ["UPDATE t SET x = 9 WHERE x = 8", true]),
    batch(["INSERT INTO t (x) VALUES (4)", true], ["UPDATE t SET x = 5 WHERE x = 4", true]),
    insert(6),
  ]);
  expect(sent).toHaveBeenCalledOnce();
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(settled[3]).toMatchObject({ value: { rows: [{ at: 1 }] } });
  expect(settled[4]).toMatchObject({ value: { rows: [] } });
  expect(await stored()).toEqual([1, 5, 6]);
});

it("on a full disk a write that has no room does not keep smaller ones from being stored", async () => {
  await connection.executeQuery(CompiledQuery.raw("PRAGMA max_page_count = 40"));
  const sent = vi.spyOn(connection, "executeGroup");
  const large = writes.run(CompiledQuery.raw("INSERT INTO t VALUES (2, zeroblob(1000000))"));
  const settled = await Promise.allSettled([insert(1), large, insert(3)]);
  expect(sent).toHaveBeenCalledOnce();
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: { errcode: 13 } });
  expect(await stored()).toEqual([1, 3]);
});

it("if the thread ends, all writes of the group fail, and later ones do not", async () => {
  vi.spyOn(connection, "executeGroup").mockRejectedValueOnce(new Error("the thread has ended"));
  const settled = await Promise.allSettled([insert(1), insert(2)]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await insert(3);
  expect(await stored()).toEqual([3]);
});

it("takes changes of rows, and nothing that a transaction cannot hold or that returns many rows", () => {
  const table = TableNode.create("t");
  const queryOf = (query: CompiledQuery["query"]) => ({ ...CompiledQuery.raw(""), query });
  expect(GroupedWrites.canRun(queryOf(InsertQueryNode.create(table)))).toBe(true);
  expect(GroupedWrites.canRun(queryOf(DeleteQueryNode.create([table])))).toBe(true);
  expect(GroupedWrites.canRun(CompiledQuery.raw("PRAGMA wal_checkpoint(RESTART)"))).toBe(false);
});
