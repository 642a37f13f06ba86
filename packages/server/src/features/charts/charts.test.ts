import type { Profile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const types = ["goroutines", "mutex", "block", "custom"];
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

async function send(query: Record<string, string>, profile: Profile): Promise<string> {
  return (await server.send(profile, { headers: keyHeaders, query })).profile_id;
}

async function get(path: string, query: Record<string, string> = {}, as = person) {
  const reply = await server.app.inject({
    method: "GET",
    url: `/api/v1/protected/${path}`,
    query,
    headers: as.headers,
  });
  return { status: reply.statusCode, body: reply.json() };
}

function goroutines(workers: number, idle: number): Profile {
  return profileOf(
    `
    main.run.func1     net/http.(*conn).serve
    shop.work          bufio.Fill
    runtime.chanrecv2  internal/poll.runtime_pollWait
    runtime.gopark     runtime.gopark
    ${workers}         ${idle}`.replace(/\n +(\d+) +(\d+)$/, (_, a, b) => `\n    ${a.padEnd(19)}${b}`),
    { sampleTypes: ["goroutine/count"] },
  );
}

function mutex(delays: [number, number], durationNs = 10_000_000_000n): Profile {
  return profileOf(
    `
    main.place              main.cancel
    shop.Reserve@led.go:7   shop.Reserve@led.go:7
    sync.(*Mutex).Unlock    sync.(*Mutex).Unlock
    4,${delays[0]}e6        1,${delays[1]}e6`
      .replaceAll("e6", "000000")
      .replace(/\n +(\S+) +(\S+)$/, (_, a, b) => `\n    ${a.padEnd(24)}${b}`),
    { sampleTypes: ["contentions/count", "delay/nanoseconds"], durationNs },
  );
}

describe("goroutines", () => {
  const ids: string[] = [];

  beforeAll(async () => {
    for (const [minute, tags, profile] of [
      [50, "a", goroutines(96, 4)],
      [55, "a", goroutines(100, 2)],
      [56, "b", goroutines(10, 1)],
      [57, "a", goroutines(106, 3)],
    ] as const) {
      const started_at = `2026-11-20T11:${minute}:00Z`;
      ids.push(await send({ service: "checkout", type: "goroutine", started_at, "tag.pod": tags }, profile));
    }
  });

  it("of a profile are groups by stack with state, entry, creator and growth since the one before", async () => {
    const { status, body } = await get(`goroutines/chart/${ids[3]}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      profile: { profile_id: ids[3], service: "checkout", tags: { pod: "a" }, duration_ms: 0 },
      previous: { profile_id: ids[1], timestamp: "2026-11-20T11:55:00.000Z", total: 102 },
      total: 109,
      states: [
        { state: "chan receive", count: 106, percent: 97.25 },
        { state: "IO wait", count: 3, percent: 2.75 },
      ],
      groups_total: 2,
    });
    expect(body.groups[0]).toMatchObject({
      count: 106,
      growth: 6,
      waiting_time_ms: null,
      at: { function_name: "shop.work", package_name: "shop" },
      entry: { function_name: "main.run.func1" },
      creator: "main.run",
    });
    expect(body.groups[0].stack.map((frame: { function_name: string }) => frame.function_name)).toEqual([
      "runtime.gopark",
      "runtime.chanrecv2",
      "shop.work",
      "main.run.func1",
    ]);
    expect([body.groups[1].state, body.groups[1].growth, body.groups[1].creator]).toEqual([
      "IO wait",
      1,
      null,
    ]);
    expect(body.explanation).toMatch(/^A goroutine profile counts .*\.$/);
  });

  it("of a goroutine dump have the states, creators and waits that it records", async () => {
    const dump = (minutes: number, more = "") =>
      Buffer.from(
        `goroutine 7 [select, ${minutes} minutes]:\nmain.poll()\n\t/shop/main.go:7 +0x28\ncreated by main.start in goroutine 1\n\n${more}`,
      );
    const query = { service: "dumped", type: "goroutine" };
    const send = async (started_at: string, bytes: Buffer) =>
      (await server.send(bytes, { headers: keyHeaders, query: { ...query, started_at } })).profile_id;
    await send(
      "2026-11-20T11:50:00Z",
      dump(3, "goroutine 8 [sleep]:\nmain.rest()\n\t/shop/main.go:9 +0x28\n"),
    );
    const { body } = await get(`goroutines/chart/${await send("2026-11-20T11:52:00Z", dump(5))}`);
    expect(body.states).toEqual([{ state: "select", count: 1, percent: 100 }]);
    expect(body.groups).toMatchObject([
      { state: "select", creator: "main.start", waiting_time_ms: 300_000, growth: 0 },
    ]);
    expect(body.explanation).toMatch(/^A goroutine dump \(debug=2\) has /);
    const { body: ofService } = await get("goroutines/service/dumped", { since: "1h" });
    expect(ofService.total).toBe(1.5);
    expect(
      ofService.states.map((each: { state: string; count: number }) => [each.state, each.count]),
    ).toEqual([
      ["select", 1],
      ["sleep", 0.5],
    ]);
    expect(ofService.groups).toMatchObject([
      { state: "select", count: 1, creator: "main.start", waiting_time_ms: 300_000 },
      { state: "sleep", count: 0.5, waiting_time_ms: null },
    ]);
    expect(ofService.explanation).toMatch(/^A goroutine dump \(debug=2\) has /);
  });

  it("of the first profile of a series have no growth", async () => {
    const { body } = await get(`goroutines/chart/${ids[0]}`);
    expect([body.previous, body.groups[0].growth]).toEqual([null, null]);
  });

  it("of a service are the mean over its latest profiles, with the growth of each series and the series itself", async () => {
    const { body } = await get("goroutines/service/checkout", { since: "1h" });
    expect(body).toMatchObject({ service: "checkout", profiles_merged: 4, aggregation: "mean", total: 80.5 });
    expect(body.series.map((point: { profile_id: string }) => point.profile_id)).toEqual(ids);
    expect(body.series[0]).toMatchObject({ tags: { pod: "a" }, totals: { "goroutine/count": 100 } });
    expect(
      body.groups.map((group: Record<string, unknown>) => [group.state, group.count, group.growth]),
    ).toEqual([
      ["chan receive", 78, 6],
      ["IO wait", 2.5, 1],
    ]);
  });

  it("of a service respect the limit and the tags", async () => {
    const two = (await get("goroutines/service/checkout", { limit: "2" })).body;
    expect([two.profiles_merged, two.total, two.groups[0].growth]).toEqual([2, 60, null]);
    const b = (await get("goroutines/service/checkout", { "tag.pod": "b" })).body;
    expect([b.profiles_merged, b.total]).toEqual([1, 11]);
  });
});

describe("contention", () => {
  it("of a mutex profile is by the line that held the lock, longest delay first", async () => {
    const id = await send({ service: "locks", type: "mutex" }, mutex([30, 10]));
    const { body } = await get(`mutex/chart/${id}`);
    expect(body).toMatchObject({
      covers: "window",
      stack_side: "holder",
      contentions: 5,
      total_delay_ms: 40,
      call_sites_total: 1,
    });
    expect(body.call_sites[0]).toMatchObject({
      call_site: { function_name: "shop.Reserve", file_name: "led.go", line_number: 7 },
      operation: "sync.(*Mutex).Unlock",
      kind: "mutex",
      holder: "shop.Reserve",
      waiter: null,
      contentions: 5,
      total_delay_ms: 40,
      mean_delay_ms: 8,
      percent: 100,
      stack_count: 2,
    });
    expect(body.call_sites[0].stack.at(-1).function_name).toBe("main.place");
  });

  it("of a block profile shows who waited", async () => {
    const id = await send({ service: "locks", type: "block" }, mutex([30, 10]));
    const { body } = await get(`block/chart/${id}`);
    expect(body.stack_side).toBe("waiter");
    expect([body.call_sites[0].holder, body.call_sites[0].waiter]).toEqual([null, "shop.Reserve"]);
  });

  it("of a service sums the increase of each profile, not the counters' values", async () => {
    for (const [minute, delays] of [
      [10, [100, 10]],
      [11, [130, 15]],
      [12, [150, 15]],
    ] as const) {
      const started_at = `2026-11-20T11:${minute}:00Z`;
      await send({ service: "counters", type: "mutex", started_at }, mutex([...delays], 0n));
    }
    const { body } = await get("mutex/service/counters");
    expect(body).toMatchObject({ profiles_merged: 3, aggregation: "sum", total_delay_ms: 55 });
    expect(
      body.series.map(({ totals }: { totals: Record<string, number> }) => totals["delay/nanoseconds"]),
    ).toEqual([0, 35_000_000, 20_000_000]);
    const { body: latest } = await get("profiles/service/counters", { limit: "1" });
    const { body: chart } = await get(`mutex/chart/${latest.profiles[0].profile_id}`);
    expect([chart.covers, chart.total_delay_ms]).toEqual(["process", 165]);
  });
});

describe("custom values", () => {
  const carts = (open: number, held: number): Profile => {
    const profile = profileOf(`main    main\nopen    hold\n${open}       ${held}`, {
      sampleTypes: ["shop/open_carts/count"],
    });
    const at = profile.strings.length;
    return {
      ...profile,
      strings: [...profile.strings, "tenant", "acme"],
      samples: { ...profile.samples, labelStart: Uint32Array.of(0, 1, 1) },
      labels: {
        length: 1,
        key: Uint32Array.of(at),
        text: Uint32Array.of(at + 1),
        number: new BigInt64Array(1),
        unit: new Uint32Array(1),
      },
    };
  };
  const name = "shop/open_carts/count";

  it("of a profile are by stack and by label", async () => {
    const id = await send(
      { service: "carts", type: "custom", started_at: "2026-11-20T11:00:00Z" },
      carts(6, 2),
    );
    const { body } = await get(`custom/chart/${id}`);
    expect(body.sample_types).toEqual([
      { type: "shop/open_carts", unit: "count", aggregation: "mean", total: 8 },
    ]);
    expect(body.stacks).toMatchObject([
      { values: { [name]: 6 }, percent: 75, at: { function_name: "open" } },
      { values: { [name]: 2 }, percent: 25 },
    ]);
    expect(body.labels).toEqual([{ key: "tenant", value: "acme", values: { [name]: 6 }, percent: 75 }]);
    expect([body.stacks_total, body.labels_total]).toEqual([2, 1]);
  });

  it("of a service are the mean of gauges over its latest profiles", async () => {
    await send({ service: "carts", type: "custom", started_at: "2026-11-20T11:01:00Z" }, carts(8, 3));
    const { body } = await get("custom/service/carts");
    expect([body.profiles_merged, body.labels_profiles, body.sample_types[0].total]).toEqual([2, 2, 9.5]);
    expect(body.stacks.map(({ values }: { values: Record<string, number> }) => values[name])).toEqual([
      7, 2.5,
    ]);
    expect(body.labels).toMatchObject([{ key: "tenant", value: "acme", values: { [name]: 7 } }]);
  });
});

describe("every chart", () => {
  it.each(types)("of %s of an unknown service is empty and still explains itself", async (type) => {
    const { status, body } = await get(`${type}/service/nobody`);
    expect(status).toBe(200);
    expect([body.profiles_merged, body.series]).toEqual([0, []]);
    expect(body.explanation.length).toBeGreaterThan(50);
  });

  it.each(types)("of %s refuses a limit, a range and a profile of another type", async (type) => {
    for (const [query, field] of [
      [{ limit: "0" }, "limit"],
      [{ limit: "501" }, "limit"],
      [{ since: "soon" }, "since"],
      [{ from: "1h", to: "3h" }, "from"],
    ] as const) {
      const { status, body } = await get(`${type}/service/checkout`, query);
      expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
    }
    const id = await send(
      { service: "cpus", type: "cpu" },
      profileOf("main\n1", { sampleTypes: ["cpu/nanoseconds"] }),
    );
    const { status, body } = await get(`${type}/chart/${id}`);
    expect([status, body.error]).toEqual([422, expect.stringContaining("of type cpu")]);
    const stranger = await server.signUp();
    expect((await get(`${type}/chart/${id}`, {}, stranger)).status).toBe(404);
    expect((await get(`${type}/chart/nonsense`)).status).toBe(404);
  });
});
