import { afterAll, afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { type ColumnClient, connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, keepingLog, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { QueryTooExpensive, StoreUnavailable } from "#store/unavailable.ts";
import { endless, type RollUpLimits } from "./roll-up-chunks.ts";
import { HourRollUps } from "./roll-up-hours.ts";
import { rollUpLabels } from "./roll-up-labels.ts";

const folder = await columnStoreFolder();
const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 100_000,
  resultBytesMax: 10_000_000,
  threadsMax: 2,
};
await (await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog))[Symbol.asyncDispose]();
const engine = await startEngine({ dataDir: folder.path, memoryBytesMax: 500_000_000, limits }, quietLog);
const client = connectColumns({ ...toLogins(engine.address()!), limits });
afterAll(async () => {
  await client.close();
  await engine.stop();
  folder.remove();
});

const secondsOf = (time: string) => Date.parse(`2026-11-20T${time}Z`) / 1000;
const until = secondsOf("12:00:00");
const never = { shouldStop: () => false, endsAt: () => endless };

const unequalSeries = maintenanceQuery({
  name: "test.unequal-series",
  sql: `SELECT service, toUnixTimestamp(hour) AS hourSeconds, sum(stored) AS profiles, sum(totals) AS counted, sum(latest) AS rolled,
          sum(raw) AS value, sum(summed) AS rolledValue
        FROM (
          SELECT service, toStartOfHour(started_at) AS hour, count() AS stored, 0 AS totals, 0 AS latest,
            sum(arraySum(arrayMap((list, place) -> place * arraySum(arrayMap((value, id) -> toInt64(id % 1000) * value, list, stacks)),
              values, arrayEnumerate(values)))) AS raw, 0 AS summed
          FROM profiles GROUP BY service, hour
          UNION ALL
          SELECT service, hour, 0, sum(profiles), 0, 0, 0 FROM profile_totals_1h GROUP BY service, hour
          UNION ALL
          SELECT service, hour, 0, 0, argMax(profiles, version), 0, 0 FROM rolled_hours GROUP BY service, hour
          UNION ALL
          SELECT service, hour, 0, 0, 0, 0, sum(toInt64(stack_id % 1000) * value * if(sample_type = 'samples/count', 1, 2))
          FROM stack_totals_1h
          WHERE (service, hour, version) IN (SELECT service, hour, max(version) FROM rolled_hours GROUP BY service, hour)
          GROUP BY service, hour
        )
        GROUP BY service, hour
        HAVING profiles != counted OR profiles != rolled OR value != rolledValue
        ORDER BY service, hour`,
  params: z.object({}),
  row: z.looseObject({ service: z.string(), hourSeconds: z.int(), profiles: Count }),
});

let profileNumber = 0;
async function store(times: Record<string, readonly string[]>): Promise<void> {
  const rows = Object.entries(times).flatMap(([service, started]) =>
    started.map((time) => {
      const n = BigInt(++profileNumber);
      const stacks = [1n, 2n + (n % 3n), 500n];
      const startedAt = new Date(`2026-11-20T${time}Z`);
      const values = [
        [n, 1n, 2n],
        [10n * n, 7n, 1n],
      ];
      return { service, profileId: String(n), startedAt, stacks, values };
    }),
  );
  await client.insert(profileBatch(rows, `batch ${profileNumber}`));
}

const services = Array.from({ length: 6 }, (_, index) => `service-${index}`);
const fleet = (...times: string[]) => Object.fromEntries(services.map((service) => [service, times]));

interface Sent {
  readonly sql: string;
  readonly params: { readonly hour?: Date; readonly services?: readonly string[] };
}

/** The client, with a record of its statements. `fault` is called after each of them. */
function watched(fault: (sent: Sent) => Error | undefined = () => undefined) {
  const sent: Sent[] = [];
  const watching: ColumnClient = {
    ...client,
    command: async (sql, params = {}) => {
      await client.command(sql, params);
      sent.push({ sql, params });
      const failure = fault(sent.at(-1)!);
      if (failure !== undefined) throw failure;
    },
  };
  const hours = () =>
    sent
      .filter(({ sql }) => sql.includes("INTO stack_totals_1h"))
      .map(({ params }) => params.hour!.getUTCHours());
  return { client: watching, sent, hours };
}

/** Stops after one chunk. */
function afterOne(): RollUpLimits {
  let asked = 0;
  return { ...never, shouldStop: () => asked++ > 0 };
}

