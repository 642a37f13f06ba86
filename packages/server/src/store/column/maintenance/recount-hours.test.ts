import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { type ColumnStore, type InsertBatch, openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { requestBatch } from "#store/testing/request-rows.ts";

const folder = await columnStoreFolder();
const config = { kind: "embedded" as const, dataDir: folder.path };
afterAll(() => folder.remove());

const profileColumns = [
  "org_id",
  "service",
  "type",
  "started_at",
  "profile_id",
  "received_at",
  "duration_ns",
  "sample_count",
] as const;

/** The profile row of a batch of HTTP metrics. */
function metricsBatch(profileId: string): InsertBatch {
  const at = Date.parse("2026-11-20T10:15:00Z");
  const hours = [{ orgId: testOrg, service: "api", hourSeconds: Date.parse("2026-11-20T10:00:00Z") / 1000 }];
  const rows = JSON.stringify([testOrg, "api", "metrics", at, profileId, at, 1_000_000_000, 2]);
  return { table: "profiles", columns: profileColumns, rows, dedupToken: `metrics-${profileId}`, hours };
}

function requestsBatch(profileId: string) {
  const request = (time: string) => ({ at: `2026-11-20 ${time}`, seconds: 0.5, status: 404, profileId });
  return requestBatch([request("10:15:00.000"), request("11:20:00.000")], `requests-${profileId}`);
}

const rollUpRows = maintenanceQuery({
  name: "test.roll-up-rows",
  sql: `SELECT (SELECT count() FROM profiles) AS profiles, (SELECT count() FROM http_requests) AS requests,
          (SELECT sumIf(profiles, sample_type = '') FROM type_totals_1m) AS minutes,
          (SELECT sum(requests) FROM http_totals_1m) AS minuteRequests,
          (SELECT sum(requests) FROM http_totals_1h) AS hourRequests,
          (SELECT sum(requests_4xx) FROM http_service_totals_1m) AS serviceRequests`,
  params: z.object({}),
  row: z.object({
    profiles: Count,
    requests: Count,
    minutes: Count,
    minuteRequests: Count,
    hourRequests: Count,
    serviceRequests: Count,
  }),
});

async function withStore<T>(use: (columns: ColumnStore) => Promise<T>): Promise<T> {
  const columns = await openColumnStore(config, quietLog);
  try {
    return await use(columns);
  } finally {
    await columns[Symbol.asyncDispose]();
  }
}

/** As if the views had missed what was stored last. */
async function loseRollUps() {
  const limits = {
    executionSecondsMax: 20,
    memoryBytesMax: 300_000_000,
    resultRowsMax: 1000,
    resultBytesMax: 1_000_000,
    threadsMax: 2,
  };
  const engine = await startEngine({ dataDir: folder.path, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  const fed = ["type_totals_1m", "http_totals_1m", "http_service_totals_1m"];
  for (const table of fed) await client.command(`TRUNCATE TABLE ${table}`);
  await client.close();
  await engine.stop();
}

async function heldNow(before: (columns: ColumnStore) => Promise<unknown> = async () => undefined) {
  const [row] = await withStore(async (columns) => {
    await before(columns);
    return columns.maintenance.query(rollUpRows, {});
  });
  return row;
}

const openHoursFile = join(folder.path, "columns-open");

/** Runs `use` and ends as a kill would: the file that names the open hours is still there. */
async function withCrash(use: (columns: ColumnStore) => Promise<void>): Promise<void> {
  const file = await withStore(async (columns) => {
    await use(columns);
    return readFileSync(openHoursFile);
  });
  await loseRollUps();
  writeFileSync(openHoursFile, file);
}

it("recounts what a crash left uncounted or half stored, and changes nothing on the second run", async () => {
  const startedAt = new Date("2026-11-20T10:15:00.000Z");
  await withCrash(async (columns) => {
    const profile = (profileId: string) => ({ profileId, startedAt, stacks: [1n], values: [[1n], [10n]] });
    await columns.insert(profileBatch([profile("a"), profile("b")], "one"));
    await columns.insert(requestsBatch("answered"));
    await columns.insert(metricsBatch("answered"));
    // Stored before the profile that represents them, which never came.
    await columns.insert(requestsBatch("cut-off"));
    await columns.maintenance.rollUp(new Date("2026-11-20T13:00:00Z"));
  });
  const file = readFileSync(openHoursFile);
  const right = {
    profiles: 3,
    requests: 2,
    minutes: 3,
    minuteRequests: 2,
    hourRequests: 0,
    serviceRequests: 2,
  };
  expect(await heldNow()).toEqual(right);
  writeFileSync(openHoursFile, file);
  expect(await heldNow()).toEqual(right);
  const rolledUp = await heldNow(({ maintenance }) => maintenance.rollUp(new Date("2026-11-20T13:00:00Z")));
  expect(rolledUp).toEqual({ ...right, hourRequests: 2 });
});

const minutesOf = maintenanceQuery({
  name: "test.minutes-of",
  sql: `SELECT sum(profiles) AS profiles FROM type_totals_1m WHERE service = {service:String} AND sample_type = ''`,
  params: z.object({ service: z.string() }),
  row: z.object({ profiles: Count }),
});

/** Stores one profile that arrives and starts at `at`. */
function storeAt(columns: ColumnStore, service: string, at: string): Promise<void> {
  const row = {
    profileId: `${service} ${at}`,
    service,
    startedAt: new Date(at),
    stacks: [1n],
    values: [[1n], [10n]],
  };
  return columns.insert(profileBatch([row], row.profileId));
}

it.each([
  ["2 hours", "2026-11-21T12:00:00Z"],
  ["4 years", "2030-11-21T10:00:00Z"],
])("counts the last hours again after a clock that was %s ahead in an earlier run", async (_, ahead) => {
  const service = `ahead until ${ahead}`;
  await withStore((columns) => storeAt(columns, service, ahead));
  await withCrash((columns) => storeAt(columns, service, "2026-11-21T10:00:00Z"));
  await withCrash((columns) => storeAt(columns, service, "2026-11-21T10:30:00Z"));
  // The roll-ups of all hours were lost; the hour that was open has both of its profiles again.
  expect(await withStore((columns) => columns.maintenance.query(minutesOf, { service }))).toEqual([
    { profiles: 2 },
  ]);
});

it("recounts the last hours after the clock jumped back while the server ran", async () => {
  const service = "jumped back";
  await withCrash(async (columns) => {
    await storeAt(columns, service, "2030-11-21T10:00:00Z");
    await storeAt(columns, service, "2026-11-21T10:00:00Z");
  });
  expect(await withStore((columns) => columns.maintenance.query(minutesOf, { service }))).toEqual([
    { profiles: 2 },
  ]);
});

it("has nothing to recount after an orderly stop", async () => {
  await withStore((columns) => storeAt(columns, "orderly", "2026-11-22T10:00:00Z"));
  expect(() => readFileSync(openHoursFile)).toThrow("ENOENT");
});

it("reports hours of a failed insert as doubtful until they are recounted", async () => {
  const own = await columnStoreFolder();
  const store = await openColumnStore({ kind: "embedded", dataDir: own.path }, quietLog);
  expect(store.maintenance.doubtfulHours()).toEqual([]);
  await expect(store.insert({ ...metricsBatch("f".repeat(32)), rows: "[broken" })).rejects.toThrow();
  const { hours } = metricsBatch("f".repeat(32));
  expect(store.maintenance.doubtfulHours()).toEqual(hours);
  await store.maintenance.recount(store.maintenance.doubtfulHours());
  expect(store.maintenance.doubtfulHours()).toEqual([]);
  await store[Symbol.asyncDispose]();
  own.remove();
});

it("recounts hours that were marked before a crash, even if their inserts succeeded long before", async () => {
  const service = "marked";
  await withStore((columns) => storeAt(columns, service, "2026-11-23T10:00:00Z"));
  await withCrash((columns) =>
    columns.maintenance.markDoubtful([
      { orgId: testOrg, service, hourSeconds: Date.parse("2026-11-23T10:00:00Z") / 1000 },
    ]),
  );
  expect(await withStore((columns) => columns.maintenance.query(minutesOf, { service }))).toEqual([
    { profiles: 1 },
  ]);
});
