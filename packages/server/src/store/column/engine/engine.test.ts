import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ColumnStore, type InsertBatch, openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, keepingLog, quietLog } from "#store/testing/backends.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { engineFlags } from "./process.ts";
import { type Engine, startEngine } from "./supervisor.ts";

const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 200_000_000,
  resultRowsMax: 1_000_000,
  resultBytesMax: 100_000_000,
  threadsMax: 2,
};

const stored = maintenanceQuery({
  name: "test.stored",
  sql: `SELECT (SELECT count() FROM profiles) AS profiles, (SELECT uniqExact(profile_id) FROM profiles) AS unique,
          (SELECT sum(value) FROM type_totals_1m) AS typeTotals`,
  params: z.object({}),
  row: z.object({ profiles: Count, unique: Count, typeTotals: Count }),
});

type Folder = Awaited<ReturnType<typeof columnStoreFolder>>;
let folder: Folder;
beforeEach(async () => {
  folder = await columnStoreFolder();
});
afterEach(() => folder.remove());

async function untilBack(columns: ColumnStore): Promise<void> {
  while (!(await columns.isReady().catch(() => false))) await sleep(10);
}

function batchOf(number: number, token = `batch-${number}`): InsertBatch {
  const values = [
    [1n, 2n],
    [3n, 4n],
  ];
  const service = `s${number}`;
  return profileBatch([{ service, profileId: `p${number}`, stacks: [1n, 2n], values }], token);
}

/** Sends again until the batch is acknowledged; true where once was not enough. */
async function insertUntilAcknowledged(columns: ColumnStore, number: number): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await columns.insert(batchOf(number));
      return attempt > 1;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(10);
    }
  }
}

const rolledUp = maintenanceQuery({
  name: "test.rolled-up",
  sql: "SELECT service FROM type_totals_1m GROUP BY service HAVING sum(value) = 10",
  params: z.object({}),
  row: z.object({ service: z.string() }),
});

const storedOf = maintenanceQuery({
  name: "test.stored-of",
  sql: "SELECT count() AS profiles FROM profiles WHERE profile_id = {profileId:String}",
  params: z.object({ profileId: z.string() }),
  row: z.object({ profiles: Count }),
});

/**
 * As ingestion does (batch-writer.ts): the engine notes a token before its rows, those of views too, and killed in between takes
 * the repetition for one. So the test searches for duplicates, and recounts the hours.
 */
async function writeMissing(columns: ColumnStore, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const [row] = await columns.maintenance.query(storedOf, { profileId: `p${number}` });
    if (row?.profiles !== 0) continue;
    await columns.insert(batchOf(number, `batch-${number}-again`));
  }
  await columns.maintenance.recount(columns.maintenance.doubtfulHours());
}

describe("an engine that is killed", () => {
  it("restarts by itself with every acknowledged row exactly once, also in the roll-ups", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    let next = 0;
    let acknowledged = 0;
    const repeated: number[] = [];
    const rounds = isFullLength ? 4 : 2;
    for (let round = 1; round <= rounds; round++) {
      const end = next + 30;
      const sender = async (): Promise<void> => {
        while (next < end) {
          const number = next++;
          if (await insertUntilAcknowledged(columns, number)) repeated.push(number);
          acknowledged++;
        }
      };
      const sending = [sender(), sender(), sender()];
      // Each round kills at another place of its inserts.
      const enough = acknowledged + 5 * round;
      await expect.poll(() => acknowledged, { interval: 1, timeout: 60_000 }).toBeGreaterThan(enough);
      process.kill(columns.health().enginePid!, "SIGKILL");
      await Promise.all(sending);
      expect(columns.health().restarts).toBe(round);
    }
    expect(acknowledged).toBeGreaterThanOrEqual(30 * rounds);
    expect(repeated.length).toBeGreaterThan(0);
    // Rows that were acknowledged at once need no recount.
    const whole = new Set((await columns.maintenance.query(rolledUp, {})).map(({ service }) => service));
    const sentOnce = Array.from({ length: next }, (_, number) => number).filter((n) => !repeated.includes(n));
    expect(sentOnce.filter((number) => !whole.has(`s${number}`))).toEqual([]);
    await writeMissing(columns, repeated);
    expect(await columns.maintenance.query(stored, {})).toEqual([
      {
        profiles: acknowledged,
        unique: acknowledged,
        typeTotals: acknowledged * 10,
      },
    ]);
    await columns[Symbol.asyncDispose]();
  });

  it("makes operations fail at once as unavailable until it is back", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    process.kill(columns.health().enginePid!, "SIGKILL");
    await expect(columns.maintenance.query(stored, {})).rejects.toThrow(StoreUnavailable);
    await untilBack(columns);
    expect(await columns.maintenance.query(stored, {})).toHaveLength(1);
    await columns[Symbol.asyncDispose]();
  });
});

