import { decodeFlameGraph } from "@flamekeep/flame";
import { decodeComparison } from "@flamekeep/flame/compare";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

interface Odd {
  readonly type: string;
  readonly sampleTypes: readonly string[];
  readonly picture: string;
  /** By sample type. */
  readonly totals: readonly bigint[];
  readonly sampleCount: number;
  readonly defaultSampleType?: string;
}

const two62 = 2n ** 62n;
const cpu = { type: "cpu", sampleTypes: ["samples/count", "cpu/nanoseconds"] };
const lock = { type: "mutex", sampleTypes: ["contentions/count", "delay/nanoseconds"] };

const odd: Record<string, Odd> = {
  "negative values": { ...cpu, picture: "main main\na b\n7,70 -8,-80", totals: [-1n, -10n], sampleCount: -1 },
  "values that cancel": { ...cpu, picture: "main main\na b\n8,80 -8,-80", totals: [0n, 0n], sampleCount: 0 },
  "an int64 total that overflows": {
    ...cpu,
    picture: `main main main\na b c\n1,${two62} 1,${two62} 1,${two62}`,
    totals: [3n, -two62],
    sampleCount: 3,
  },
  "the smallest int64": {
    ...cpu,
    picture: `main main\na b\n1,${-(2n ** 63n)} 2,1`,
    totals: [3n, 1n - 2n ** 63n],
    sampleCount: 3,
  },
  "a total that doubles would round otherwise": {
    ...cpu,
    picture: `main main main\na b c\n1,${2n ** 53n} 1,1 1,1`,
    totals: [3n, 2n ** 53n + 2n],
    sampleCount: 3,
  },
  "samples without time": { ...cpu, picture: "main main\na b\n5,0 2,20", totals: [7n, 20n], sampleCount: 7 },
  "no samples": { ...cpu, picture: "\n", totals: [0n, 0n], sampleCount: 0 },
  "equal stacks more than once": {
    ...cpu,
    picture: "main main main\na b a\n1,10 2,20 4,40",
    totals: [7n, 70n],
    sampleCount: 7,
  },
  "equal stacks that nothing counts": {
    type: "custom",
    sampleTypes: ["sent/bytes"],
    picture: "main main main main\na b a c\n1 2 4 0",
    totals: [7n],
    sampleCount: 3,
  },
  "a custom count, negative too": {
    type: "custom",
    sampleTypes: ["opened/count", "carts/count"],
    picture: "main main\na b\n9,-16 1,15",
    totals: [10n, -1n],
    sampleCount: -1,
  },
  "wall-clock time": {
    type: "custom",
    sampleTypes: ["sample/count", "wall/nanoseconds"],
    picture: "main main\na a\n2,20 3,30",
    totals: [5n, 50n],
    sampleCount: 5,
  },
  "objects of a heap": {
    type: "memory",
    sampleTypes: ["inuse_objects/count", "inuse_space/bytes"],
    picture: "main main main\na b a\n1,10 2,20 4,40",
    totals: [7n, 70n],
    sampleCount: 7,
  },
  "a profile that names its first sample type": {
    type: "custom",
    sampleTypes: ["sent/bytes", "carts/count"],
    defaultSampleType: "sent",
    picture: "main main main\na b a\n1,10 2,20 4,40",
    totals: [7n, 70n],
    sampleCount: 2,
  },
  goroutines: {
    type: "goroutine",
    sampleTypes: ["goroutine/count"],
    picture: "main main main\na b a\n3 2 4",
    totals: [9n],
    sampleCount: 9,
  },
  contentions: {
    ...lock,
    picture: "main main main\na b a\n3,30 2,20 4,40",
    totals: [9n, 90n],
    sampleCount: 9,
  },
  "a stack of 10,000 frames": {
    ...cpu,
    picture: `${"f\n".repeat(9999)}leaf\n3,30`,
    totals: [3n, 30n],
    sampleCount: 3,
  },
};

let server: TestApp;
let person: Person;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  headers = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

