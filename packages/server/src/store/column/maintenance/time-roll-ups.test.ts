import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { requestBatch } from "#store/testing/request-rows.ts";

const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 1000,
  resultBytesMax: 1_000_000,
  threadsMax: 2,
};

/** Everything the roll-ups hold, sums and percentiles as text. */
const rollUpRows = maintenanceQuery({
  name: "test.roll-ups",
  sql: `SELECT concat('hour ', method, ' ', path, ' ', toString(status_class)) AS name, toString(hour) AS at,
          concat(toString(sum(requests)), ' ', toString(sum(duration_seconds)), ' ',
            toString(sumMap(durations))) AS figures
        FROM http_totals_1h GROUP BY name, at
        UNION ALL
        SELECT 'minute' AS name, toString(minute) AS at,
          concat(toString(sum(requests)), ' ', toString(sum(requests_4xx)), ' ', toString(sum(requests_5xx)), ' ',
            toString(sum(duration_seconds)), ' ', toString(sumMap(durations))) AS figures
        FROM http_service_totals_1m GROUP BY at
        UNION ALL
        SELECT 'profiles' AS name, toString(hour) AS at,
          concat(toString(profiles), ' ', toString(samples), ' ', toString(duration_ms), ' ', toString(amount), ' ',
            toString(weight), ' ', toString(peak), ' ', toString(earliest), ' ', toString(latest), ' ',
            toString(bins), ' ', toString(bin_profiles)) AS figures
        FROM profile_totals_1h`,
  params: z.object({}),
  row: z.object({ name: z.string(), at: z.string(), figures: z.string() }),
});

const folder = await columnStoreFolder();
const config = { kind: "embedded" as const, dataDir: folder.path };

async function read() {
  const columns = await openColumnStore(config, quietLog);
  try {
    await columns.maintenance.rollUp(new Date("2026-11-20T12:10:00Z"));
    const rows = await columns.maintenance.query(rollUpRows, {});
    return Object.fromEntries(rows.map(({ name, at, figures }) => [`${name} at ${at}`, figures]));
  } finally {
    await columns[Symbol.asyncDispose]();
  }
}

async function forgetMigration(number: number) {
  const engine = await startEngine({ dataDir: folder.path, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  await client.command(
    `ALTER TABLE schema_migrations DELETE WHERE number = ${number} SETTINGS mutations_sync = 2`,
  );
  await client.close();
  await engine.stop();
}

const rolledRequests = maintenanceQuery({
  name: "test.rolled-requests",
  sql: "SELECT uniqExact(service) AS services, sum(requests) AS requests FROM http_totals_1h",
  params: z.object({}),
  row: z.object({ services: z.coerce.number(), requests: z.coerce.number() }),
});

it("roll up the requests of more services than the parameters of one statement can name", async () => {
  const many = await columnStoreFolder();
  const columns = await openColumnStore({ ...config, dataDir: many.path }, quietLog);
  try {
    const requests = Array.from({ length: 5000 }, (_, number) => ({
      service: `${number}-${"long-name".repeat(10)}`,
      at: "2026-11-20 10:00:00.000",
      seconds: 0.1,
      status: 200,
    }));
    await columns.insert(requestBatch(requests, "many"));
    await columns.maintenance.rollUp(new Date("2026-11-20T12:10:00Z"));
    expect(await columns.maintenance.query(rolledRequests, {})).toEqual([{ services: 5000, requests: 5000 }]);
  } finally {
    await columns[Symbol.asyncDispose]();
    many.remove();
  }
});

describe("the roll-ups by minute and hour", () => {
  beforeAll(async () => {
    const columns = await openColumnStore(config, quietLog);
    const profile = (profileId: string, time: string, cpuNs: bigint) => ({
      profileId,
      startedAt: new Date(`2026-11-20T${time}Z`),
      stacks: [1n, 2n],
      values: [
        [1n, 2n],
        [cpuNs, cpuNs],
      ],
    });
    await columns.insert(
      profileBatch(
        [profile("a", "10:15:00.000", 1_000_000_000n), profile("b", "10:59:59.999", 2_000_000_000n)],
        "one",
      ),
    );
    await columns.insert(profileBatch([profile("c", "11:00:00.000", 500_000_000n)], "two"));
    const request = (time: string, seconds: number, status: number) => ({
      at: `2026-11-20 ${time}`,
      seconds,
      status,
    });
    await columns.insert(
      requestBatch(
        [
          request("10:00:00.500", 0.25, 200),
          request("10:00:59.999", 0.5, 404),
          request("10:59:00.000", 1, 500),
        ],
        "three",
      ),
    );
    await columns[Symbol.asyncDispose]();
  });
  afterAll(() => folder.remove());

  it("count each profile and each request once, in its hour and minute", async () => {
    const rows = await read();
    expect(Object.keys(rows)).toHaveLength(3 + 2 + 2);
    expect(rows["profiles at 2026-11-20 10:00:00"]).toBe(
      "2 6 20000 600000000000 20000000000 40 2026-11-20 10:15:00.000 2026-11-20 10:59:59.999 [152,187] [1,1]",
    );
    expect(rows["hour GET / 4 at 2026-11-20 10:00:00"]).toMatch(/^1 0\.5 /);
    expect(rows["minute at 2026-11-20 10:00:00"]).toMatch(/^2 1 0 0\.75 /);
  });

  it.each([6, 7])(
    "are filled from what was stored before migration %i, and once when it runs again",
    async (number) => {
      const before = await read();
      await forgetMigration(number);
      expect(await read()).toEqual(before);
    },
  );
});
