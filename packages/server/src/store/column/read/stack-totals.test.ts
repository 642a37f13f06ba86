import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnBackends, quietLog } from "#store/testing/backends.ts";
import { type ProfileRow, profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { PartCache } from "./part-cache.ts";
import { readRolledHours, readStackTotals } from "./stack-totals.ts";

const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const otherOrg = "11111111-2222-4333-8444-555555555555";
const small = 3n;
const large = 2n ** 64n - 1n;

function profile(profileId: string, startedAt: Date, values: readonly [bigint, bigint]): ProfileRow {
  return { profileId, startedAt, service: "api", stacks: [small, large], values: [[1n, 1n], values] };
}

/** A stack has a part of its total in each query that reads some of the hours. */
function sums(ids: BigUint64Array, values: BigInt64Array): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const [index, id] of ids.entries()) all[String(id)] = (all[String(id)] ?? 0n) + values[index]!;
  return all;
}

describe.each(columnBackends())("stack totals on $name", (backend) => {
  let place: Awaited<ReturnType<typeof backend.create>>;
  let columns: ColumnStore;
  let parts: PartCache;
  let sent = 0;
  const send = (rows: readonly ProfileRow[]) => columns.insert(profileBatch(rows, `batch-${++sent}`));
  const profilesBy = async (unit: "Hour" | "Minute", from: Date, to: Date) => {
    const counts = maintenanceQuery({
      name: "test.profiles",
      sql: `SELECT toUnixTimestamp(toStartOf${unit}(minute)) AS start, sum(profiles) AS count FROM type_totals_1m
            WHERE org_id = {orgId:UUID} AND service = 'api' AND type = 'cpu' AND sample_type = ''
              AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
            GROUP BY start`,
      params: z.object({ orgId: z.uuid(), from: z.date(), to: z.date() }),
      row: z.object({ start: z.int(), count: Count }),
    });
    const rows = await columns.maintenance.query(counts, { orgId: testOrg, from, to });
    return new Map(rows.map(({ start, count }) => [start, count]));
  };
  const totals = async (from: string, to: string) => {
    const params = {
      orgId: testOrg,
      service: "api",
      type: "cpu",
      sampleType: "cpu/nanoseconds",
      additionalType: "",
    };
    const range = { ...params, from: at(from), to: at(to) };
    const hours = {
      profiles: await profilesBy("Hour", range.from, range.to),
      minutes: new Map<number, number>(),
      rolled: await readRolledHours(columns, range),
      waiting: [],
    };
    const { ids, totals: values, additional } = await readStackTotals(columns, parts, range, hours);
    expect(additional).toEqual(new BigInt64Array(ids.length));
    const both = await readStackTotals(columns, parts, { ...range, additionalType: "samples/count" }, hours);
    expect(both.totals.toSorted()).toEqual(values.toSorted());
    const minutes = await profilesBy("Minute", range.from, range.to);
    const inBlocks = await readStackTotals(columns, parts, range, { ...hours, minutes });
    expect(sums(inBlocks.ids, inBlocks.totals)).toEqual(sums(ids, values));
    // Each profile has one sample of each stack.
    expect(new Set(Object.values(sums(both.ids, both.additional))).size).toBe(ids.length === 0 ? 0 : 1);
    return sums(ids, values);
  };
  const rolledRows = async () => {
    const rolled = maintenanceQuery({
      name: "test.rolled",
      sql: "SELECT count() AS count FROM stack_totals_1h FINAL WHERE sample_type = 'cpu/nanoseconds'",
      params: z.object({}),
      row: z.object({ count: Count }),
    });
    return (await columns.maintenance.query(rolled, {}))[0]?.count;
  };

  beforeAll(async () => {
    place = await backend.create();
    columns = await openColumnStore(place.config, quietLog);
    parts = new PartCache(() => 0, 1_000_000);
    await send([
      profile("a", at("10:15:00.000"), [1n, 10n]),
      profile("b", at("10:59:59.999"), [2n, -20n]),
      profile("c", at("11:00:00.000"), [4n, 40n]),
      profile("d", at("12:30:00.000"), [8n, 80n]),
      { ...profile("e", at("10:15:00.000"), [1000n, 1000n]), service: "other" },
      { ...profile("f", at("10:15:00.000"), [1000n, 1000n]), orgId: otherOrg },
    ]);
  });
  afterAll(async () => {
    await columns[Symbol.asyncDispose]();
    await place.remove();
  });

  const expectAll = async () => {
    expect(await totals("10:00:00", "13:00:00")).toEqual({ [String(small)]: 15n, [String(large)]: 110n });
    expect(await totals("10:30:00", "11:30:00")).toEqual({ [String(small)]: 6n, [String(large)]: 20n });
    expect(await totals("10:00:00", "11:00:00")).toEqual({ [String(small)]: 3n, [String(large)]: -10n });
    expect(await totals("14:00:00", "15:00:00")).toEqual({});
  };

  it("are exact before anything is rolled up", async () => {
    expect(await rolledRows()).toBe(0);
    await expectAll();
  });

  it("are the same after past hours are rolled up once", async () => {
    // 12:00 is not over; 11:00 of one service, 10:00 of three series are.
    expect(await columns.maintenance.rollUp(at("12:10:00"))).toBe(4);
    expect(await rolledRows()).toBe(8);
    await expectAll();
    expect(await columns.maintenance.rollUp(at("12:10:00"))).toBe(0);
  });

  it("count a late profile at once, and once more after the hour was rolled up again", async () => {
    await send([profile("late", at("10:20:00.000"), [100n, 0n])]);
    const expected = { [String(small)]: 103n, [String(large)]: -10n };
    expect(await totals("10:00:00", "11:00:00")).toEqual(expected);
    expect(await columns.maintenance.rollUp(at("12:20:00"))).toBe(1);
    expect(await totals("10:00:00", "11:00:00")).toEqual(expected);
    expect(await columns.maintenance.rollUp(at("12:20:00"))).toBe(0);
  });

  it("are rolled up again after a clock that was ahead has rolled them up", async () => {
    await columns.maintenance.rollUp(at("15:10:00"));
    await send([profile("later", at("10:25:00.000"), [1000n, 0n])]);
    expect(await columns.maintenance.rollUp(at("12:30:00"))).toBe(1);
    expect(await columns.maintenance.rollUp(at("12:30:00"))).toBe(0);
    expect(await totals("10:00:00", "11:00:00")).toEqual({ [String(small)]: 1103n, [String(large)]: -10n });
  });
});
