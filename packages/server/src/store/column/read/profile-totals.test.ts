import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnBackends, quietLog } from "#store/testing/backends.ts";
import { type ProfileRow, profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { mergeRows, ProfileTotals } from "./profile-totals.ts";
import type { TotalsRow } from "./profile-totals-queries.ts";

const otherOrg = "11111111-2222-4333-8444-555555555555";
const now = new Date("2026-11-20T12:20:00Z");
const secondsOf = (time: string) => Date.parse(time) / 1000;
/** 30 days, a day cut in an hour, and an hour cut at a minute. */
const starts = ["2026-10-21T12:00:00Z", "2026-11-18T07:00:00Z", "2026-11-19T12:20:00Z"].map(secondsOf);

interface Sent {
  readonly service: string;
  readonly at: string;
  readonly cpuNs: number;
  readonly orgId: string;
}

describe.each(columnBackends())("totals of profiles on $name", (backend) => {
  let place: Awaited<ReturnType<typeof backend.create>>;
  let columns: ColumnStore;
  const all: Sent[] = [];

  async function send(...profiles: readonly (Partial<Sent> & Pick<Sent, "at" | "cpuNs">)[]) {
    const rows = profiles.map((profile) => ({ service: "api", orgId: testOrg, ...profile }));
    all.push(...rows);
    const batch = rows.map(({ at, cpuNs, ...row }, index): ProfileRow => {
      const profileId = `${all.length}-${index}`;
      return { ...row, profileId, startedAt: new Date(at), stacks: [1n], values: [[1n], [BigInt(cpuNs)]] };
    });
    await columns.insert(profileBatch(batch, `batch-${all.length}`));
  }

  /** The services of rows with figures: one, or all together. */
  const rowOf = (service: string) => (row: { readonly service: string }) =>
    service === "" ? "" : row.service;

  /** By service and start, from what was sent. */
  function expected(service = "") {
    return starts.map((start) =>
      Object.fromEntries(
        Object.entries(
          Object.groupBy(
            all.filter((sent) => sent.orgId === testOrg && secondsOf(sent.at) >= start),
            rowOf(service),
          ),
        )
          .filter(([name]) => service === "" || name === service)
          .map(([name, own = []]) => [
            name,
            {
              profiles: own.length,
              samples: own.length,
              cpu: own.reduce((sum, { cpuNs }) => sum + cpuNs, 0),
              peak: Math.max(...own.map(({ cpuNs }) => cpuNs / 1e8)),
              earliest: Math.min(...own.map(({ at }) => Date.parse(at))),
              latest: Math.max(...own.map(({ at }) => Date.parse(at))),
              spread: own.length,
            },
          ]),
      ),
    );
  }

  async function read(service = "", totals: Pick<ColumnStore, "profileTotals"> = columns) {
    const rows = await totals.profileTotals({ orgId: testOrg, service, starts, now, detail: "figures" });
    return starts.map((start) => {
      const found = Object.groupBy(
        rows.filter((row) => row.startSeconds >= start),
        rowOf(service),
      );
      return Object.fromEntries(
        Object.entries(found).map(([name, own = []]) => [
          name,
          {
            profiles: own.reduce((sum, row) => sum + row.profiles, 0),
            samples: own.reduce((sum, row) => sum + row.samples, 0),
            cpu: own.reduce((sum, row) => sum + row.amount, 0) / 100,
            peak: Math.max(...own.map((row) => row.peak)),
            earliest: Math.min(...own.map((row) => row.earliestMs)),
            latest: Math.max(...own.map((row) => row.latestMs)),
            spread: own.flatMap((row) => row.binProfiles).reduce((sum, count) => sum + count, 0),
          },
        ]),
      );
    });
  }

  async function expectAll() {
    expect(await read()).toEqual(expected());
    expect(await read("api")).toEqual(expected("api"));
    const counted = await columns.profileTotals({
      orgId: testOrg,
      service: "",
      starts,
      now,
      detail: "services",
    });
    for (const start of starts) {
      const since = counted.filter((row) => row.startSeconds >= start);
      const sent = all.filter((row) => row.orgId === testOrg && secondsOf(row.at) >= start);
      for (const name of new Set(all.map((row) => row.service))) {
        const own = since.filter((row) => row.service === name);
        const times = sent.filter((row) => row.service === name).map((row) => Date.parse(row.at));
        expect([start, name, own.reduce((sum, { profiles }) => sum + profiles, 0)]).toEqual([
          start,
          name,
          times.length,
        ]);
        expect(Math.max(...own.map((row) => row.latestMs))).toBe(Math.max(...times));
      }
    }
  }

  /** Answers of a reader that remembers nothing yet, and the hours it had to read from the profiles. */
  async function freshly() {
    const hours = new Set<number>();
    const queryBytes: ColumnStore["queryBytes"] = (definition, params) => {
      if (definition.name === "profile-totals.profiles-of-hours") {
        for (const hour of (params as { hours: number[] }).hours) hours.add(hour);
      }
      return columns.queryBytes(definition, params);
    };
    const totals = new ProfileTotals({ query: columns.query, queryBytes }, columns.maintenance);
    const reader = { profileTotals: totals.read.bind(totals) };
    expect(await read("", reader)).toEqual(expected());
    return [...hours].sort((a, b) => a - b);
  }

  const rolledProfiles = async () => {
    const rolled = maintenanceQuery({
      name: "test.rolled",
      sql: "SELECT sum(profiles) AS count FROM profile_totals_1h",
      params: z.object({}),
      row: z.object({ count: Count }),
    });
    return (await columns.maintenance.query(rolled, {}))[0]?.count;
  };

  beforeAll(async () => {
    place = await backend.create();
    columns = await openColumnStore(place.config, quietLog);
    await send(
      { at: "2026-10-21T11:59:59.999Z", cpuNs: 5_000_000 },
      { at: "2026-10-21T12:00:00.000Z", cpuNs: 50_000_000 },
      { at: "2026-10-30T23:59:59.999Z", cpuNs: 70_000_000 },
      { at: "2026-11-18T06:59:59.999Z", cpuNs: 80_000_000, service: "old" },
      { at: "2026-11-18T07:00:00.000Z", cpuNs: 90_000_000 },
      { at: "2026-11-19T12:19:59.999Z", cpuNs: 110_000_000, service: "old" },
      { at: "2026-11-19T12:20:00.000Z", cpuNs: 120_000_000 },
      { at: "2026-11-20T00:00:00.000Z", cpuNs: 130_000_000 },
      { at: "2026-11-20T11:59:59.999Z", cpuNs: 140_000_000, service: "new" },
      { at: "2026-11-20T12:19:00.000Z", cpuNs: 150_000_000 },
      { at: "2026-11-20T12:19:00.000Z", cpuNs: 900_000_000, orgId: otherOrg },
      { at: "2026-10-30T12:00:00.000Z", cpuNs: 900_000_000, orgId: otherOrg },
    );
  });
  afterAll(async () => {
    await columns[Symbol.asyncDispose]();
    await place.remove();
  });

  it("are exact before anything is rolled up", async () => {
    expect(await rolledProfiles()).toBe(0);
    await expectAll();
  });

  it("are the same from the roll-up, which contains each past hour once", async () => {
    await columns.maintenance.rollUp(now);
    const held = await rolledProfiles();
    expect(held).toBe(all.length - 2);
    await columns.maintenance.rollUp(now);
    expect(await rolledProfiles()).toBe(held);
    await expectAll();
    const cutHour = secondsOf("2026-11-19T12:00:00Z");
    expect(await freshly()).toEqual([cutHour, secondsOf("2026-11-20T12:00:00Z")]);
  });

  it("count late profiles at once, and are rolled up again", async () => {
    await send(
      { at: "2026-10-30T05:00:00.000Z", cpuNs: 160_000_000, service: "late" },
      { at: "2026-11-18T07:30:00.000Z", cpuNs: 170_000_000 },
      { at: "2026-11-20T11:30:00.000Z", cpuNs: 180_000_000 },
    );
    await expectAll();
    await columns.maintenance.rollUp(now);
    expect(await rolledProfiles()).toBe(all.length - 2);
    await expectAll();
    expect(await freshly()).toHaveLength(2);
  });

  it("count a profile that was sent twice once", async () => {
    const profile = { profileId: "twice", startedAt: new Date("2026-11-18T08:00:00Z"), service: "api" };
    const batch = profileBatch([{ ...profile, stacks: [1n], values: [[1n], [10n]] }], "twice");
    for (let time = 1; time <= 2; time++) await columns.insert(batch);
    all.push({ service: "api", at: "2026-11-18T08:00:00Z", cpuNs: 10, orgId: testOrg });
    await expectAll();
  });

  it("exclude a removed service, and include its successor even if the counts are equal", async () => {
    await columns.maintenance.rollUp(now);
    await expectAll();
    const gone = all.filter((sent) => sent.service === "old");
    await columns.maintenance.removeService({ orgId: testOrg, service: "old" });
    for (const sent of gone) all.splice(all.indexOf(sent), 1);
    await send(...gone.map((sent) => ({ ...sent, service: "young" })));
    await expectAll();
    await columns.maintenance.rollUp(now);
    await expectAll();
    expect(await freshly()).toHaveLength(2);
  });

  it("exclude dropped days", async () => {
    await columns.maintenance.dropDays("2026-11-01");
    const kept = all.filter((sent) => sent.at >= "2026-11-01");
    expect(kept.length).toBeLessThan(all.length);
    all.splice(0, all.length, ...kept);
    await expectAll();
  });
});

test("rows that were merged before are merged once, also when the cache is full", () => {
  const rows: Parameters<typeof mergeRows>[0] = [];
  const cuts = Array.from({ length: 8 }, (_, at) => [at]);
  const merged = cuts.map((each) => mergeRows(rows, each));
  for (const [at, each] of cuts.entries()) expect(mergeRows(rows, each)).toBe(merged[at]);
});

test("rows between the same cuts are added, and a peak counts where it was measured", () => {
  const row = (startSeconds: number, weight: number, peak: number): TotalsRow => ({
    ...{ service: "api", type: "cpu", startSeconds, profiles: 1, samples: 2, durationMs: 3, amount: 4 },
    ...{ earliestMs: startSeconds * 1000 + 1, latestMs: startSeconds * 1000 + 2, weight, peak },
    ...{ allocations: 5, allocated: 6, peakAllocated: startSeconds, bins: [startSeconds], binProfiles: [1] },
  });
  const before = row(50, 1, 1);
  expect(mergeRows([before, row(200, 0, 9), row(100, 7, 3), row(300, 8, 2), row(400, 0, 9)], [100])).toEqual([
    before,
    {
      ...{
        service: "api",
        type: "cpu",
        startSeconds: 100,
        profiles: 4,
        samples: 8,
        durationMs: 12,
        amount: 16,
      },
      ...{ earliestMs: 100_001, latestMs: 400_002, weight: 15, peak: 3 },
      ...{ allocations: 20, allocated: 24, peakAllocated: 400 },
      ...{ bins: [200, 100, 300, 400], binProfiles: [1, 1, 1, 1] },
    },
  ]);
});