const inject = (path: string, more: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/v1/protected/${path}`, headers: { ...person.headers, ...more } });
const get = async (path: string) => {
  const reply = await inject(path);
  expect([path, reply.statusCode]).toEqual([path, 200]);
  return reply.json();
};
const columns = { accept: "application/vnd.flamekeep.flamegraph.v3" };
const comparedColumns = { accept: "application/vnd.flamekeep.flamegraph-diff.v3" };

async function send(service: string, { type, sampleTypes, picture, defaultSampleType = "" }: Odd) {
  // Gauges with a duration are differences.
  const durationNs = type === "memory" || type === "goroutine" ? 0n : 1_000_000_000n;
  const profile = profileOf(picture, { sampleTypes, durationNs });
  const query = { service, type, started_at: "2026-11-20T11:50:00Z" };
  return server.send({ ...profile, defaultSampleType }, { headers, query });
}

describe.each(Object.entries(odd))("%s", (name, profile) => {
  const service = name.replace(/[^a-z0-9]+/g, "-");
  const totals = profile.totals.map(Number);
  const names = profile.sampleTypes.map((sampleType) => sampleType.split("/")[0]!);
  let id = "";
  let sampleCount = 0;
  beforeAll(async () => {
    ({ profile_id: id, sample_count: sampleCount } = await send(service, profile));
  });

  test("has the same totals on every endpoint", async () => {
    const single = await get(`profile/${id}`);
    const { profiles } = await get(`profiles/service/${service}`);
    for (const shown of [single, profiles[0]]) {
      expect(shown.sample_types.map(({ total }: { total: number }) => total)).toEqual(totals);
    }
    for (const [index, sampleType] of names.entries()) {
      for (const graph of [`flamegraph/${id}?`, `flamegraph/service/${service}/${profile.type}?since=1h&`]) {
        const path = `${graph}sample_type=${sampleType}`;
        const { total_samples, root } = await get(path);
        expect([path, total_samples, root.total_value]).toEqual([path, totals[index], totals[index]]);
        const decoded = decodeFlameGraph((await inject(path, columns)).rawPayload);
        expect([path, decoded.meta.totalSamples]).toEqual([path, totals[index]]);
      }
    }
  });

  test("has the same totals in comparisons", async () => {
    for (const [index, sampleType] of names.entries()) {
      const total = totals[index];
      for (const [query, before] of [
        [`before_profile=${id}&after_profile=${id}`, total],
        [`service=${service}&type=${profile.type}&after_from=1h`, 0],
      ] as const) {
        const path = `flamegraph/diff?${query}&sample_type=${sampleType}`;
        const reply = await get(path);
        expect([path, reply.before.total, reply.after.total]).toEqual([path, before, total]);
        expect([reply.nodes.total_before[0], reply.nodes.total_after[0]]).toEqual([before, total]);
        const { meta } = decodeComparison((await inject(path, comparedColumns)).rawPayload);
        expect([path, meta.before.total, meta.after.total]).toEqual([path, before, total]);
      }
    }
  });

  test("has the same total in statistics, charts, timelines and summaries", async () => {
    const totalOf = (sampleType: string) => totals[names.indexOf(sampleType)]!;
    const [point] = (await get(`timeline/service/${service}/all?from=1h&bucket=1d`)).data_points.filter(
      ({ cpu_seconds, memory_bytes, goroutine_count, mutex_usage, custom_values }: Record<string, unknown>) =>
        [cpu_seconds, memory_bytes, goroutine_count, mutex_usage, custom_values].some(
          (value) => value !== null,
        ),
    );
    const { performance_metrics } = (await get(`summary/service/${service}`)).summary;
    const chart = async (kind: string) => [
      await get(`${kind}/chart/${id}`),
      await get(`${kind}/service/${service}?since=1h`),
    ];
    switch (profile.type) {
      case "cpu":
        expect((await get(`profile/${id}/stats`)).cpu_stats.cpu_time_ns).toBe(totalOf("cpu"));
        expect(point.cpu_seconds).toBe(totalOf("cpu") / 1e9);
        expect(performance_metrics.cpu.total_samples).toBe(profile.sampleCount);
        break;
      case "memory":
        expect(point.memory_bytes).toBe(totalOf("inuse_space"));
        expect(performance_metrics.memory.avg_heap_in_use_mb).toBe(totalOf("inuse_space") / 2 ** 20);
        break;
      case "goroutine":
        expect(point.goroutine_count).toBe(totalOf("goroutine"));
        for (const { total } of await chart("goroutines")) expect(total).toBe(totalOf("goroutine"));
        break;
      case "mutex":
        expect(point.mutex_usage).toBe(totalOf("delay") / 1e9);
        for (const { contentions, total_delay_ms } of await chart("mutex")) {
          expect([contentions, total_delay_ms]).toEqual([totalOf("contentions"), totalOf("delay") / 1e6]);
        }
        break;
      default:
        expect(point.custom_values).toEqual(
          Object.fromEntries(profile.sampleTypes.map((sampleType, index) => [sampleType, totals[index]])),
        );
        for (const { sample_types } of await chart("custom")) {
          expect(sample_types.map(({ total }: { total: number }) => total)).toEqual(totals);
        }
    }
  });

  test("has the same sample count on every endpoint", async () => {
    const single = await get(`profile/${id}`);
    const { profiles } = await get(`profiles/service/${service}`);
    const statistics = await get(`profile/${id}/stats`);
    const graph = await get(`flamegraph/${id}`);
    expect({
      reply: sampleCount,
      single: single.statistics.total_samples,
      list: profiles[0].statistics.total_samples,
      statistics: statistics.sample_count,
      graph: graph.root.sample_count,
    }).toEqual({
      reply: profile.sampleCount,
      single: profile.sampleCount,
      list: profile.sampleCount,
      statistics: profile.sampleCount,
      graph: profile.sampleCount,
    });
    if (profile.type === "cpu") expect(statistics.cpu_stats.total_samples).toBe(profile.sampleCount);
  });
});

test("the value of a stack that is too deep belongs to no function that was not its leaf", async () => {
  const { profile_id } = await send("deep", odd["a stack of 10,000 frames"]!);
  const { top_functions, statistics } = await get(`profile/${profile_id}/stats`);
  const self = top_functions.filter(({ self_value }: { self_value: number }) => self_value > 0);
  expect(self).toMatchObject([{ name: "[truncated]", self_value: 30 }]);
  expect(statistics.max_stack_depth).toBe(8192);
  expect((await get(`profile/${profile_id}`)).trimmed).toEqual({ depth: 1 });
});
