import type { ProfileList, Profile as WireProfile } from "@flamekeep/contract";
import type { Profile } from "@flamekeep/profile";
import { type PictureFacts, profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { storedCounts, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

const started_at = "2026-11-20T11:00:00Z";
/** As Datadog's profiler for Python declares them: measures that are off are 0. */
const ddtraceTypes = [
  "cpu-time/nanoseconds",
  "cpu-samples/count",
  "wall-time/nanoseconds",
  "wall-samples/count",
  "alloc-space/bytes",
  "alloc-samples/count",
  "heap-space/bytes",
  "gpu-time/nanoseconds",
  "gpu-flops/count",
  "gpu-flops-samples/count",
];
const ddtrace = () =>
  profileOf(
    `
    main main main
    work grow wait
    20,2,30,3,0,0,0,0,0,0 0,0,0,0,4096,4,1024,0,0,0 0,0,90,9,0,0,0,0,0,0`,
    { sampleTypes: ddtraceTypes, durationNs: 60_000_000_000n },
  );

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (profile: Profile, query: Record<string, string> = {}) =>
    server.send(profile, { headers, query: { started_at, ...query } });
  const get = async <T>(path: string): Promise<T> => {
    const reply = await server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });
    expect([path, reply.statusCode]).toEqual([path, 200]);
    return reply.json();
  };
  return { orgId: person.orgId, person, headers, send, get };
}

interface Graph {
  readonly root: { readonly total_value: number; readonly children: readonly { function_name: string }[] };
  readonly total_samples: number;
}

interface Series {
  readonly charts: readonly { sample_type: string; aggregation: string; lines: { total: number }[] }[];
}

const of = (picture: string, sampleTypes: string[], facts: PictureFacts = {}) =>
  profileOf(picture, { durationNs: 10_000_000_000n, ...facts, sampleTypes });

describe("an upload that measures several types", () => {
  it("is listed under each of them, with its own measures and stacks", async () => {
    const { orgId, send, get } = await sender();
    const reply = await send(ddtrace());
    expect(reply).toMatchObject({ type: "cpu", sample_count: 2, duplicate: false });
    expect(reply.also_listed?.map(({ type }) => type)).toEqual(["memory", "custom"]);
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(
      rows.map(({ type, sample_types, totals, stack_count }) => [
        type,
        sample_types.slice(0, 3),
        totals.slice(0, 3),
        stack_count,
      ]),
    ).toEqual([
      ["cpu", ["cpu/nanoseconds", "samples/count"], [20n, 2n], 1],
      ["custom", ["wall/nanoseconds", "samples/count"], [120n, 12n], 2],
      ["memory", ["alloc_space/bytes", "alloc_objects/count", "inuse_space/bytes"], [4096n, 4n, 1024n], 1],
    ]);
    const list = await get<ProfileList>("profiles/service/s?since=24h&type=memory");
    expect(list.profiles).toMatchObject([{ profile_id: reply.also_listed![0]!.profile_id, type: "memory" }]);
    expect(list.counts_by_display_type).toEqual({ cpu: 1, memory: 1, wall: 1 });
  });

  it("opens with the measure of the type, in graphs of the profile and of a range, and in statistics", async () => {
    const { send, get } = await sender();
    const { profile_id, also_listed = [] } = await send(ddtrace());
    const drawn: unknown[] = [];
    for (const id of [profile_id, ...also_listed.map((each) => each.profile_id)]) {
      const { root } = await get<Graph>(`flamegraph/${id}`);
      const stats = await get<{ top_functions: { name: string }[] }>(`profile/${id}/stats`);
      drawn.push([root.total_value, stats.top_functions[0]?.name]);
    }
    expect(drawn).toEqual([
      [20, "work"],
      [1024, "grow"],
      [120, "wait"],
    ]);
    const ranges: number[] = [];
    for (const type of ["cpu", "memory", "wall"])
      ranges.push((await get<Graph>(`flamegraph/service/s/${type}?since=24h`)).root.total_value);
    expect(ranges).toEqual([20, 1024, 120]);
  });

  it("is in the timeline of each type", async () => {
    const { send, get } = await sender();
    await send(ddtrace());
    const { charts } = await get<Series>("series/service/s/all?since=24h&bucket=1h");
    expect(
      charts.map(({ sample_type, aggregation, lines }) => [sample_type, aggregation, lines[0]!.total]),
    ).toEqual([
      ["cpu/nanoseconds", "sum", 20],
      ["inuse_space/bytes", "mean", 1024],
      ["wall/nanoseconds", "sum", 120],
    ]);
  });

  it("is stored once, whichever type its sender names, also if the sender gives no time", async () => {
    const { orgId, headers, send } = await sender();
    const first = await send(ddtrace());
    const named = await send(ddtrace(), { type: "memory" });
    expect(named).toMatchObject({
      duplicate: true,
      type: "memory",
      profile_id: first.also_listed![0]!.profile_id,
    });
    expect(named.also_listed).toContainEqual({ type: "cpu", profile_id: first.profile_id });
    const untimed = await server.send(ddtrace(), { headers, query: { service: "untimed" } });
    server.clock.advance(1000);
    const again = await server.send(ddtrace(), { headers, query: { service: "untimed" } });
    expect(again).toMatchObject({ duplicate: true, also_listed: untimed.also_listed! });
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 6, rolledUp: 6, payloads: 6 });
    const restarted = await server.createApp();
    expect(await server.send(ddtrace(), { headers, query: { started_at }, app: restarted })).toMatchObject({
      duplicate: true,
      profile_id: first.profile_id,
    });
    await restarted.close();
    expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 6, rolledUp: 6, payloads: 6 });
  });

  it("has its bytes once, and every type downloads them", async () => {
    const { orgId, person, send, get } = await sender();
    const { profile_id, also_listed = [] } = await send(ddtrace());
    const download = async (id: string) => {
      const url = `/api/v1/protected/profile/${id}/download`;
      return (await server.app.inject({ url, headers: person.headers })).rawPayload;
    };
    const original = await download(profile_id);
    for (const each of also_listed) {
      expect((await download(each.profile_id)).equals(original)).toBe(true);
      expect(await get<WireProfile>(`profile/${each.profile_id}`)).toMatchObject({
        size_bytes: original.length,
      });
    }
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.reduce((sum, { original_bytes }) => sum + original_bytes, 0)).toBe(original.length);
  });

  it("is not taken for bytes that another profile has, whatever its text is", async () => {
    const { person, headers, get } = await sender();
    const body = Buffer.from(`same bytes as ${"0".repeat(32)};main 5\n`);
    const { profile_id } = await server.send(body, { headers, query: { started_at, type: "cpu" } });
    const url = `/api/v1/protected/profile/${profile_id}/download`;
    expect((await server.app.inject({ url, headers: person.headers })).rawPayload).toEqual(body);
    expect(await get<Graph>(`flamegraph/${profile_id}`)).toMatchObject({ total_samples: 5 });
  });

  it("is filed as custom alone, with everything as sent, if its sender says so", async () => {
    const { orgId, send } = await sender();
    expect((await send(ddtrace(), { type: "custom" })).also_listed).toBeUndefined();
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.map(({ type, sample_types }) => [type, sample_types])).toEqual([["custom", ddtraceTypes]]);
  });

  it("opens a type with a measure that has values", async () => {
    const { send, get } = await sender();
    const profile = of("main grow\n4096,0,20 0,0,5", [
      "alloc-space/bytes",
      "heap-space/bytes",
      "cpu-time/nanoseconds",
    ]);
    const { also_listed = [] } = await send(profile);
    expect(also_listed.map(({ type }) => type)).toEqual(["memory"]);
    expect((await get<Graph>(`flamegraph/${also_listed[0]!.profile_id}`)).root.total_value).toBe(4096);
    expect((await get<Graph>("flamegraph/service/s/memory?since=24h")).root.total_value).toBe(4096);
    const { charts } = await get<Series>("series/service/s/all?since=24h&bucket=1h");
    expect(charts.map(({ sample_type }) => sample_type)).toEqual(["cpu/nanoseconds", "alloc_space/bytes"]);
  });
});