beforeEach(async () => {
  for (const table of [
    "profiles",
    "type_totals_1m",
    "profile_totals_1h",
    "rolled_hours",
    "stack_totals_1h",
    "label_totals_1h",
    "rolled_label_hours",
  ]) {
    await client.command(`TRUNCATE TABLE ${table}`);
  }
});

describe("the hourly roll-ups", () => {
  afterEach(async () => {
    // Merges keep what readers see.
    await client.command("OPTIMIZE TABLE stack_totals_1h FINAL");
    expect(await client.query(unequalSeries, {})).toEqual([]);
  });

  it("sum all series of an hour with one statement, exactly, and a late profile with another", async () => {
    await store(fleet("10:00:00.000", "10:15:00.000", "10:59:59.999", "11:30:00.000"));
    const rollUps = new HourRollUps(quietLog);
    const first = watched();
    expect(await rollUps.run(first.client, until, never)).toBe(2 * services.length);
    expect(first.hours()).toEqual([11, 10]);
    expect(await rollUps.run(client, until, never)).toBe(0);

    await store({ "service-3": ["10:30:00.000"] });
    const late = watched();
    expect(await rollUps.run(late.client, until, never)).toBe(1);
    expect(late.sent.map(({ params }) => params.services)).toEqual([
      ["service-3"],
      ["service-3"],
      ["service-3"],
    ]);
    expect(late.hours()).toEqual([10]);
  });

  it("count a profile of the last second of an hour that was stored with one of the next", async () => {
    await store({ last: ["10:59:59.999", "11:00:00.000"] });
    expect(await new HourRollUps(quietLog).run(client, until, never)).toBe(2);
  });

  it("take the newest and the oldest hour in turns, also when each run ends after one chunk", async () => {
    await store({
      api: ["06:10:00.000", "07:10:00.000", "08:10:00.000", "09:10:00.000", "10:10:00.000", "11:10:00.000"],
    });
    const rollUps = new HourRollUps(quietLog);
    const { client: watching, hours } = watched();
    for (let run = 0; run < 6; run++) {
      expect(await rollUps.run(watching, until, afterOne())).toBe(1);
      expect(rollUps.lag().profiles).toBe(6 - run);
    }
    expect(hours()).toEqual([11, 6, 10, 7, 9, 8]);
    await rollUps.run(client, until, never);
    expect(rollUps.lag().profiles).toBe(0);
  });

  it("write no totals with a statement that arrives after the end of the term", async () => {
    await store({ api: ["10:10:00.000"] });
    const rollUps = new HourRollUps(quietLog);
    const ended = { ...never, endsAt: () => Math.floor(Date.now() / 1000) - 1 };
    await rollUps.run(client, until, ended);
    const totals = async () => (await client.query(summedProfiles, {}))[0]!.profiles;
    expect(await totals()).toBe(0);
    await new HourRollUps(quietLog).run(client, until, never);
    expect(await totals()).toBeGreaterThan(0);
  });

  it("halve a chunk that takes too much, down to single series, and count nothing twice", async () => {
    await store(fleet("10:10:00.000", "10:20:00.000"));
    const expensive = watched(({ sql, params }) =>
      !sql.startsWith("DELETE") && params.services!.length > 1 ? new QueryTooExpensive("memory") : undefined,
    );
    expect(await new HourRollUps(quietLog).run(expensive.client, until, never)).toBe(services.length);
    const sizes = expensive.sent.map(({ params }) => params.services!.length);
    expect([Math.max(...sizes), Math.min(...sizes)]).toEqual([services.length, 1]);
  });

  it("sum an hour again after a stop between its sums and the note of their version", async () => {
    await store(fleet("10:10:00.000"));
    const rollUps = new HourRollUps(quietLog);
    await rollUps.run(client, until, never);
    await store(fleet("09:20:00.000", "10:20:00.000"));
    const stopped = watched(({ sql }) =>
      sql.includes("INTO stack_totals_1h") ? new StoreUnavailable("The engine was killed.") : undefined,
    );
    for (let time = 0; time < 5; time++) {
      await expect(rollUps.run(stopped.client, until, never)).rejects.toThrow("killed");
    }
    // A store that is away is not asked for the other hour too.
    expect(stopped.sent.filter(({ sql }) => sql.includes("INTO stack_totals_1h"))).toHaveLength(5);
    await store({ "service-0": ["10:30:00.000"] });
    expect(await new HourRollUps(quietLog).run(client, until, never)).toBe(2 * services.length);
  });
});