describe("an engine that stops", () => {
  it("finishes running operations first", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    const inserts = Array.from({ length: 20 }, (_, number) => insertUntilAcknowledged(columns, number));
    const slow = maintenanceQuery({
      name: "test.slow",
      sql: "SELECT count() AS count, sum(sleepEachRow(0.1)) FROM numbers(5)",
      params: z.object({}),
      row: z.object({ count: Count }),
    });
    const answer = columns.maintenance.query(slow, {});
    await columns[Symbol.asyncDispose]();
    expect(await answer).toEqual([{ count: 5 }]);
    expect((await Promise.allSettled(inserts)).every(({ status }) => status === "fulfilled")).toBe(true);
    const again = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    expect((await again.maintenance.query(stored, {}))[0]?.profiles).toBe(20);
    await again[Symbol.asyncDispose]();
  });
});

describe("a store that does not open", () => {
  it("is moved aside as a whole with an error in the log, and an empty one is created", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    await insertUntilAcknowledged(columns, 1);
    await columns[Symbol.asyncDispose]();
    const metadata = join(folder.path, "columns", "store");
    const definitions = readdirSync(metadata, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".sql"),
    );
    expect(definitions.length).toBeGreaterThan(0);
    for (const name of definitions) writeFileSync(join(metadata, name), "garbage");
    const log = keepingLog();
    const again = await openColumnStore({ kind: "embedded", dataDir: folder.path }, log);
    expect(await again.quarantined()).toEqual(["quarantine-1"]);
    expect(existsSync(join(folder.path, "quarantine-1", "store"))).toBe(true);
    expect(log.lines.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
      expect.stringContaining("DID NOT OPEN"),
      expect.stringContaining("PROFILES ARE MISSING"),
    ]);
    await insertUntilAcknowledged(again, 2);
    expect((await again.maintenance.query(stored, {}))[0]?.profiles).toBe(1);
    await again[Symbol.asyncDispose]();
  });

  it.each(["data{1,2}", "what?", "all*", "a :: b"])(
    "whose name is a pattern is refused: %s",
    async (name) => {
      const dataDir = join(folder.path, name);
      await expect(openColumnStore({ kind: "embedded", dataDir }, quietLog)).rejects.toThrow(
        `the data folder is ${dataDir}. Set DATA_DIR to another folder.`,
      );
    },
  );

  it("because another Flamekeep has it open causes a clear error, and is not touched", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    const second = { kind: "embedded", dataDir: folder.path, timing: { lockedMax: 500 } } as const;
    await expect(openColumnStore(second, quietLog)).rejects.toThrow(
      `The data folder ${folder.path} is in use by another Flamekeep.`,
    );
    expect(readdirSync(folder.path).filter((name) => name.startsWith("quarantine"))).toEqual([]);
    expect(await columns.isReady()).toBe(true);
    await columns[Symbol.asyncDispose]();
  });

  it("because of one damaged part opens without the part and names it", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    await insertUntilAcknowledged(columns, 1);
    await columns[Symbol.asyncDispose]();
    const store = join(folder.path, "columns", "store");
    const files = readdirSync(store, { recursive: true, encoding: "utf8" }).filter(
      (name) => /20261120_\d/.test(name) && name.endsWith("data.bin"),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) truncateSync(join(store, name), 0);
    const log = keepingLog();
    const again = await openColumnStore({ kind: "embedded", dataDir: folder.path }, log);
    expect(again.health().lostParts.length).toBeGreaterThan(0);
    expect(again.health().lostParts[0]).toMatchObject({ reason: "broken-on-start" });
    expect(log.lines.some(({ level, message }) => level === "error" && message.includes("DAMAGED"))).toBe(
      true,
    );
    await again[Symbol.asyncDispose]();
  });
});

