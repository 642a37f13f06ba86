import { minuteMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { columnBackends, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { QueryTooExpensive } from "#store/unavailable.ts";
import { RowBinaryReader, RowBinaryWriter } from "./client/row-binary.ts";
import { type ColumnStore, type InsertBatch, openColumnStore } from "./column-store.ts";
import { bytesQuery, maintenanceQuery } from "./query.ts";
import { Count, Instant, Int64, toWordsBase64 } from "./values.ts";

const max64 = 2n ** 64n - 1n;

const echo = maintenanceQuery({
  name: "test.echo",
  sql: `SELECT {text:String} AS text, {texts:Array(String)} AS texts, {id:UInt64} AS id, {ids:Array(UInt64)} AS ids,
          {at:DateTime64(3,'UTC')} AS at, {maybe:Nullable(String)} AS maybe,
          '{text:String}' AS literal -- {nothing:String}`,
  params: z.object({
    text: z.string(),
    texts: z.array(z.string()),
    id: z.bigint(),
    ids: z.array(z.bigint()),
    at: z.date(),
    maybe: z.string().nullable(),
  }),
  row: z.object({
    text: z.string(),
    texts: z.array(z.string()),
    id: Int64,
    ids: z.array(Int64),
    at: Instant,
    maybe: z.string().nullable(),
    literal: z.string(),
  }),
});

const hostile = [
  'it\'s \\ a "text" with \t tab, \n line, \r return, \\N and \0 nul',
  "'); DROP TABLE profiles; --",
  "\\'; SELECT 1 /*",
  "{text:String} %s $x 日本 🔥",
  "",
];

const storedRows = maintenanceQuery({
  name: "test.stored-rows",
  sql: `SELECT
          (SELECT count() FROM profiles WHERE service = {service:String}) AS profiles,
          (SELECT sum(profiles) FROM type_totals_1m WHERE service = {service:String} AND sample_type = '') AS counted,
          (SELECT sum(value) FROM type_totals_1m WHERE service = {service:String}) AS typeTotals`,
  params: z.object({ service: z.string() }),
  row: z.object({ profiles: Count, counted: Count, typeTotals: Count }),
});

describe.each(columnBackends())("the column store on $name", (backend) => {
  let place: Awaited<ReturnType<typeof backend.create>>;
  let columns: ColumnStore;
  beforeAll(async () => {
    place = await backend.create();
    columns = await openColumnStore(place.config, quietLog);
  });
  afterAll(async () => {
    await columns[Symbol.asyncDispose]();
    await place.remove();
  });
  const reopen = async () => {
    await columns[Symbol.asyncDispose]();
    columns = await openColumnStore(place.config, quietLog);
  };

  it.each(hostile)("binds %j as it is", async (text) => {
    const params = {
      text,
      texts: [text, "plain"],
      id: max64,
      ids: [0n, max64],
      at: new Date("2026-11-20T10:00:00.123Z"),
      maybe: null,
    };
    expect(await columns.maintenance.query(echo, params)).toEqual([{ ...params, literal: "{text:String}" }]);
  });

  it("takes long lists of ids as parameters", async () => {
    const sumOf = maintenanceQuery({
      name: "test.sum",
      sql: "SELECT length({ids:Array(UInt64)}) AS count, arrayMax({ids:Array(UInt64)}) AS largest",
      params: z.object({ ids: z.array(z.bigint()) }),
      row: z.object({ count: Count, largest: Int64 }),
    });
    const ids = Array.from({ length: 30_000 }, (_, index) => max64 - BigInt(index));
    expect(await columns.maintenance.query(sumOf, { ids })).toEqual([{ count: 30_000, largest: max64 }]);
  });

  it("binds each concurrent query to its own values", async () => {
    const mine = maintenanceQuery({
      name: "test.mine",
      sql: "SELECT {id:UInt64} AS id, sum(number) AS sum FROM numbers({count:UInt64})",
      params: z.object({ id: z.int(), count: z.int() }),
      row: z.object({ id: Count, sum: Count }),
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, id) => columns.maintenance.query(mine, { id, count: id * 100 })),
    );
    expect(answers.length).toBe(200);
    for (const [id, rows] of answers.entries()) {
      const count = id * 100;
      expect(rows).toEqual([{ id, sum: (count * (count - 1)) / 2 || 0 }]);
    }
  });

  it("turns arrays of 64-bit words into stacks and values, and counts them by the minute", async () => {
    const rows = [
      {
        profileId: "a",
        service: "arrays",
        stacks: [1n, max64],
        values: [
          [1n, 2n],
          [10n, -20n],
        ],
      },
      { profileId: "b", service: "arrays", stacks: [max64], values: [[5n], [50n]] },
      { profileId: "c", service: "arrays", stacks: [], values: [[], []] },
    ];
    await columns.insert(profileBatch(rows, "arrays"));
    const stored = maintenanceQuery({
      name: "test.profiles",
      sql: "SELECT profile_id AS profileId, service, stacks, values FROM profiles WHERE service = 'arrays' ORDER BY profile_id",
      params: z.object({}),
      row: z.object({
        profileId: z.string(),
        service: z.string(),
        stacks: z.array(Int64),
        values: z.array(z.array(Int64)),
      }),
    });
    expect(await columns.maintenance.query(stored, {})).toEqual(rows);
    expect(await columns.maintenance.query(storedRows, { service: "arrays" })).toEqual([
      { profiles: 3, counted: 3, typeTotals: 48 },
    ]);
  });

  it("adds nothing when the same batch is inserted again, also after a restart", async () => {
    const rows = [1, 2, 3].map((number) => ({
      profileId: `p${number}`,
      service: "repeated",
      startedAt: new Date(Date.UTC(2026, 10, 10 + number)),
      stacks: [1n, 2n],
      values: [
        [1n, 2n],
        [10n, 20n],
      ],
    }));
    const expected = [{ profiles: 3, counted: 3, typeTotals: 99 }];
    await columns.insert(profileBatch(rows, "repeated"));
    expect(await columns.maintenance.query(storedRows, { service: "repeated" })).toEqual(expected);
    await columns.insert(profileBatch(rows, "repeated"));
    expect(await columns.maintenance.query(storedRows, { service: "repeated" })).toEqual(expected);
    await reopen();
    await columns.insert(profileBatch(rows, "repeated"));
    expect(await columns.maintenance.query(storedRows, { service: "repeated" })).toEqual(expected);
  });

  it("adds equal rows twice if their batches have different tokens", async () => {
    const rows = [{ profileId: "p", service: "twice", stacks: [1n], values: [[1n], [10n]] }];
    await columns.insert(profileBatch(rows, "twice-1"));
    await columns.insert(profileBatch(rows, "twice-2"));
    expect(await columns.maintenance.query(storedRows, { service: "twice" })).toEqual([
      { profiles: 2, counted: 2, typeTotals: 22 },
    ]);
  });

  it("rolls HTTP requests up by minute, and counts a repeated batch once", async () => {
    const batch: InsertBatch = {
      table: "http_requests",
      hours: [],
      columns: ["org_id", "service", "at", "duration_seconds", "status_code", "method", "path", "request_id"],
      rows: [200, 204, 503]
        .map((status, index) =>
          JSON.stringify([testOrg, "http", 1_795_168_800_000 + index, 0.25, status, "GET", "/", `r${index}`]),
        )
        .join("\n"),
      dedupToken: "http",
    };
    await columns.insert(batch);
    await columns.insert(batch);
    const totals = maintenanceQuery({
      name: "test.http",
      sql: `SELECT status_class AS statusClass, sum(requests) AS requests, sum(duration_seconds) AS seconds,
              sumMap(durations) AS bins
            FROM http_totals_1m WHERE service = 'http' GROUP BY status_class ORDER BY status_class`,
      params: z.object({}),
      row: z.object({
        statusClass: z.int(),
        requests: Count,
        seconds: z.number(),
        bins: z.tuple([z.array(z.int()), z.array(Count)]),
      }),
    });
    expect(await columns.maintenance.query(totals, {})).toEqual([
      { statusClass: 2, requests: 2, seconds: 0.5, bins: [[-70], [2]] },
      { statusClass: 5, requests: 1, seconds: 0.25, bins: [[-70], [1]] },
    ]);
  });

  it("reads payloads back byte for byte", async () => {
    const payload = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256));
    await columns.insert({
      table: "payloads",
      columns: ["org_id", "profile_id", "started_at", "payload_b64"],
      rows: JSON.stringify([testOrg, "with-payload", 1_795_168_800_123, payload.toString("base64")]),
      dedupToken: "payload",
    });
    const payloadOf = bytesQuery({
      name: "test.payload",
      sql: "SELECT payload, {ids:Array(UInt64)}, {negative:Int64} FROM payloads WHERE org_id = {orgId:UUID} AND profile_id = {profileId:String}",
      params: z.object({
        orgId: z.uuid(),
        profileId: z.string(),
        ids: z.array(z.bigint()),
        negative: z.int(),
      }),
    });
    const params = { orgId: testOrg, profileId: "with-payload", ids: [1n, max64], negative: -5 };
    const reader = new RowBinaryReader(await columns.queryBytes(payloadOf, params));
    expect(reader.bytes().equals(payload)).toBe(true);
    expect([...reader.uint64s()]).toEqual([1n, max64]);
    expect(reader.int64()).toBe(-5n);
    expect(reader.isAtEnd).toBe(true);
  });

  it("holds the frames of a stack leaf first", async () => {
    await columns.insert({
      table: "stacks",
      columns: ["org_id", "day", "stack_id", "frame_ids_b64"],
      rows: JSON.stringify([testOrg, "2026-11-20", "7", toWordsBase64(BigUint64Array.of(3n, 2n, max64))]),
      dedupToken: "stacks",
    });
    const frames = maintenanceQuery({
      name: "test.frames",
      sql: "SELECT frame_ids AS frameIds FROM stacks WHERE org_id = {orgId:UUID} AND stack_id = 7",
      params: z.object({ orgId: z.uuid() }),
      row: z.object({ frameIds: z.array(Int64) }),
    });
    expect(await columns.maintenance.query(frames, { orgId: testOrg })).toEqual([
      { frameIds: [3n, 2n, max64] },
    ]);
  });

  describe("rows in RowBinary", () => {
    const framesOf = maintenanceQuery({
      name: "test.binary-frames",
      sql: "SELECT frame_id AS frameId, function, package, line FROM frames WHERE org_id = {orgId:UUID} AND file = {file:String} ORDER BY frame_id",
      params: z.object({ orgId: z.uuid(), file: z.string() }),
      row: z.object({ frameId: Int64, function: z.string(), package: z.string(), line: Int64 }),
    });
    const names = ["org_id", "day", "frame_id", "function", "package", "file", "line"] as const;
    const daysSinceEpoch = 20_777;

    function frameRows(file: string, ids: readonly bigint[]): Buffer {
      const writer = new RowBinaryWriter(16);
      for (const id of ids) {
        writer.uuid(testOrg);
        writer.bytes(Uint8Array.of(daysSinceEpoch & 0xff, daysSinceEpoch >>> 8));
        writer.int64(id);
        for (const text of ["main.süß", "main", file]) writer.text(text);
        writer.int64(-5n);
      }
      return writer.finish();
    }

    const insert = (rows: Buffer, dedupToken: string, columnNames: readonly string[] = names) =>
      columns.insert({ table: "frames", columns: columnNames, format: "RowBinary", rows, dedupToken });

    it("are stored unchanged, and once for one token", async () => {
      const rows = frameRows("once.go", [1n, max64]);
      await insert(rows, "binary-once");
      await insert(rows, "binary-once");
      const frame = { function: "main.süß", package: "main", line: -5n };
      expect(await columns.maintenance.query(framesOf, { orgId: testOrg, file: "once.go" })).toEqual([
        { frameId: 1n, ...frame },
        { frameId: max64, ...frame },
      ]);
    });

    it("are inserted one after the other and concurrently, in any length", async () => {
      const lists = [10, 300, 1, 2].map((count) =>
        Array.from({ length: count }, (_, i) => BigInt(1000 * count + i)),
      );
      await Promise.all(lists.map((ids, i) => insert(frameRows(`list-${i}.go`, ids), `binary-list-${i}`)));
      await insert(frameRows("list-4.go", [3n]), "binary-list-4");
      for (const [i, ids] of [...lists, [3n]].entries()) {
        const found = await columns.maintenance.query(framesOf, { orgId: testOrg, file: `list-${i}.go` });
        expect(found.map(({ frameId }) => frameId)).toEqual(ids);
      }
    });

    it("are refused as a whole if they are cut off or name an unknown column", async () => {
      const rows = frameRows("cut.go", [4n, 5n]);
      await expect(insert(rows.subarray(0, rows.length - 3), "binary-cut")).rejects.toThrow(
        /Cannot read all data/,
      );
      await expect(insert(rows, "binary-unknown", ["org_id", "nothing"])).rejects.toThrow(/nothing/);
      expect(await columns.maintenance.query(framesOf, { orgId: testOrg, file: "cut.go" })).toEqual([]);
    });
  });

  it("makes every table durable and remembers tokens, the roll-ups included", async () => {
    const tables = maintenanceQuery({
      name: "test.tables",
      sql: "SELECT name, engine_full AS definition FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
      params: z.object({}),
      row: z.object({ name: z.string(), definition: z.string() }),
    });
    const found = await columns.maintenance.query(tables, {});
    expect(found.length).toBeGreaterThanOrEqual(13);
    for (const { name, definition } of found) {
      for (const setting of [
        "fsync_after_insert = 1",
        "fsync_part_directory = 1",
        "min_rows_to_fsync_after_merge = 1",
        "min_compressed_bytes_to_fsync_after_merge = 1",
        "old_parts_lifetime = 60",
        ...(name === "schema_migrations" ? [] : ["non_replicated_deduplication_window = 1000"]),
      ]) {
        expect(definition, name).toContain(setting);
      }
    }
  });

  it("names the value that did not match the row schema", async () => {
    const wrong = maintenanceQuery({
      name: "test.wrong",
      sql: "SELECT 18446744073709551615 AS count",
      params: z.object({}),
      row: z.object({ count: Count }),
    });
    await expect(columns.maintenance.query(wrong, {})).rejects.toThrow("does not fit 53 bits");
  });

  it("refuses to write through a query", async () => {
    const nothing = z.object({});
    for (const sql of ["INSERT INTO profiles (service) VALUES ('x')", "DROP TABLE profiles"]) {
      const writing = maintenanceQuery({ name: "test.write", sql, params: nothing, row: nothing });
      await expect(columns.maintenance.query(writing, {})).rejects.toThrow(/readonly|refused/i);
    }
    expect(await columns.maintenance.query(storedRows, { service: "nobody" })).toEqual([
      { profiles: 0, counted: 0, typeTotals: 0 },
    ]);
  });

  it("is ready", async () => {
    expect(await columns.isReady()).toBe(true);
  });

  it("ends a query that takes too long or too much memory, reads wide rows in little, and answers the next one", async () => {
    await columns[Symbol.asyncDispose]();
    const limits = { executionSecondsMax: 1, memoryBytesMax: 50_000_000 };
    const small = await openColumnStore({ ...place.config, limits }, quietLog);
    const nothing = z.object({});
    const slow = maintenanceQuery({
      name: "test.slow",
      sql: "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))",
      params: nothing,
      row: nothing,
    });
    const large = maintenanceQuery({
      name: "test.large",
      sql: "SELECT length(groupArray(toString(number))) FROM numbers(100000000)",
      params: nothing,
      row: nothing,
    });
    const wide = {
      name: "test.wide",
      sql: "SELECT toString(sum(length(arrayMap(place -> place + number, range(500))))) AS numbers FROM numbers(70000)",
      params: nothing,
      row: z.object({ numbers: z.string() }),
    };
    const inSmallBlocks = maintenanceQuery({ ...wide, hasWideRows: true });
    try {
      await expect(small.maintenance.query(maintenanceQuery(wide), {})).rejects.toThrow(QueryTooExpensive);
      expect(await small.maintenance.query(inSmallBlocks, {})).toEqual([{ numbers: "35000000" }]);
      await expect(small.maintenance.query(slow, {})).rejects.toThrow(QueryTooExpensive);
      await expect(small.maintenance.query(large, {})).rejects.toThrow(QueryTooExpensive);
      expect(await small.maintenance.query(storedRows, { service: "nobody" })).toHaveLength(1);
      expect(small.health().restarts).toBe(0);
    } finally {
      await small[Symbol.asyncDispose]();
      columns = await openColumnStore(place.config, quietLog);
    }
  });

  it("reports the time of its queries by kind", async () => {
    const kinds = new Set<string>();
    columns.watchQueries((kind, seconds) => {
      if (seconds > 0) kinds.add(kind);
    });
    const row = { service: "timed", profileId: "timed", startedAt: new Date("2026-11-20T10:15:00Z") };
    const batch = profileBatch([{ ...row, stacks: [1n], values: [[1n], [10n]] }], "timed");
    await expect(columns.insert({ ...batch, columns: ["none"] })).rejects.toThrow();
    expect([...kinds]).toEqual(["insert"]);
    await columns.insert(batch);
    await columns.maintenance.query(storedRows, { service: "timed" });
    await columns.maintenance.rollUp(new Date("2026-11-20T13:00:00Z"));
    expect([...kinds]).toEqual(["insert", "read", "command"]);
  });

  it("reports every five minutes how far its roll-ups are behind", async () => {
    const behind: number[] = [];
    vi.useFakeTimers({ toFake: ["setInterval"] });
    try {
      await reopen();
      columns.maintenance.watchRollUps((seconds) => behind.push(seconds));
      vi.advanceTimersByTime(5 * minuteMs);
      await vi.waitFor(() => expect(behind).toEqual([0]), 60_000);
    } finally {
      vi.useRealTimers();
    }
  });
});