test("a series that fails keeps no other from its turn, and the lag is noted once, until it ends", async () => {
  await store({ ...fleet("09:10:00.000", "10:10:00.000"), broken: ["10:10:00.000"] });
  const log = keepingLog();
  let nowMs = secondsOf("12:05:00") * 1000;
  const rollUps = new HourRollUps(log, () => nowMs);
  const failing = watched(({ sql, params }) =>
    sql.includes("INTO stack_totals_1h") && params.services!.includes("broken")
      ? new QueryTooExpensive("memory")
      : undefined,
  );
  await expect(rollUps.run(failing.client, until, never)).rejects.toThrow("memory");
  // The halves without it are written.
  const waiting = await client.query(unequalSeries, {});
  expect(waiting.map(({ service, hourSeconds }) => [service, hourSeconds])).toEqual([
    ["broken", secondsOf("10:00:00")],
  ]);

  for (const [minutes, lines] of [
    [60, 0],
    [61, 1],
    [62, 1],
  ] as const) {
    nowMs += minutes * 60_000;
    rollUps.noteLag();
    expect(log.lines).toHaveLength(lines);
  }
  expect(rollUps.lag()).toMatchObject({ seconds: 183 * 60, isLong: true });
  expect(rollUps.behindSeconds(until)).toBe(until - secondsOf("10:00:00"));
  expect(await rollUps.run(client, until, never)).toBe(1);
  expect(rollUps.lag()).toEqual({ seconds: 0, profiles: 0, isLong: false });
  expect(rollUps.behindSeconds(until)).toBe(0);
  // No run since, because the store is away.
  expect(rollUps.behindSeconds(until + 7200)).toBe(7200);
  rollUps.noteLag();
  expect(log.lines.map(({ message }) => message)).toEqual([
    expect.stringContaining("give the server more CPU"),
    "the hourly roll-ups have caught up",
  ]);
});

const summedProfiles = maintenanceQuery({
  name: "test.summed-profiles",
  sql: "SELECT sum(profiles) AS profiles FROM profile_totals_1h",
  params: z.object({}),
  row: z.object({ profiles: Count }),
});

const rolledLabels = maintenanceQuery({
  name: "test.rolled",
  sql: `SELECT argMax(profiles, version) AS profiles, argMax(has_rows, version) AS hasRows,
          (SELECT count() FROM label_totals_1h) AS rows
        FROM rolled_label_hours`,
  params: z.object({}),
  row: z.object({ profiles: Count, hasRows: Count, rows: Count }),
});

/** A profile of one stack without labels and one with a label. */
const insertProfile = `INSERT INTO profiles (org_id, service, type, started_at, profile_id, sample_types, totals, deltas_totals, stacks, values,
  labels_recorded, label_sets, sample_sets, label_totals)
SELECT {orgId:UUID}, 'shop', 'cpu', toDateTime64('2026-11-20 10:15:00', 3, 'UTC'), {id:String}, ['cpu/nanoseconds'], [30], [30], [1, 2], [[10, 20]],
  1, [map('handler', {id:String})], [0, 1], [[20]]`;

test("an hour with too many sets of labels is noted and gets no rows, until the limit allows it", async () => {
  let version = 0;
  const rollUp = async (profiles: number, setsMax: number) => {
    const counts = { profiles, summed: 0, rolled: 0, latest: version, values: 4, isLabelled: true };
    const series = [{ orgId: testOrg, service: "shop", type: "cpu", ...counts }];
    const chunk = { hourSeconds: secondsOf("10:00:00"), series, endsAt: endless };
    await rollUpLabels(client, chunk, ++version, setsMax);
  };
  await client.command(insertProfile, { orgId: testOrg, id: "a" });
  await client.command(insertProfile, { orgId: testOrg, id: "b" });
  // Samples without labels are a set, too.
  await rollUp(2, 2);
  expect(await client.query(rolledLabels, {})).toEqual([{ profiles: 2, hasRows: 0, rows: 0 }]);
  await client.command(insertProfile, { orgId: testOrg, id: "c" });
  await rollUp(3, 4);
  expect(await client.query(rolledLabels, {})).toEqual([{ profiles: 3, hasRows: 1, rows: 4 }]);
});
