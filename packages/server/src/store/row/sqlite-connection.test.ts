import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { temporaryFolder } from "#store/testing/backends.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** 200 MB of texts. */
const longTexts = CompiledQuery.raw(
  "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 200) SELECT printf('%.*c', 1000000, 'x') AS text FROM n",
);

test("a statement that needs too much memory fails alone, and a transaction does not go on in another thread", async () => {
  const folder = temporaryFolder();
  const connection = new SqliteConnection(join(folder.path, "rows.sqlite"), 16);
  const run = (sql: string, isInTransaction = false) =>
    connection.executeQuery<{ x: number }>(CompiledQuery.raw(sql), isInTransaction);
  await connection.open();
  await run("CREATE TABLE t (x INTEGER)");
  await run("INSERT INTO t VALUES (1)");
  await run("BEGIN IMMEDIATE");
  await run("INSERT INTO t VALUES (2)", true);
  await expect(connection.executeQuery(longTexts, true)).rejects.toThrow("memory limit");
  await expect(run("INSERT INTO t VALUES (3)", true)).rejects.toThrow("no transaction is active");
  expect((await run("SELECT x FROM t")).rows).toEqual([{ x: 1 }]);
  await connection.close();
  folder.remove();
});
