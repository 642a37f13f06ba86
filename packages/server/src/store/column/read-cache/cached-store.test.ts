import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type ColumnStore, openColumnStore, type TotalsRow } from "#store/column/column-store.ts";
import { bytesQuery, query } from "#store/column/query.ts";
import { ProfileTotals } from "#store/column/read/profile-totals.ts";
import { readRolledHours } from "#store/column/read/stack-totals.ts";
import { hourOf, hourSeconds } from "#store/column/utc.ts";
import { SeriesRange } from "#store/column/values.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";

const services = ["api", "worker"];
const day = "2026-11-20";
/** In the last hour with profiles. */
const now = new Date(`${day}T17:50:00Z`);
const start = Date.parse(`${day}T12:00:00Z`);

const minutes = {
  name: "test.minutes",
  sql: `SELECT toUnixTimestamp(minute) AS start, toFloat64(sum(profiles)) AS profiles, toFloat64(sum(value)) AS value
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String} AND sample_type = ''
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
        GROUP BY start ORDER BY start`,
  params: SeriesRange,
  row: z.object({ start: z.int(), profiles: z.number(), value: z.number() }),
};
const cachedMinutes = query({ ...minutes, isCacheable: true });
const cachedBytes = bytesQuery({ ...minutes, isCacheable: true });
const storedMinutes = query(minutes);

/** The same numbers each time: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let folder: Awaited<ReturnType<typeof columnStoreFolder>>;
let columns: ColumnStore;
beforeAll(async () => {
  folder = await columnStoreFolder();
  columns = await openColumnStore(
    { kind: "embedded", dataDir: folder.path, readCacheBytesMax: 4_000_000 },
    quietLog,
  );
});
afterAll(async () => {
  await columns[Symbol.asyncDispose]();
  folder.remove();
});

let sent = 0;
async function send(random: () => number): Promise<void> {
  // Most profiles are of the present hour.
  const hours = random() < 0.6 ? [5, 6] : [0, 7];
  const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const startedAt = new Date(
      start + Math.floor((hours[0]! + random() * (hours[1]! - hours[0]!)) * hourSeconds * 1000),
    );
    const value = BigInt(Math.floor(random() * 1000));
    return {
      profileId: `profile-${++sent}`,
      service: services[Math.floor(random() * 2)]!,
      startedAt,
      stacks: [1n, 2n],
      values: [
        [1n, 1n],
        [value, 1n],
      ],
    };
  });
  await columns.insert(profileBatch(rows, `batch-${sent}`));
}

async function stacksOf(range: z.output<typeof SeriesRange>): Promise<Record<string, bigint>> {
  const minutes = await columns.query(cachedMinutes, range);
  const profiles = new Map<number, number>();
  for (const minute of minutes) {
    const hour = hourOf(minute.start);
    profiles.set(hour, (profiles.get(hour) ?? 0) + minute.profiles);
  }
  const { ids, totals } = await columns.stackTotals(
    { ...range, sampleType: "cpu/nanoseconds", additionalType: "" },
    {
      profiles,
      minutes: new Map(minutes.map(({ start, profiles }) => [start, profiles])),
      rolled: await readRolledHours(columns, range),
      waiting: [],
    },
  );
  const sums: Record<string, bigint> = {};
  for (const [index, id] of ids.entries()) sums[String(id)] = (sums[String(id)] ?? 0n) + totals[index]!;
  return sums;
}

const ranges = services.flatMap((service) =>
  [0, 3].map((firstHour) => {
    const from = new Date(start + firstHour * hourSeconds * 1000);
    return { orgId: testOrg, service, type: "cpu", from, to: now };
  }),
);
const starts = [start / 1000 + 1800];
const totalsRange = { orgId: testOrg, service: "", starts, now, detail: "services" as const };

/** Fills the cache with whatever is stored at this moment. */
async function readEverything(): Promise<void> {
  for (const range of ranges) {
    await columns.query(cachedMinutes, range);
    await stacksOf(range);
  }
  await columns.profileTotals(totalsRange);
}

/** Compares two readings with what is stored. At least the second reading comes from the cache. */
async function check(): Promise<void> {
  for (const range of ranges) {
    const stored = await columns.query(storedMinutes, range);
    expect(await columns.query(cachedMinutes, range)).toEqual(stored);
    expect(await columns.query(cachedMinutes, range)).toEqual(stored);
    const stacks = await stacksOf(range);
    const count = stored.reduce((sum, { profiles }) => sum + profiles, 0);
    // Each profile adds one to the second stack.
    expect(stacks[2] ?? 0n).toBe(BigInt(count));
    expect(await stacksOf(range)).toEqual(stacks);
  }
  const uncached = await new ProfileTotals(columns, columns.maintenance).read(totalsRange);
  const inOrder = (rows: readonly TotalsRow[]) =>
    rows.map((row) => [row.service, row.startSeconds, row.profiles, row.latestMs].join()).toSorted();
  const totals = await columns.profileTotals(totalsRange);
  expect(inOrder(totals)).toEqual(inOrder(uncached));
  expect(await columns.profileTotals(totalsRange)).toBe(totals);
}

it("answers from memory until a row of the range is written", async () => {
  const random = randomFrom(3);
  await send(random);
  for (const range of ranges) {
    await columns.queryBytes(cachedBytes, range);
    const cached = await columns.queryBytes(cachedBytes, range);
    expect(await columns.queryBytes(cachedBytes, range)).toBe(cached);
  }
  const before = await Promise.all(ranges.map((range) => columns.queryBytes(cachedBytes, range)));
  await send(random);
  const after = await Promise.all(ranges.map((range) => columns.queryBytes(cachedBytes, range)));
  expect(after.filter((bytes, index) => bytes !== before[index]).length).toBeGreaterThan(0);
});

it.each(isFullLength ? [1, 2, 3, 4] : [1, 2])(
  "answers what is stored after inserts, roll-ups and removals in any order, seed %i",
  async (seed) => {
    const random = randomFrom(seed);
    for (let step = 0; step < 10; step++) {
      const choice = random();
      if (choice < 0.6) await Promise.all([send(random), readEverything(), send(random)]);
      else if (choice < 0.75) await columns.maintenance.rollUp(now);
      else if (choice < 0.85) {
        const service = services[Math.floor(random() * 2)]!;
        await columns.maintenance.removeService({ orgId: testOrg, service });
      } else if (choice < 0.9) await columns.maintenance.removeDays(testOrg, "2026-11-21");
      await check();
    }
    expect(sent).toBeGreaterThan(5);
  },
  120_000,
);