describe("a CPU profile", () => {
  const cpuPeriod = { periodType: { type: "cpu", unit: "nanoseconds" }, period: 10_000_000n };

  test("that counts samples has their number times the period as CPU time", async () => {
    const { orgId, send, get } = await sender();
    const reply = await send(of("main work\n30 5", ["samples/count"], cpuPeriod));
    expect(reply).toMatchObject({ type: "cpu", sample_count: 35 });
    expect(reply.notice).toBeUndefined();
    const [row] = await storedProfiles(server.ctx.columns, orgId);
    expect(row).toMatchObject({
      sample_types: ["samples/count", "cpu/nanoseconds"],
      totals: [35n, 350_000_000n],
    });
    expect((await get<Graph>(`flamegraph/${reply.profile_id}`)).root.total_value).toBe(350_000_000);
    const { charts } = await get<Series>("series/service/s/cpu?since=24h&bucket=1h");
    expect(charts[0]).toMatchObject({ sample_type: "cpu/nanoseconds", lines: [{ total: 350_000_000 }] });
  });

  test("with CPU time alone has as many samples as periods", async () => {
    const { send } = await sender();
    const profile = of("main work\n30000000 50000000", ["cpu/nanoseconds"], cpuPeriod);
    expect(await send(profile)).toMatchObject({ type: "cpu", sample_count: 8 });
  });

  test("without nanoseconds and period has a notice, and a timeline in samples", async () => {
    const { send, get } = await sender();
    const reply = await send(of("main work\n30 5", ["cpu/count"]));
    expect(reply).toMatchObject({
      type: "cpu",
      sample_count: 35,
      notice: expect.stringMatching(/counts samples .* send pprof .* collapsed stacks have neither\.$/),
    });
    expect(await get<WireProfile>(`profile/${reply.profile_id}`)).toMatchObject({ notice: reply.notice });
    const { charts } = await get<Series>("series/service/s/cpu?since=24h&bucket=1h");
    expect(charts[0]).toMatchObject({ sample_type: "samples/count", lines: [{ total: 35 }] });
  });
});

test("allocations as Java counts them are memory", async () => {
  const { send } = await sender();
  const profile = of("main work\n30,3 5,0", [
    "alloc_in_new_tlab_bytes/bytes",
    "alloc_in_new_tlab_objects/count",
  ]);
  expect(await send(profile)).toMatchObject({ type: "memory", sample_count: 3 });
});
