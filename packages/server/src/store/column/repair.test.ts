import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { requestBatch } from "#store/testing/request-rows.ts";
import { connectColumns } from "./client.ts";
import { type ColumnStore, openColumnStore } from "./column-store.ts";
import { startEngine } from "./engine/supervisor.ts";
import { question } from "./question.ts";
import { Count } from "./values.ts";

const folder = temporaryFolder();
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

/** The profile that stands for a batch of HTTP metrics. */
function metricsBatch(profileId: string) {
  const at = Date.parse("2026-11-20T10:15:00Z");
  const rows = JSON.stringify([testOrg, "api", "metrics", at, profileId, at, 1_000_000_000, 2]);
  return { table: "profiles", columns: profileColumns, rows, dedupToken: `metrics-${profileId}` };
}

function requestsBatch(profileId: string) {
  const request = (time: string) => ({ at: `2026-11-20 ${time}`, seconds: 0.5, status: 404, profileId });
  return requestBatch([request("10:15:00.000"), request("11:20:00.000")], `requests-${profileId}`);
}

const held = question({
  name: "test.held",
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
    await columns.close();
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
  const { url, readerPassword, writerPassword } = engine.address()!;
  const client = connectColumns({
    reader: { url, username: "reader", password: readerPassword },
    writer: { url, username: "writer", password: writerPassword },
    limits,
  });
  const fed = ["type_totals_1m", "http_totals_1m", "http_service_totals_1m"];
  for (const table of fed) await client.command(`TRUNCATE TABLE ${table}`);
  await client.close();
  await engine.stop();
}

async function heldNow() {
  const [row] = await withStore((columns) => columns.ask(held, {}));
  return row;
}

it("counts anew what a crash left uncounted or half stored, and changes nothing a second time", async () => {
  const startedAt = new Date("2026-11-20T10:15:00.000Z");
  await withStore(async (columns) => {
    const profile = (profileId: string) => ({ profileId, startedAt, stacks: [1n], values: [[1n], [10n]] });
    await columns.insert(profileBatch([profile("a"), profile("b")], "one"));
    await columns.insert(requestsBatch("answered"));
    await columns.insert(metricsBatch("answered"));
    // Stored before the profile that stands for it, which never came.
    await columns.insert(requestsBatch("cut-off"));
    await columns.rollUp(new Date("2026-11-20T13:00:00Z"));
  });
  await loseRollUps();
  expect(await heldNow()).toMatchObject({
    profiles: 3,
    requests: 4,
    minutes: 0,
    hourRequests: 4,
  });

  const right = {
    profiles: 3,
    requests: 2,
    minutes: 3,
    minuteRequests: 2,
    hourRequests: 0,
    serviceRequests: 2,
  };
  for (let crash = 1; crash <= 2; crash++) {
    writeFileSync(join(folder.path, "columns-open"), "");
    expect(await heldNow()).toEqual(right);
  }
  await withStore((columns) => columns.rollUp(new Date("2026-11-20T13:00:00Z")));
  expect(await heldNow()).toEqual({ ...right, hourRequests: 2 });
});
