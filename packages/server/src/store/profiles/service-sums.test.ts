import { afterAll, beforeAll, expect, it } from "vitest";
import { openColumnStore } from "#store/column/column-store.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { sumsOfServices } from "./service-sums.ts";

const now = new Date("2026-11-20T17:20:00Z");
const nowSeconds = now.getTime() / 1000;
const minuteSeconds = 60;
const durationNs = 10_000_000_000;

interface Sent {
  readonly service: string;
  readonly seconds: number;
  readonly cpuNs: number;
}

let folder: Awaited<ReturnType<typeof columnStoreFolder>>;
let columns: Awaited<ReturnType<typeof openColumnStore>>;
const sent: Sent[] = [];
beforeAll(async () => {
  folder = await columnStoreFolder();
  columns = await openColumnStore(
    { kind: "embedded", dataDir: folder.path, readCacheBytesMax: 4_000_000 },
    quietLog,
  );
  // One in 47 minutes of two days, so that every minute of an hour has some; the last ones are ahead of the clock.
  for (let minute = -60; minute < 2 * 1440; minute += 47) {
    await send(minute % 3 === 0 ? "api" : "worker", nowSeconds - minute * minuteSeconds + 7);
  }
});
afterAll(async () => {
  await columns[Symbol.asyncDispose]();
  folder.remove();
});

async function send(service: string, seconds: number): Promise<void> {
  const cpuNs = 1000 + sent.length ** 2;
  sent.push({ service, seconds, cpuNs });
  const row = {
    profileId: `profile-${sent.length}`,
    service,
    startedAt: new Date(seconds * 1000),
    stacks: [1n],
    values: [[1n], [BigInt(cpuNs)]],
  };
  await columns.insert(profileBatch([row], row.profileId));
}

async function check(cuts: readonly number[], services: readonly string[] = []): Promise<void> {
  const found = await sumsOfServices(columns, { orgId: testOrg, type: "cpu", cuts, now, services });
  const partOf = (seconds: number) => cuts.findLastIndex((cut) => cut <= seconds);
  const wanted = sent.filter(
    ({ service, seconds }) =>
      seconds >= cuts[0]! && seconds < cuts.at(-1)! && (services.length === 0 || services.includes(service)),
  );
  const expected = [...Map.groupBy(wanted, ({ service }) => service)].map(([service, own]) => {
    const parts = cuts.slice(1).map((_, part) => own.filter(({ seconds }) => partOf(seconds) === part));
    return {
      service,
      sampleType: "cpu/nanoseconds",
      totals: parts.map((each) => each.reduce((sum, { cpuNs }) => sum + cpuNs, 0)),
      profiles: parts.map(({ length }) => length),
      durationsNs: parts.map(({ length }) => length * durationNs),
    };
  });
  const byName = (a: { service: string }, b: { service: string }) => (a.service < b.service ? -1 : 1);
  expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
}

const ago = (minutes: number) => nowSeconds - minutes * minuteSeconds;
const ranges: readonly (readonly [string, readonly number[]])[] = [
  ["a day, with the day before", [ago(2 * 1440), ago(1440), nowSeconds]],
  ["a day until ahead of the clock", [ago(1440), ago(-1440)]],
  ["whole hours that are over", [ago(20 + 10 * 60), ago(20)]],
  ["minutes of hours long ago", [ago(1000), ago(777), ago(500)]],
  ["a few minutes", [ago(100), ago(50), nowSeconds]],
  ["parts that are shorter than an hour", [ago(600), ago(590), ago(585), ago(100)]],
  ["the time after the clock", [nowSeconds, ago(-100)]],
];

it.each(ranges)("has the sums of the profiles of %s, also after others came", async (_, cuts) => {
  await check(cuts);
  for (const seconds of [nowSeconds - 5, ago(300), cuts[0]! + 1]) await send("late", seconds);
  await check(cuts);
  await check(cuts.map((cut) => cut - minuteSeconds));
  await check(cuts, ["api", "nobody"]);
});