describe("the engine's interface", () => {
  let engine: Engine;
  let shared: Folder;
  beforeAll(async () => {
    shared = await columnStoreFolder();
    engine = await startEngine({ dataDir: shared.path, memoryBytesMax: 500_000_000, limits }, quietLog);
  });
  afterAll(async () => {
    await engine.stop();
    shared.remove();
  });

  async function send(user: "reader" | "writer", sql: string, path = "/"): Promise<Response> {
    const { url, readerPassword, writerPassword } = engine.address()!;
    const password = user === "reader" ? readerPassword : writerPassword;
    const headers = { "X-ClickHouse-User": user, "X-ClickHouse-Key": password };
    return fetch(`${url}${path}`, { method: "POST", body: sql, headers });
  }

  it("answers a ping, and a statement only with its password", async () => {
    const { url, readerPassword, writerPassword } = engine.address()!;
    expect(await (await fetch(`${url}/ping`)).text()).toBe("Ok.\n");
    expect(readerPassword).not.toBe(writerPassword);
    for (const login of ["", "reader:", `reader:${writerPassword}`, `default:${readerPassword}`]) {
      const headers = { Authorization: `Basic ${Buffer.from(login).toString("base64")}` };
      const reply = await fetch(url, { method: "POST", body: "SELECT 1", headers });
      expect(reply.status).toBe(401);
      expect(reply.headers.get("X-ClickHouse-Exception-Code")).toBe("516");
    }
  });

  it("reads the statement from the URL or the body, in the format asked for", async () => {
    const query = encodeURIComponent("SELECT {a:UInt8} + 1 AS b");
    expect(await (await send("reader", "", `/?param_a=1&query=${query}`)).text()).toBe("2\n");
    expect(await (await send("reader", "SELECT 1 AS a", "/?default_format=JSONEachRow")).text()).toBe(
      '{"a":1}\n',
    );
  });

  it("accepts and returns gzip", async () => {
    const { url, readerPassword } = engine.address()!;
    const reply = await fetch(url, {
      method: "POST",
      body: gzipSync("SELECT repeat('x', 5000)"),
      headers: {
        "X-ClickHouse-User": "reader",
        "X-ClickHouse-Key": readerPassword,
        "Content-Encoding": "gzip",
        "Accept-Encoding": "gzip",
      },
    });
    expect(reply.headers.get("Content-Encoding")).toBe("gzip");
    expect(await reply.text()).toBe(`${"x".repeat(5000)}\n`);
  });

  it("returns the engine's error code", async () => {
    const reply = await send("reader", "SELECT nothing FROM nowhere");
    expect(reply.status).toBe(500);
    expect(reply.headers.get("X-ClickHouse-Exception-Code")).toBe("60");
  });

  it.each([
    "INSERT INTO t VALUES (1)",
    "CREATE TABLE t (a UInt8) ENGINE = Memory",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT file('/etc/passwd')",
    "DESCRIBE TABLE file('/etc/passwd')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1:1/b/x.tsv')",
    "SELECT * FROM remote('127.0.0.1', 'system', 'one')",
    "SELECT * FROM executable('x', 'TSV', 'a String')",
    "BACKUP DATABASE default TO File('x')",
    "SELECT 1; SELECT 2",
    "SELECT 1 SETTINGS max_execution_time = 100",
    "SET readonly = 0",
  ])("refuses a reader %s", async (sql) => {
    const reply = await send("reader", sql);
    expect(reply.ok).toBe(false);
    expect(await reply.text()).toMatch(/READONLY|readonly/);
  });

  it("does not let a reader or a writer create files", async () => {
    const file = join(shared.path, "out.txt");
    for (const user of ["reader", "writer"] as const) {
      expect((await send(user, `SELECT 1 INTO OUTFILE '${file}'`)).status).toBe(403);
    }
    expect((await send("writer", `INSERT INTO FUNCTION file('${file}') SELECT 1`)).status).toBe(403);
    expect(existsSync(file)).toBe(false);
  });

  it("refuses settings it does not know, and another database", async () => {
    expect((await send("reader", "SELECT 1", "/?max_threads=64")).status).toBe(400);
    expect((await send("writer", "SELECT 1", "/?readonly=0")).status).toBe(400);
    expect((await send("reader", "SELECT 1", "/?database=system")).status).toBe(404);
  });
});

it("starts the engine without flags for which V8 would compile Node's own modules again", () => {
  const run = (program: string, ...flags: string[]) =>
    spawnSync(process.execPath, [...flags, "-p", program], { encoding: "utf8" }).stdout.trim();
  const code = run(`new vm.Script("1").createCachedData().toString("base64")`);
  const isRejected = `new vm.Script("1", { cachedData: Buffer.from("${code}", "base64") }).cachedDataRejected`;
  expect(run(isRejected, ...engineFlags)).toBe("false");
  expect(run(isRejected, ...engineFlags, "--heap-growing-percent=50")).toBe("true");
});
