import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { type ColumnStore, type InsertBatch, openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { emptyTables } from "#store/testing/empty-tables.ts";
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
const loseRollUps = () =>
  emptyTables(folder.path, ["type_totals_1m", "http_totals_1m", "http_service_totals_1m"]);

async function heldNow(before: (columns: ColumnStore) => Promise<unknown> = async () => undefined) {
  const [row] = await withStore(async (columns) => {
    await before(columns);
    return columns.maintenance.query(rollUpRows, {});
  });
  return row;
}

const formerFile = join(folder.path, "columns-open");

it("recounts what a crash left uncounted or half stored, and changes nothing on the second run", async () => {
  const startedAt = new Date("2026-11-20T10:15:00.000Z");
  const profile = (profileId: string) => ({ profileId, startedAt, stacks: [1n], values: [[1n], [10n]] });
  const batches = [
    profileBatch([profile("a"), profile("b")], "one"),
    requestsBatch("answered"),
    metricsBatch("answered"),
    // Stored before the profile that represents them, which never came.
    requestsBatch("cut-off"),
  ];
  await withStore(async (columns) => {
    for (const batch of batches) await columns.insert(batch);
    await columns.maintenance.rollUp(new Date("2026-11-20T13:00:00Z"));
  });
  await loseRollUps();
  const hours = batches.flatMap((batch) => batch.hours ?? []);
  const right = {
    profiles: 3,
    requests: 2,
    minutes: 3,
    minuteRequests: 2,
    hourRequests: 0,
    serviceRequests: 2,
  };
  const recount = ({ maintenance }: ColumnStore) => maintenance.recount(hours);
  expect(await heldNow(recount)).toEqual(right);
  expect(await heldNow(recount)).toEqual(right);
  const rolledUp = await heldNow(({ maintenance }) => maintenance.rollUp(new Date("2026-11-20T13:00:00Z")));
  expect(rolledUp).toEqual({ ...right, hourRequests: 2 });
});

it("ends after the current step once it is to stop, and its hours stay doubtful", async () => {
  const { hours = [] } = requestsBatch("answered");
  const right = await heldNow(({ maintenance }) => maintenance.recount(hours));
  await withStore(async ({ maintenance }) => {
    maintenance.markDoubtful(hours);
    const { signal } = new AbortController();
    let steps = 0;
    vi.spyOn(signal, "throwIfAborted").mockImplementation(() => {
      if (++steps > 4) throw new Error("The server stops.");
    });
    await expect(maintenance.recount(hours, signal)).rejects.toThrow("The server stops.");
    expect([steps, maintenance.doubtfulHours()]).toEqual([5, hours]);
  });
  expect(await heldNow(({ maintenance }) => maintenance.recount(hours))).toEqual(right);
});

it("reports the hours that an earlier version was writing when it was killed, until they are recounted", async () => {
  const hour = { orgId: testOrg, service: "killed", hourSeconds: Date.parse("2026-11-21T10:00:00Z") / 1000 };
  writeFileSync(formerFile, `${JSON.stringify(Object.values(hour))}\n`);
  await withStore(async ({ maintenance }) => {
    expect(maintenance.doubtfulHours()).toEqual([hour]);
  });
  expect(existsSync(formerFile)).toBe(true);
  await withStore(({ maintenance }) => maintenance.recount(maintenance.doubtfulHours()));
  expect(existsSync(formerFile)).toBe(false);
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
