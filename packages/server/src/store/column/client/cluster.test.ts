import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectColumns } from "#store/column/client/client.ts";
import { readLimitsDefault } from "#store/column/client/client-source.ts";
import { openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { quietLog } from "#store/testing/backends.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

const anyRow = maintenanceQuery({
  name: "test.any",
  sql: "SELECT 1 AS one",
  params: z.object({}),
  row: z.object({ one: z.int() }),
});

/** Rows of ClickHouse's own tables, by the start of the query's name for them. */
const answers = new Map<string, readonly object[]>();
const statements: string[] = [];
/** The settings of each statement, and the errors that the next ones get. */
const settings: URLSearchParams[] = [];
const errors: number[] = [];

/** Answers reads of system tables with `answers`, and refuses to make tables. */
const server = createServer((request, response) => {
  void (async () => {
    const url = new URL(request.url ?? "/", "http://server");
    const sql = `${url.searchParams.get("query") ?? ""}${await text(request)}`;
    statements.push(sql);
    settings.push(url.searchParams);
    const code = errors.shift();
    if (code !== undefined) {
      response.setHeader("x-clickhouse-exception-code", code);
      return response.writeHead(500).end(`Code: ${code}. DB::Exception: Not now. (NOT_NOW)`);
    }
    if (sql.startsWith("CREATE")) return response.writeHead(500).end("Code: 999. DB::Exception: no keeper");
    const rows = [...answers].find(([table]) => sql.includes(`FROM ${table}`))?.[1] ?? [];
    return response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  })();
});

let url: string;
beforeEach(async () => {
  answers.clear();
  statements.length = 0;
  settings.length = 0;
  errors.length = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/flamekeep`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function messageOf(cluster?: string): Promise<string> {
  const config = { kind: "url" as const, url, ...(cluster !== undefined && { cluster }) };
  const error = await openColumnStore(config, quietLog).catch((cause: Error) => cause);
  return (error as Error).message;
}

const madeTables = () => statements.filter((sql) => sql.startsWith("CREATE"));

describe("a ClickHouse cluster", () => {
  it("of two shards is refused before a table is made, with what to do", async () => {
    answers.set("system.clusters", [
      { cluster: "main", hosts: ["ch-0-0", "ch-0-1"] },
      { cluster: "main", hosts: ["ch-1-0"] },
      { cluster: "other", hosts: ["ch-0-0"] },
    ]);
    expect(await messageOf("main")).toMatch(
      /^The cluster main of ClickHouse at 127\.0\.0\.1:\d+ has 2 shards \(ch-0-0 and ch-0-1, ch-1-0\)\. Flamekeep supports one shard.* set CLICKHOUSE_CLUSTER to the cluster's name/,
    );
    expect(madeTables()).toEqual([]);
  });

  it("that the server does not know is refused with the names that it knows", async () => {
    answers.set("system.clusters", [
      { cluster: "first", hosts: ["a"] },
      { cluster: "first", hosts: ["b"] },
      { cluster: "second", hosts: ["a"] },
    ]);
    expect(await messageOf("main")).toContain(
      "has no cluster main. It has first, second. Correct CLICKHOUSE_CLUSTER",
    );
    answers.clear();
    expect(await messageOf("main")).toContain("has no cluster main. It has none.");
  });

  it("of one shard gets its tables", async () => {
    answers.set("system.clusters", [
      { cluster: "main", hosts: ["a", "b"] },
      { cluster: "other", hosts: ["a"] },
      { cluster: "other", hosts: ["b"] },
    ]);
    answers.set("system.tables", [{ table: "profiles", isReplicated: 1 }]);
    answers.set("system.replicas", [{ table: "profiles", count: 2 }]);
    await messageOf("main");
    expect(madeTables()).toEqual([expect.stringContaining("ON CLUSTER `main`")]);
  });

  it("whose servers do not replicate to each other is refused", async () => {
    answers.set("system.clusters", [{ cluster: "main", hosts: ["a", "b"] }]);
    answers.set("system.replicas", [{ table: "profiles", count: 1 }]);
    expect(await messageOf("main")).toMatch(
      /^The cluster main has 2 servers \(a, b\), but the table profiles has 1 of the replicas: .* macro \{shard\}/,
    );
    expect(madeTables()).toEqual([]);
  });

  it("and tables that were made without it are refused, and the other way round", async () => {
    answers.set("system.clusters", [{ cluster: "main", hosts: ["a"] }]);
    const names = ["frames", "payloads", "profiles", "stacks", "t1", "t2", "t3"];
    answers.set(
      "system.tables",
      names.map((table) => ({ table, isReplicated: 0 })),
    );
    expect(await messageOf("main")).toMatch(
      /are not replicated \(frames, payloads, profiles, stacks, t1, 2 more\): .* Unset it, or move the data/,
    );
    answers.set("system.tables", [{ table: "profiles", isReplicated: 1 }]);
    expect(await messageOf()).toMatch(/are replicated \(profiles\), .* Set CLICKHOUSE_CLUSTER/);
    expect(madeTables()).toEqual([]);
  });
});

describe("a client of replicas", () => {
  const limits = readLimitsDefault;
  const rows = { table: "frames", columns: ["org_id"], rows: "[1]\n", dedupToken: "first" };
  const connect = (isReplicated: boolean) =>
    connectColumns({ kind: "server", reader: { url }, writer: { url }, limits, isReplicated });

  it("waits for most replicas, and reads from those that have all of it", async () => {
    const client = connect(true);
    await client.insert(rows);
    await client.command("INSERT INTO a SELECT 1");
    await client.query(anyRow, {});
    await client.close();
    const quorum = settings.map((each) => [each.get("insert_quorum"), each.get("insert_quorum_parallel")]);
    expect(quorum).toEqual([
      ["auto", "0"],
      ["auto", "0"],
      [null, null],
    ]);
    expect(settings.map((each) => each.get("select_sequential_consistency"))).toEqual(["1", "1", "1"]);
  });

  it("waits for nothing where there is one server", async () => {
    const client = connect(false);
    await client.insert(rows);
    await client.query(anyRow, {});
    await client.close();
    expect(settings).toHaveLength(2);
    const names = settings.flatMap((each) => [...each.keys()]);
    expect(names.filter((name) => name.includes("quorum") || name.includes("consistency"))).toEqual([]);
  });

  it("sends an insert and a read again while others are on their way, and no command", async () => {
    const client = connect(true);
    errors.push(286, 286);
    await client.insert(rows);
    expect(settings.map((each) => each.get("insert_deduplication_token"))).toEqual(Array(3).fill("first"));
    errors.push(289);
    expect(await client.query(anyRow, {})).toEqual([]);
    expect(statements).toHaveLength(5);
    errors.push(286);
    await expect(client.command("INSERT INTO a SELECT 1")).rejects.toThrow(StoreUnavailable);
    expect(statements).toHaveLength(6);
    await client.close();
  });

  it("asks before each try whether the rows may still be inserted", async () => {
    const client = connect(true);
    errors.push(286);
    let tries = 0;
    const beforeTry = () => {
      if (++tries === 2) throw new Error("another server has taken over");
    };
    await expect(client.insert({ ...rows, beforeTry })).rejects.toThrow("another server has taken over");
    expect(statements).toHaveLength(1);
    await client.close();
  });
});
